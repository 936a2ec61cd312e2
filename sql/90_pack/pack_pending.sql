-- pack     pending.csv
-- grain    one row per observed version of each settlement that is PENDING at as_of, or was PENDING in the range
-- reads    settlement_version
-- rule     R-13: every observed version is shown; R-32: text in files
-- silent   settlements that were COMPLETE whenever they were seen
with
    pending_settlement as (
        select
            settlement_id, created, status, observed_at,
            lead(observed_at) over (partition by settlement_id order by version) as next_observed_at
        from settlement_version
    ),
    pending_row as (
        select distinct settlement_id
        from pending_settlement
        where
            status <> 'COMPLETE'
            and (
                (next_observed_at is null and created <= getvariable('as_of'))
                or (created >= getvariable('window_from') and created < getvariable('window_to'))
                or (
                    observed_at < getvariable('window_to')
                    and coalesce(next_observed_at > getvariable('window_from'), true)
                )
            )
    )
select
    getvariable('account') as "account",
    settlement_id::varchar as "settlementId",
    terminal_id::varchar as "terminalId",
    instant(created) as "created",
    instant(observed_at) as "observedAt",
    status as "status",
    money(net_cents) as "reportedNet",
    money(net_cents - previous_net_cents) as "change",
    greatest((epoch_us(observed_at) - epoch_us(created)) // 3600000000, 0)::varchar as "hoursPending"
from settlement_version
where settlement_id in (select settlement_id from pending_row)
order by terminal_id, settlement_version.created, settlement_id, version
