-- model    explained_observation
-- grain    one row per version of the settlement, and per pair of instants between which members turned settled
-- reads    attribution, flag_observation, settlement_version
-- rule     R-05: two observations of a transaction show when its settled flag was set
-- silent   members that were settled when they were first read
with
    observation as (
        select
            observed_at as seen_at, 0 as rank,
            'settlement ' || status || ' at ' || money(net_cents) as what
        from settlement_version
        where settlement_id = getvariable('explained_id')
        union all
        select
            settled_at, 1,
            count(*) || case
                when count(*) = 1 then ' member'
                else ' members'
            end || ' settled, not yet so at ' || instant(unsettled_at)
        from attribution inner join flag_observation using (transaction_id)
        where
            attribution.settlement_id = getvariable('explained_id')
            and flag_observation.unsettled_at > flag_observation.created
        group by settled_at, unsettled_at
    )
select instant(seen_at) as at, what
from observation
order by seen_at, rank, what
