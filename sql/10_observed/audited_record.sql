-- model    audited_record
-- grain    one row per version of a settlement or transaction that a whole certified sweep landed, created before an earlier certified sweep began
-- reads    certified_sweep, seen_settlement_version, seen_transaction_version
-- rule     R-56: the earlier sweep should have listed what was created two minutes before its start
-- silent   records that a sweep of a part of the list landed
with
    -- A sweep of the whole list audits the certified sweeps before it. Most records were created after the last of these
    -- began, and need no comparison.
    audit as (
        select audit.sweep_id, audit.list, max(earlier.started_at) as last_start_at
        from
            certified_sweep as audit
            inner join certified_sweep as earlier on earlier.list = audit.list
            and earlier.landing_seq < audit.landing_seq
        where audit.covers_from is null and audit.terminal_id is null
        group by audit.sweep_id, audit.list
    )
select
    'settlements' as list,
    settlement_id as subject_id, terminal_id, created, net_cents as amount_cents, observed_at,
    landing_seq, ordinal
from seen_settlement_version inner join audit using (sweep_id)
where audit.list = 'settlements' and created <= last_start_at - clock_skew ()
union all
select
    'transactions',
    transaction_id, terminal_id, created,
    signed_amount (action, total_cents),
    observed_at, landing_seq, ordinal
from seen_transaction_version inner join audit using (sweep_id)
where audit.list = 'transactions' and created <= last_start_at - clock_skew ()
