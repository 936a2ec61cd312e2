-- view     terminals
-- of       records
-- grain    one row per terminal that the service lists: its newest observed version
-- silent   terminals that only transactions name
with
    newest as (
        select
            *,
            count(*) over record as versions,
            min(observed_at) over record as first_seen,
            row_number() over (
                partition by account, terminal_id
                order by landing_seq desc, ordinal desc
            ) as age
        from lake.seen.terminal_version
        window
            record as (
                partition by account, terminal_id
            )
    ),
    gone as (
        select account, subject_id as terminal_id, not arg_max(present, landing_seq) as is_absent
        from lake.seen.presence
        where list = 'terminals'
        group by account, subject_id
    )
select
    account as "account", -- name: short name of the account
    terminal_id as "terminalId", -- id: the service's id of the terminal
    nick_name as "terminalName", -- text: nickName of the terminal
    type as "type", -- word: CARD or ACH, as sent
    enabled as "enabled", -- flag: whether the service calls it enabled
    merchant_number as "merchantNumber", -- text: merchant number of the terminal
    account_uuid as "accountId", -- text: the service's id of the account that the terminal belongs to
    company_dba as "companyDba", -- text: name under which the company of the terminal does business
    surcharge_enabled as "surchargeEnabled", -- flag: whether it may add a surcharge
    surcharge_percentage as "surchargePercentage", -- percent: percentage of its surcharge
    surcharge_taxable as "surchargeTaxable", -- flag: whether the surcharge is taxed
    acceptance as "acceptance", -- text: ACH codes that it accepts, comma-separated; empty where the service does not say
    versions as "versions", -- count: how many differing versions were observed
    first_seen as "firstSeen", -- instant: when the first version was observed
    observed_at as "lastChanged", -- instant: when the newest differing version was observed
    not coalesce(is_absent, false) as "listed" -- flag: false where the newest sweep that could list it did not
from newest left join gone using (account, terminal_id)
where age = 1
