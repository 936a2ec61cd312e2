-- model    terminal_reach
-- grain    one row per terminal with a settlement: how many hours before a settlement its cut-off is looked for
-- reads    current_transaction, known_settlement
-- rule     R-61: 12 hours; where these tie too few settlements and a wider search ties clearly more, the longest lag that this finds and a day for one more bank holiday
-- silent   nothing: a terminal of which nothing is learned has 12 hours
with recursive
    -- The newest six weeks tell, and never fewer than ten settlements.
    sampled as (
        select
            terminal_id,
            ordinal,
            created,
            sum(coalesce(reported_cents, 0)) over (
                partition by terminal_id
                order by ordinal rows unbounded preceding
            ) as running_cents
        from
            (
                from known_settlement
                qualify
                    created >= max(created) over (partition by terminal_id) - interval 42 days
                    or row_number() over (partition by terminal_id order by ordinal desc) <= 10
            )
    ),
    sample as (
        select
            terminal_id,
            count(*) as settlement_count,
            min(ordinal) = 1 as is_whole,
            case
                when is_whole then '-infinity'::timestamp
                else min(created) - to_hours(cutoff_bound_hours ())
            end as since
        from sampled
        group by terminal_id
    ),
    -- One sort and a sum that runs on through it, from the end, as in ordered_transaction: a window for each terminal takes several times as long.
    running as materialized (
        select
            *,
            row_number() over () as place,
            lag(created) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from
            (
                select
                    current_transaction.terminal_id,
                    created,
                    transaction_id,
                    signed_cents
                from
                    current_transaction
                    inner join sample on sample.terminal_id = current_transaction.terminal_id
                    and current_transaction.created >= sample.since
                where settled
                order by
                    current_transaction.terminal_id desc,
                    created desc,
                    transaction_id desc,
                    signed_cents
            )
    ),
    ends as (
        select
            terminal_id,
            min(place) as first_candidate_position,
            arg_max(total_cents, place) as last_cents
        from running
        group by terminal_id
    ),
    position as materialized (
        select
            terminal_id,
            created as cut_at,
            case
                when place > first_candidate_position then following_at
            end as next_at,
            last_cents - total_cents + signed_cents as running_cents
        from
            running
            inner join ends using (terminal_id)
    ),
    -- A settlement may end before all that lies within a reach: at the last position before it.
    eve as materialized (
        select
            sampled.terminal_id,
            sampled.ordinal,
            sampled.hours,
            position.running_cents,
            epoch(sampled.created) - epoch(coalesce(next_at, sampled.created)) as lag_s
        from
            (
                select
                    *,
                    unnest(list_distinct([least(12, cutoff_bound_hours ()), cutoff_bound_hours ()])) as hours
                from sampled
            ) as sampled
            asof inner join position on position.terminal_id = sampled.terminal_id
            and position.cut_at < sampled.created - to_hours(sampled.hours)
    ),
    -- First 12 hours, then, where fewer than nine settlements in ten tie, as far as may be looked.
    attempt as (
        select
            terminal_id,
            1 as step,
            least(12, cutoff_bound_hours ()) as hours,
            null::double as share_tied,
            null::bigint as lag_hours
        from sample
        union all
        (
            with
                asked as (
                    select
                        sampled.*,
                        attempt.step,
                        attempt.hours,
                        created - to_hours(attempt.hours) as earliest,
                        created + clock_skew () as latest
                    from
                        attempt
                        inner join sampled using (terminal_id)
                    where
                        attempt.step = 1
                        or (attempt.step = 2 and attempt.share_tied < 0.9)
                ),
                span as (
                    select
                        *,
                        unnest(range(span_of (earliest), span_of (latest) + 1)) as span
                    from asked
                ),
                cut as (
                    select
                        span.terminal_id,
                        span.step,
                        span.ordinal,
                        position.running_cents - span.running_cents as offset_cents,
                        min(epoch(span.created) - epoch(coalesce(next_at, span.created))) as lag_s
                    from
                        span
                        inner join position on position.terminal_id = span.terminal_id
                        and span_of (position.cut_at) = span.span
                        and position.cut_at >= span.earliest
                        and position.cut_at <= span.latest
                    group by all
                    union all
                    select
                        terminal_id,
                        step,
                        ordinal,
                        eve.running_cents - asked.running_cents,
                        lag_s
                    from
                        asked
                        inner join eve using (terminal_id, ordinal, hours)
                    union all
                    -- Before its first settlement a terminal owes nothing.
                    select
                        terminal_id,
                        any_value(step),
                        0,
                        0,
                        null
                    from
                        asked
                        semi join (from sample where is_whole) as whole using (terminal_id)
                    group by terminal_id
                ),
                -- Nearly all offsets stand alone, and are left out before anything is put in order.
                recurring as (
                    select
                        terminal_id,
                        offset_cents
                    from cut
                    group by terminal_id, offset_cents
                    having count(*) >= 3
                ),
                in_run as (
                    select
                        *,
                        ordinal - row_number() over (
                            partition by terminal_id, offset_cents
                            order by ordinal
                        ) as run
                    from
                        cut
                        semi join recurring using (terminal_id, offset_cents)
                ),
                measured as (
                    select
                        *,
                        count(*) over (partition by terminal_id, offset_cents, run) as run_length
                    from in_run
                ),
                best as (
                    select
                        asked.terminal_id,
                        asked.step,
                        asked.ordinal,
                        max(run_length) as run_length,
                        arg_min(lag_s, (- run_length, lag_s)) as lag_s
                    from
                        asked
                        left join measured using (terminal_id, step, ordinal)
                    group by asked.terminal_id, asked.step, asked.ordinal
                ),
                -- Four in a row that agree by chance are one in ten thousand; of fewer settlements all must agree.
                supported as (
                    select
                        best.*,
                        settlement_count,
                        coalesce(
                            run_length >= least(4, settlement_count + is_whole::integer)
                            and run_length >= 3,
                            false
                        ) as is_tied
                    from
                        best
                        inner join sample using (terminal_id)
                )
            select
                terminal_id,
                any_value(step) + 1,
                cutoff_bound_hours (),
                count(*) filter(where is_tied) / any_value(settlement_count),
                ceil(max(lag_s) filter(where is_tied) / 3600)::bigint
            from supported
            group by terminal_id
        )
    )
select
    terminal_id,
    case
        when coalesce(
            max(share_tied) filter(where step = 3) > greatest(
                0.5,
                max(share_tied) filter(where step = 2) + 0.1
            ),
            false
        ) then least(
            cutoff_bound_hours (),
            greatest(12, max(lag_hours) filter(where step = 3) + 24)
        )
        else least(12, cutoff_bound_hours ())
    end as reach_hours
from attempt
group by terminal_id
