-- model    contradicted_by_observation
-- grain    one row per settlement with transactions that were seen to turn settled for another one: how many
-- reads    observed_candidate, settled_member
-- rule     R-09: arithmetic that goes against what was seen is not UNIQUE
-- silent   what an id, a person or what was seen has placed
with
    placed as (
        select settled_member.transaction_id, settled_member.settlement_id
        from settled_member
        where settlement_id is not null and method in ('WINDOW', 'ALIGNED')
    ),
    seen as (
        select transaction_id, settlement_id
        from observed_candidate semi join placed using (transaction_id)
    )
select placed.settlement_id, count(*) as member_count
from
    placed
    semi join seen using (transaction_id)
    anti join seen on seen.transaction_id = placed.transaction_id
    and seen.settlement_id = placed.settlement_id
group by placed.settlement_id
