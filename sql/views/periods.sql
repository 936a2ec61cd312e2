-- view     periods
-- of       records
-- grain    one row per accounting period that a person closed
-- silent   periods that were never closed, which are open
-- column   account, name: short name of the account
-- column   period, month: the period
-- column   state, word: closed or open
-- column   actor, text: who decided last
-- column   actedAt, instant: when
-- column   reason, text: why
select
    account as "account",
    subject as "period",
    case when arg_max(action, seq) = 'period.close' then 'closed' else 'open' end as "state",
    arg_max(actor, seq) as "actor",
    arg_max(acted_at, seq)::timestamp as "actedAt",
    arg_max(reason, seq) as "reason"
from lake.ops.audit
where action in ('period.close', 'period.reopen')
group by account, subject
