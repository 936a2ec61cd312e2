-- model    shifted_cutoff
-- grain    one row per single shift: its first and last settlement that can't end with the offset outside the shift
-- reads    outer_offset_range, single_shift
-- rule     R-28: a shift that other cut-offs could replace is AMBIGUOUS
-- silent   nothing; both are empty if other cut-offs could replace the whole shift
with
    inner_cutoff as (
        select transaction_id, unnest(range(first_ordinal, last_ordinal)) as ordinal
        from single_shift
    )
select
    transaction_id,
    min(ordinal) filter(where outer_offset_range.low_position is null) as low_ordinal,
    max(ordinal) filter(where outer_offset_range.low_position is null) as high_ordinal
from inner_cutoff left join outer_offset_range using (transaction_id, ordinal)
group by transaction_id
