-- model    inner_offset_run
-- grain    one row per single shift, other offset inside it, and settlement that could end with that offset: the first and last position for this
-- reads    cutoff_candidate, shifted_cutoff, single_shift
-- rule     R-28: if another transaction moved instead, the cut-offs between the two settlements of a shift would have another offset
-- silent   settlements more than ten before or after the shift. Settlements in a row have the same number in column run
with
    other_offset as (
        select distinct
            single_shift.transaction_id, single_shift.terminal_id, single_shift.clock,
            cutoff_candidate.offset_cents
        from
            single_shift
            inner join shifted_cutoff using (transaction_id)
            inner join cutoff_candidate on cutoff_candidate.terminal_id = single_shift.terminal_id
            and cutoff_candidate.clock = single_shift.clock
            and cutoff_candidate.ordinal = shifted_cutoff.low_ordinal
            and cutoff_candidate.offset_cents <> single_shift.outer_offset_cents
    ),
    range_by_settlement as (
        select
            other_offset.transaction_id, other_offset.offset_cents, cutoff_candidate.ordinal,
            min(cutoff_candidate.position) as low_position,
            max(cutoff_candidate.position) as high_position,
            count(*) as positions
        from
            other_offset
            inner join single_shift using (transaction_id)
            inner join cutoff_candidate on cutoff_candidate.terminal_id = other_offset.terminal_id
            and cutoff_candidate.clock = other_offset.clock
            and cutoff_candidate.offset_cents = other_offset.offset_cents
            and cutoff_candidate.ordinal between single_shift.first_ordinal - 10 and single_shift.last_ordinal + 10
        group by other_offset.transaction_id, other_offset.offset_cents, cutoff_candidate.ordinal
    )
select
    *,
    ordinal - row_number() over (partition by transaction_id, offset_cents order by ordinal) as run
from range_by_settlement
