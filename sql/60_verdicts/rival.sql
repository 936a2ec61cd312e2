-- model    rival
-- grain    one row per settlement and kind of other sets that give the same net: how many, named as the reason for a certificate
-- reads    contradicted_by_observation, cutoff_rival, last_cutoff_rival, shift_rival, swap_rival
-- rule     R-09: rivals are other cut-offs within the reach, and moves or swaps of up to two transactions; R-28: other shifts
-- silent   kinds of which a settlement has none
with
    count_by_kind as (
        select
            settlement_id,
            'OTHER_BEGINNING' as reason,
            other_beginnings as rival_count,
            null::varchar as transaction_ids
        from cutoff_rival
        union all
        select settlement_id, 'OTHER_END', other_ends, null
        from cutoff_rival
        union all
        select settlement_id, 'OTHER_CUTOFFS', other_pairs, null
        from cutoff_rival
        union all
        select settlement_id, 'LAST_SETTLEMENT', other_ends, null
        from last_cutoff_rival
        union all
        select settlement_id, 'SWAP', rivals, null
        from swap_rival
        union all
        select settlement_id, 'OTHER_SHIFT', rival_count, null
        from shift_rival
        union all
        select settlement_id, 'CONTRADICTED_BY_OBSERVATION', member_count, transaction_ids
        from contradicted_by_observation
    )
from count_by_kind
where rival_count > 0
