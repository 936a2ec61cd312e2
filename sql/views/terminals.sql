-- view     terminals
-- of       records
-- grain    one row per terminal that the service lists: its newest observed version
-- silent   terminals that only transactions name
-- column   account, name: short name of the account
-- column   terminalId, id: the service's id of the terminal
-- column   terminalName, text: nickName of the terminal
-- column   type, word: CARD or ACH, as sent
-- column   enabled, flag: whether the service calls it enabled
-- column   merchantNumber, text: merchant number of the terminal
-- column   accountId, text: the service's id of the account that the terminal belongs to
-- column   companyDba, text: name under which the company of the terminal does business
-- column   surchargeEnabled, flag: whether it may add a surcharge
-- column   surchargePercentage, percent: percentage of its surcharge
-- column   surchargeTaxable, flag: whether the surcharge is taxed
-- column   acceptance, text: ACH codes that it accepts, comma-separated; empty where the service does not say
-- column   versions, count: how many differing versions were observed
-- column   firstSeen, instant: when the first version was observed
-- column   lastChanged, instant: when the newest differing version was observed
-- column   listed, flag: false where a later complete sweep no longer listed it
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
    account as "account",
    terminal_id as "terminalId",
    nick_name as "terminalName",
    type as "type",
    enabled as "enabled",
    merchant_number as "merchantNumber",
    account_uuid as "accountId",
    company_dba as "companyDba",
    surcharge_enabled as "surchargeEnabled",
    surcharge_percentage as "surchargePercentage",
    surcharge_taxable as "surchargeTaxable",
    acceptance as "acceptance",
    versions as "versions",
    first_seen as "firstSeen",
    observed_at as "lastChanged",
    not coalesce(is_absent, false) as "listed"
from newest left join gone using (account, terminal_id)
where age = 1
