-- model    chosen_clock
-- grain    one row per terminal: the clock under which more of its settlements tie
-- reads    cutoff_choice, clocked_transaction, settlement_sequence
-- rule     R-08: the data choose the clock; created where both do as well
-- silent   nothing
with
    summed as (
        select
            cutoff_choice.clock,
            cutoff_choice.settlement_id,
            cutoff_choice.terminal_id,
            coalesce(clocked_transaction.running_cents, 0) - coalesce(
                lag(clocked_transaction.running_cents) over (
                    partition by cutoff_choice.clock, cutoff_choice.terminal_id
                    order by cutoff_choice.ordinal
                ),
                0
            ) as computed_cents
        from
            cutoff_choice
            left join clocked_transaction on clocked_transaction.clock = cutoff_choice.clock
            and clocked_transaction.terminal_id = cutoff_choice.terminal_id
            and clocked_transaction.position = cutoff_choice.position
    ),
    tied as (
        select
            summed.clock,
            summed.terminal_id,
            count(*) filter(
                where summed.computed_cents = settlement_sequence.sought_cents
            ) as settlements_tied
        from
            summed
            inner join settlement_sequence using (settlement_id)
        group by summed.clock, summed.terminal_id
    )
select
    terminal_id,
    arg_max(clock, (settlements_tied, clock = 'created')) as clock,
    max(settlements_tied) as settlements_tied
from tied
group by terminal_id
