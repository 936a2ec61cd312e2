-- model    adjacent_break_tie
-- grain    one row per TIED settlement between a BREAK and a settlement with a shift, and that BREAK, if one transaction could settle both
-- reads    adjacent_break, attribution, explained_net
-- rule     R-09: neither neighbour confirms such a settlement; another shift may make the BREAK tie
-- silent   settlements of which no member, and none of the shifted neighbour, has the amount of the BREAK's difference
with
    unconfirmed_tie as (
        select
            tied.settlement_id, shifted.settlement_id as shifted_id,
            broken.settlement_id as break_id, broken.difference_cents
        from
            explained_net as tied
            inner join adjacent_break using (settlement_id)
            inner join explained_net as broken on broken.settlement_id = adjacent_break.break_id
            inner join explained_net as shifted on shifted.settlement_id in (tied.previous_id, tied.next_id)
        where
            tied.verdict = 'TIED'
            and tied.shifted_ids is null
            and shifted.shifted_ids is not null
            and shifted.settlement_id <> broken.settlement_id
    ),
    candidate_member as (
        select
            settlement_id, break_id, difference_cents,
            unnest([settlement_id, shifted_id]) as member_of
        from unconfirmed_tie
    )
select distinct
    candidate_member.settlement_id, candidate_member.break_id
from
    candidate_member
    inner join attribution on attribution.settlement_id = candidate_member.member_of
    and abs(attribution.signed_cents) = abs(candidate_member.difference_cents)
