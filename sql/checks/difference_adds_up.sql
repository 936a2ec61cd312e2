-- check    difference_adds_up
-- grain    one row per settlement whose difference is not computed - reported, or not explained + unexplained
-- reads    tieout
-- rule     R-04: to the cent, always
-- silent   PENDING and NO_DATA settlements, which explain nothing
select
    settlement_id, reported_cents, computed_cents, difference_cents, explained_cents,
    unexplained_cents
from tieout
where
    difference_cents is distinct from computed_cents - reported_cents
    or (
        verdict in ('TIED', 'EXPLAINED', 'BREAK')
        and difference_cents is distinct from explained_cents + unexplained_cents
    )
