-- finding  SETTLEMENT_DISAPPEARED
-- grain    one row per settlement that certified sweeps did not list any more
-- reads    current_settlement, proven_absence
-- rule     R-43: the amount is the last reported net; the event stays when the settlement is listed again
-- silent   settlements that only a sweep of certificate BEST_EFFORT missed
select
    'settlement' as subject_type,
    settlement_id::varchar as subject_id,
    terminal_id, reported_cents as amount_cents,
    string_agg(
        concat_ws(
            ', ',
            'absent from the sweep that ended ' || instant(absent_at),
            'listed again by the one that ended ' || instant(back_at)
        ),
        '; '
        order by absent_at
    ) as detail,
    created as subject_created,
    max(absent_seq) as event_seq
from proven_absence inner join current_settlement on settlement_id = subject_id
where list = 'settlements'
group by settlement_id, terminal_id, reported_cents, created
