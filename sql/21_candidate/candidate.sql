-- model    candidate
-- grain    one row per clock, settlement and position in time at which it may end
-- reads    clocked_transaction, settlement_sequence
-- rule     R-07: a settlement ends within the tolerance before it was created; offset = transactions so far less settlements so far
-- silent   positions between transactions of one and the same instant of the modified clock, which no cut-off splits
with
    reach as (
        select
            clock,
            settlement_id,
            terminal_id,
            ordinal,
            running_cents,
            created,
            created - to_hours(getvariable('cutoff_tolerance_hours')) as earliest,
            -- A record is modified when its settlement is made or completed, which may be days after.
            case clock
                when 'created' then created
                else created + interval 72 hours
            end as latest
        from
            settlement_sequence
            cross join (values ('created'), ('modified')) as clocks (clock)
    ),
    days as (
        select
            *,
            unnest(range(epoch_us(earliest) // 86400000000, epoch_us(latest) // 86400000000 + 1)) as day
        from reach
    ),
    places as (
        select
            clock,
            terminal_id,
            position,
            clock_at,
            next_at,
            running_cents
        from clocked_transaction
        where
            clock = 'created'
            or next_at is null
            or next_at > clock_at
    ),
    inside as (
        select
            days.clock,
            days.settlement_id,
            days.terminal_id,
            days.ordinal,
            places.position,
            places.running_cents as transactions_cents,
            days.running_cents as settlements_cents,
            days.created,
            places.clock_at,
            places.next_at
        from
            days
            inner join places on places.clock = days.clock
            and places.terminal_id = days.terminal_id
            and epoch_us(places.clock_at) // 86400000000 = days.day
            and places.clock_at > days.earliest
            and places.clock_at <= days.latest
    ),
    starts as (
        select distinct
            clock,
            terminal_id,
            0 as position,
            timestamp '0001-01-01' as clock_at,
            0 as running_cents
        from clocked_transaction
    ),
    earlier_places as (
        select
            clock,
            terminal_id,
            position,
            clock_at,
            next_at,
            running_cents
        from places
        union all
        select
            starts.clock,
            starts.terminal_id,
            0,
            starts.clock_at,
            places.clock_at,
            0
        from
            starts
            left join clocked_transaction as places on places.clock = starts.clock
            and places.terminal_id = starts.terminal_id
            and places.position = 1
    ),
    -- The last position before the reach: nothing may have been settled within it.
    before as (
        select
            reach.clock,
            reach.settlement_id,
            reach.terminal_id,
            reach.ordinal,
            earlier_places.position,
            earlier_places.running_cents as transactions_cents,
            reach.running_cents as settlements_cents,
            reach.created,
            earlier_places.clock_at,
            earlier_places.next_at
        from
            reach
            asof inner join earlier_places on earlier_places.clock = reach.clock
            and earlier_places.terminal_id = reach.terminal_id
            and earlier_places.clock_at <= reach.earliest
    )
select
    clock,
    settlement_id,
    terminal_id,
    ordinal,
    position,
    transactions_cents,
    transactions_cents - settlements_cents as offset_cents,
    clock_at,
    -- The cut lies anywhere from this transaction up to the next: so does the lag.
    epoch(created) - epoch(coalesce(next_at, created)) as lag_low_s,
    epoch(created) - epoch(clock_at) as lag_high_s
from inside
union all
select
    clock,
    settlement_id,
    terminal_id,
    ordinal,
    position,
    transactions_cents,
    transactions_cents - settlements_cents,
    clock_at,
    epoch(created) - epoch(coalesce(next_at, created)),
    epoch(created) - epoch(clock_at)
from before
