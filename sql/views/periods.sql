-- view     periods
-- of       records
-- grain    one row per accounting period that a person closed
-- silent   periods that were never closed, which are open
select
    account as "account", -- name: short name of the account
    subject as "period", -- month: the period
    case
        when arg_max(action, seq) = 'period.close' then 'closed'
        else 'open'
    end as "state", -- word: closed or open
    arg_max(actor, seq) as "actor", -- text: who decided last
    arg_max(acted_at, seq)::timestamp as "actedAt", -- instant: when
    arg_max(reason, seq) as "reason" -- text: why
from lake.ops.audit
where action in ('period.close', 'period.reopen')
group by account, subject
