-- model    shift_interval
-- grain    one row per shift: the earlier and the later settlement between which its transaction moves
-- reads    boundary, shift
-- rule     R-28: shifts side by side are AMBIGUOUS
-- silent   nothing
with
    interval_of_shift as (
        select
            shift.transaction_id, holder.terminal_id, holder.clock,
            least(holder.ordinal, target.ordinal) as first_ordinal,
            greatest(holder.ordinal, target.ordinal) as last_ordinal
        from
            shift
            inner join boundary as holder on holder.settlement_id = shift.from_settlement_id
            inner join boundary as target on target.settlement_id = shift.to_settlement_id
    )
select
    *,
    exists (
        from interval_of_shift as other
        where
            other.terminal_id = interval_of_shift.terminal_id
            and other.transaction_id <> interval_of_shift.transaction_id
            and other.first_ordinal <= interval_of_shift.last_ordinal + 1
            and other.last_ordinal >= interval_of_shift.first_ordinal - 1
    ) as is_beside_other
from interval_of_shift
