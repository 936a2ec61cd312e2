-- view     reported_settlements
-- of       records
-- grain    one row per settlement: its newest observed version, as the service reports it
-- silent   its computed net and verdict (settlements); older versions (settlement_versions)
with
    newest as (
        select
            *,
            count(*) over record as versions,
            min(observed_at) over record as first_seen,
            row_number() over (
                partition by account, settlement_id
                order by landing_seq desc, ordinal desc
            ) as age
        from lake.seen.settlement_version
        window
            record as (
                partition by account, settlement_id
            )
    ),
    gone as (
        select account, subject_id as settlement_id, not arg_max(present, landing_seq) as is_absent
        from lake.seen.presence
        where list = 'settlements'
        group by account, subject_id
    ),
    terminal as (
        select account, terminal_id, nick_name, merchant_number, account_uuid, company_dba
        from lake.seen.terminal_version
        qualify
            row_number() over (
                partition by account, terminal_id
                order by landing_seq desc, ordinal desc
            ) = 1
    )
select
    newest.account as "account", -- name: short name of the account
    settlement_id as "settlementId", -- id: the service's id of the settlement
    newest.terminal_id as "terminalId", -- id: terminal of the record
    terminal.nick_name as "terminalName", -- text: nickName of the terminal
    terminal.merchant_number as "merchantNumber", -- text: merchant number of the terminal
    terminal.account_uuid as "accountId", -- text: the service's id of the account that the terminal belongs to
    terminal.company_dba as "companyDba", -- text: name under which the company of the terminal does business
    newest.created as "created", -- instant: when it was created
    newest.status as "status", -- word: PENDING or COMPLETE, as sent
    (newest.net_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "reportedNet", -- money: amountNet: the net that the service reports
    newest.versions as "versions", -- count: how many differing versions were observed
    newest.first_seen as "firstSeen", -- instant: when the first version was observed
    newest.observed_at as "lastChanged", -- instant: when the newest differing version was observed
    not coalesce(is_absent, false) as "listed", -- flag: false where the newest sweep that could list it did not
    newest.landing_seq as "landingSeq" -- sequence: landing number of the newest version
from
    newest
    left join gone using (account, settlement_id)
    left join terminal on terminal.account = newest.account
    and terminal.terminal_id = newest.terminal_id
where age = 1
