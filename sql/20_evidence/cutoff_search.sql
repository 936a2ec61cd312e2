-- model    cutoff_search
-- grain    one row per terminal of the sample and search for its cut-offs: the number of settlements that tie, and the longest lag
-- reads    position_before_search, sampled_position, sampled_settlement
-- rule     R-61: step 1 searches 12 hours; step 2 searches up to the bound, if fewer than nine settlements in ten tie
-- silent   terminals whose newest settlements tie within twelve hours
with recursive
    -- Step 0 starts the search, step 1 holds the results of 12 hours, and step 2 those of the whole bound.
    search_result as (
        select distinct
            terminal_id, 0 as step,
            short_search_hours () as next_hours,
            null::bigint as tied_count,
            null::bigint as settlement_count,
            null::bigint as lag_hours
        from sampled_settlement
        union all
        (
            with
                search as (
                    select
                        sampled_settlement.*,
                        step, next_hours as hours,
                        created - to_hours(next_hours) as earliest,
                        created + clock_skew () as latest
                    from search_result inner join sampled_settlement using (terminal_id)
                    where
                        step = 0
                        or (step = 1 and 10 * tied_count < 9 * search_result.settlement_count)
                ),
                span as (
                    select *, unnest(range(span_of (earliest), span_of (latest) + 1)) as span
                    from search
                ),
                every_candidate as (
                    select
                        span.terminal_id, span.ordinal,
                        sampled_position.running_cents - span.running_cents as offset_cents,
                        epoch(span.created) - epoch(coalesce(next_at, span.created)) as lag_s
                    from
                        span
                        inner join sampled_position on sampled_position.terminal_id = span.terminal_id
                        and span_of (cut_at) = span.span
                        and cut_at >= span.earliest
                        and cut_at <= span.latest
                    union all
                    select terminal_id, ordinal, offset_cents, lag_s
                    from position_before_search semi join search using (terminal_id, hours)
                ),
                -- A settlement that has an offset at several positions counts once.
                candidate as (
                    select terminal_id, ordinal, offset_cents, min(lag_s) as lag_s
                    from every_candidate
                    group by terminal_id, ordinal, offset_cents
                ),
                -- Nearly all offsets occur once. Leaving them out makes the sort small.
                recurring_offset as (
                    select terminal_id, offset_cents
                    from candidate
                    group by terminal_id, offset_cents
                    having count(*) >= 3
                ),
                run as (
                    select
                        *,
                        ordinal - row_number() over (
                            partition by terminal_id, offset_cents
                            order by ordinal
                        ) as run
                    from candidate semi join recurring_offset using (terminal_id, offset_cents)
                ),
                run_length as (
                    select
                        *,
                        count(*) over (partition by terminal_id, offset_cents, run) as run_length
                    from run
                ),
                longest_run as (
                    select
                        terminal_id, ordinal,
                        max(run_length) as run_length,
                        arg_min(lag_s, (- run_length, lag_s)) as lag_s
                    from run_length
                    group by terminal_id, ordinal
                )
            select
                search.terminal_id,
                any_value(step) + 1,
                cutoff_bound_hours (),
                count(longest_run.lag_s),
                any_value(search.settlement_count),
                ceil(max(longest_run.lag_s) / 3600)::bigint
            from
                search
                left join longest_run on longest_run.terminal_id = search.terminal_id
                and longest_run.ordinal = search.ordinal
                and longest_run.run_length >= search.least_run_length
            group by search.terminal_id
        )
    )
select terminal_id, step, tied_count, settlement_count, lag_hours
from search_result
where step > 0
