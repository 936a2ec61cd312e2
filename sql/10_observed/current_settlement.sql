-- model    current_settlement
-- grain    one row per settlement: its newest observed version
-- reads    seen_settlement_version
-- rule     R-02: settlements of a terminal follow one another by created, then by id
-- silent   versions that landed after known_at
with
    known_version as (
        select
            *,
            row_number() over (
                partition by settlement_id
                order by landing_seq desc, ordinal desc
            ) as age,
            min(observed_at) over (partition by settlement_id) as first_seen
        from seen_settlement_version
    )
select
    settlement_id, terminal_id, created,
    business_date(created) as business_date,
    net_cents as reported_cents, status, first_seen, observed_at as last_changed,
    landing_seq as last_changed_seq,
    row_number() over (partition by terminal_id order by created, settlement_id) as ordinal
from known_version
where age = 1
