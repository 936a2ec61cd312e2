-- model    prompt_terminal
-- grain    one row per terminal whose newest settlements tie within twelve hours
-- reads    current_transaction, known_settlement
-- rule     R-61: of the newest twelve settlements nine in ten have a cut-off with an offset that at least four of them share
-- silent   terminals with fewer than four settlements
with
    newest_settlement as (
        select
            terminal_id, ordinal,
            created - to_hours(short_search_hours ()) as earliest,
            created + clock_skew () as latest,
            sum(coalesce(reported_cents, 0)) over (
                partition by terminal_id
                order by ordinal rows unbounded preceding
            ) as settlements_cents
        from
            (
                from known_settlement
                qualify row_number() over (partition by terminal_id order by ordinal desc) <= 12
            )
    ),
    sample as (
        select terminal_id, count(*) as settlement_count, min(earliest) as begins_at
        from newest_settlement
        group by terminal_id
    ),
    -- A single running sum goes through all terminals, in the order of time within each. Offsets are compared only within a
    -- terminal, so that the sum at its start cancels out. A settlement may contain no transaction of these hours. Its own row
    -- therefore holds the sum of all transactions before them.
    running_sum as materialized (
        select
            terminal_id, clock_at, ordinal,
            sum(signed_cents) over (rows unbounded preceding) as transactions_cents
        from
            (
                select
                    current_transaction.terminal_id, created as clock_at, null as ordinal,
                    transaction_id, signed_cents
                from
                    current_transaction
                    inner join sample on sample.terminal_id = current_transaction.terminal_id
                    and current_transaction.created >= sample.begins_at
                where settled
                union all
                select terminal_id, earliest, ordinal, null, 0
                from newest_settlement
                order by terminal_id, clock_at, transaction_id nulls first, signed_cents
            )
    ),
    span as (
        select *, unnest(range(span_of (earliest), span_of (latest) + 1)) as span
        from newest_settlement
    ),
    candidate as materialized (
        select
            span.terminal_id, span.ordinal,
            transactions_cents - settlements_cents as offset_cents
        from
            span
            inner join running_sum on running_sum.terminal_id = span.terminal_id
            and span_of (running_sum.clock_at) = span.span
            and running_sum.clock_at >= span.earliest
            and running_sum.clock_at <= span.latest
        where running_sum.ordinal is null
        union all
        select terminal_id, ordinal, transactions_cents - settlements_cents
        from running_sum inner join newest_settlement using (terminal_id, ordinal)
    ),
    recurring_offset as (
        select terminal_id, offset_cents
        from candidate
        group by terminal_id, offset_cents
        having count(*) >= 4
    ),
    shared_offset as (
        select terminal_id, unnest(list(distinct ordinal)) as ordinal
        from candidate semi join recurring_offset using (terminal_id, offset_cents)
        group by terminal_id, offset_cents
        having count(distinct ordinal) >= 4
    )
select terminal_id
from shared_offset inner join sample using (terminal_id)
group by terminal_id
having count(distinct ordinal) >= 0.9 * any_value(settlement_count)
