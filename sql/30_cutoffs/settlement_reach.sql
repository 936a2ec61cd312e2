-- model    settlement_reach
-- grain    one row per clock and settlement: the time within which it may end
-- reads    settlement_sequence
-- rule     R-07: a settlement ends within the tolerance before it was created
-- silent   nothing
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
    cross join (select unnest([clock_word ('created'), clock_word ('modified')]) as clock) as clocks
