-- model    candidate
-- grain    one row per clock, settlement and position in time at which it may end
-- reads    clocked_transaction, day_end, settlement_sequence
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
            cross join (
                select unnest([clock_word ('created'), clock_word ('modified')]) as clock
            ) as clocks
    ),
    days as (
        select
            *,
            unnest(range(epoch_us(earliest) // 86400000000, epoch_us(latest) // 86400000000 + 1)) as day
        from reach
    ),
    places as not materialized (
        select
            clock,
            terminal_id,
            position,
            clock_at,
            next_at,
            running_cents,
            epoch_us(clock_at) // 86400000000 as day
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
            and places.day = days.day
            and places.clock_at > days.earliest
            and places.clock_at <= days.latest
    ),
    firsts as (
        select
            clock,
            terminal_id,
            clock_at
        from clocked_transaction
        where position = 1
    ),
    -- The last position before the reach: nothing may have been settled within it.
    same_day as (
        select
            reach.clock,
            reach.settlement_id,
            max(places.position) as position,
            arg_max(
                {
                    'clock_at': places.clock_at,
                    'next_at': places.next_at,
                    'running_cents': places.running_cents
                },
                places.position
            ) as place
        from
            reach
            inner join places on places.clock = reach.clock
            and places.terminal_id = reach.terminal_id
            and places.day = epoch_us(reach.earliest) // 86400000000
            and places.clock_at <= reach.earliest
        group by reach.clock, reach.settlement_id
    ),
    before as (
        select
            reach.clock,
            reach.settlement_id,
            reach.terminal_id,
            reach.ordinal,
            coalesce(same_day.position, day_end.position, 0) as position,
            coalesce(same_day.place.running_cents, day_end.running_cents, 0) as transactions_cents,
            reach.running_cents as settlements_cents,
            reach.created,
            coalesce(same_day.place.clock_at, day_end.clock_at, timestamp '0001-01-01') as clock_at,
            case
                when same_day.position is not null then same_day.place.next_at
                when day_end.position is not null then day_end.next_at
                else firsts.clock_at
            end as next_at
        from
            reach
            inner join firsts on firsts.clock = reach.clock
            and firsts.terminal_id = reach.terminal_id
            left join same_day on same_day.clock = reach.clock
            and same_day.settlement_id = reach.settlement_id
            asof left join day_end on day_end.clock = reach.clock
            and day_end.terminal_id = reach.terminal_id
            and day_end.day < epoch_us(reach.earliest) // 86400000000
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
