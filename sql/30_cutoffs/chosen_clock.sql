-- model    chosen_clock
-- grain    one row per terminal: the clock under which more of its settlements tie
-- reads    chosen_cutoff, settlement_running_net
-- rule     R-08: the data choose the clock; created, if equally many settlements tie with both
-- silent   nothing
with
    settlement_sum as (
        select
            clock, settlement_id, terminal_id,
            running_cents - coalesce(
                lag(running_cents) over (partition by clock, terminal_id order by ordinal),
                0
            ) as computed_cents
        from chosen_cutoff
    ),
    tied_count as (
        select
            settlement_sum.clock, settlement_sum.terminal_id,
            count(*) filter(
                where settlement_sum.computed_cents = settlement_running_net.remaining_cents
            ) as settlements_tied
        from settlement_sum inner join settlement_running_net using (settlement_id)
        group by settlement_sum.clock, settlement_sum.terminal_id
    )
select terminal_id, arg_max(clock, (settlements_tied, clock = 'created')) as clock
from tied_count
group by terminal_id
