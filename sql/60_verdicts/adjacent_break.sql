-- model    adjacent_break
-- grain    one row per settlement and BREAK before or after it, if nothing supports the cut-off between them
-- reads    explained_net
-- rule     R-09: the cut-off beside a BREAK has no support, and a settlement without transactions between the two gives none
-- silent   cut-offs of a settlement that ids place, if running totals did not place its neighbour either
with
    neighbour as (
        select
            settlement_id, method, is_open,
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
    )
select settlement_id, previous_id as break_id
from neighbour
where
    is_open
    and previous_verdict = 'BREAK'
    and (method <> 'EXPLICIT_ID' or previous_method in ('WINDOW', 'ALIGNED'))
union all
select settlement_id, next_id
from neighbour
where
    is_open
    and next_verdict = 'BREAK'
    and (method <> 'EXPLICIT_ID' or next_method in ('WINDOW', 'ALIGNED'))
