-- model    settlement_neighbour
-- grain    one row per settlement: its neighbours, and their verdicts and methods
-- reads    explained_net
-- rule     R-09: the neighbours of a settlement
-- silent   TIED settlements without transactions that no shift touches: they support no cut-off
select
    settlement_id, verdict, method, is_open, shifted_ids,
    lag(settlement_id) over terminal as previous_id,
    lag(verdict) over terminal as previous_verdict,
    lag(method) over terminal as previous_method,
    lead(settlement_id) over terminal as next_id,
    lead(verdict) over terminal as next_verdict,
    lead(method) over terminal as next_method
from explained_net
where transaction_count > 0 or verdict <> 'TIED' or shifted_ids is not null
window
    terminal as (
        partition by terminal_id
        order by created, settlement_id
    )
