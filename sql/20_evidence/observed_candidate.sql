-- model    observed_candidate
-- grain    one row per transaction that was seen to become settled, and settlement that it may then be in
-- reads    event_candidate, settling_event
-- rule     R-05: the data show which of the two events sets the flag, or leave both possible
-- silent   candidates by an event that R-05 excludes
-- size     transactions, wide
with
    learned_event as (
        from settling_event
        where is_learned
    ),
    learned_candidate as (
        select * exclude (event)
        from event_candidate semi join learned_event using (event)
    ),
    -- If either event may have set the flag, the candidates of both are possible.
    either_candidate as (
        select distinct on (transaction_id, settlement_id) *
        from learned_candidate
        where (select count(*) from learned_event) = 2
    )
from learned_candidate
where (select count(*) from learned_event) = 1
union all by name
select * replace(count(*) over (partition by transaction_id) as settlements)
from either_candidate
