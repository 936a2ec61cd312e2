-- view     reported_settlements
-- of       records
-- grain    one row per settlement: its newest observed version, as the service reports it
-- silent   its computed net and verdict (settlements); older versions (settlement_versions)
-- column   account, name: short name of the account
-- column   settlementId, id: the service's id of the settlement
-- column   terminalId, id: terminal of the record
-- column   terminalName, text: nickName of the terminal
-- column   merchantNumber, text: merchant number of the terminal
-- column   accountId, text: the service's id of the account that the terminal belongs to
-- column   companyDba, text: name under which the company of the terminal does business
-- column   created, instant: when it was created
-- column   status, word: PENDING or COMPLETE, as sent
-- column   reportedNet, money: amountNet: the net that the service reports
-- column   versions, count: how many differing versions were observed
-- column   firstSeen, instant: when the first version was observed
-- column   lastChanged, instant: when the newest differing version was observed
-- column   listed, flag: false where a later complete sweep no longer listed it
-- column   landingSeq, sequence: landing number of the newest version
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
    newest.account as "account",
    settlement_id as "settlementId",
    newest.terminal_id as "terminalId",
    terminal.nick_name as "terminalName",
    terminal.merchant_number as "merchantNumber",
    terminal.account_uuid as "accountId",
    terminal.company_dba as "companyDba",
    newest.created as "created",
    newest.status as "status",
    (newest.net_cents * 0.01::decimal(3, 2))::decimal(18, 2) as "reportedNet",
    newest.versions as "versions",
    newest.first_seen as "firstSeen",
    newest.observed_at as "lastChanged",
    not coalesce(is_absent, false) as "listed",
    newest.landing_seq as "landingSeq"
from
    newest
    left join gone using (account, settlement_id)
    left join terminal on terminal.account = newest.account
    and terminal.terminal_id = newest.terminal_id
where age = 1
