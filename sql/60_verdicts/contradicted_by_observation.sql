-- model    contradicted_by_observation
-- grain    one row per settlement with members that sweeps saw settle for another one: how many, and which
-- reads    observed_candidate, settled_member
-- rule     R-09: arithmetic that contradicts an observation is not UNIQUE
-- silent   members by an id, an observation or a person
with
    arithmetic_member as (
        select settled_member.transaction_id, settled_member.settlement_id
        from settled_member
        where settlement_id is not null and method in ('WINDOW', 'ALIGNED')
    )
select
    arithmetic_member.settlement_id,
    count(*) as member_count,
    string_agg(
        arithmetic_member.transaction_id,
        ';'
        order by arithmetic_member.transaction_id
    ) as transaction_ids
from
    arithmetic_member
    semi join observed_candidate using (transaction_id)
    anti join observed_candidate as own using (transaction_id, settlement_id)
group by arithmetic_member.settlement_id
