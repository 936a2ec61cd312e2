-- model    adjacent_shift_range
-- grain    one row per shift beside another and offset that all its cut-offs could have: the settlements that one move would change instead
-- reads    offset_run, shift_interval
-- rule     R-28: a single transaction may move between settlements that are further apart, with other cut-offs in between
-- silent   settlements more than ten before or after the shift
with
    offset_settlement as (
        select distinct shift_interval.transaction_id, offset_run.offset_cents, offset_run.ordinal
        from
            shift_interval
            inner join offset_run on offset_run.terminal_id = shift_interval.terminal_id
            and offset_run.clock = shift_interval.clock
            and offset_run.ordinal between shift_interval.first_ordinal - 10 and shift_interval.last_ordinal + 10
        where shift_interval.is_beside_other
    ),
    numbered_settlement as (
        select
            *,
            ordinal - row_number() over (
                partition by transaction_id, offset_cents
                order by ordinal
            ) as run
        from offset_settlement
    ),
    run_range as (
        select transaction_id, min(ordinal) as low_ordinal, max(ordinal) as high_ordinal
        from numbered_settlement
        group by transaction_id, offset_cents, run
    )
select distinct
    shift_interval.transaction_id, shift_interval.terminal_id,
    run_range.low_ordinal as from_ordinal,
    run_range.high_ordinal + 1 as to_ordinal
from shift_interval inner join run_range using (transaction_id)
where
    run_range.low_ordinal <= shift_interval.first_ordinal
    and run_range.high_ordinal >= shift_interval.last_ordinal - 1
