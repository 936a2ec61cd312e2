-- model    sampled_position
-- grain    one row per settled transaction of the time of the sampled settlements, with the running sum up to it and the time of the next
-- reads    current_transaction, sampled_settlement
-- rule     R-61: a settlement may end after each of these transactions, ordered by created
-- silent   transactions created before the first search of the sample begins, unless the sample holds the terminal's first settlement
with
    sample as (
        select
            terminal_id,
            case
                when bool_or(is_whole) then '-infinity'::timestamp
                else min(created) - to_hours(cutoff_bound_hours ())
            end as begins_at
        from sampled_settlement
        group by terminal_id
    ),
    -- A single sort with one running sum, from the end, as in ordered_transaction. A window for each terminal takes several
    -- times as long.
    running_sum as materialized (
        select
            *,
            row_number() over () as reverse_position,
            lag(created) over () as following_at,
            (sum(signed_cents) over (rows unbounded preceding))::bigint as total_cents
        from
            (
                select current_transaction.terminal_id, created, transaction_id, signed_cents
                from
                    current_transaction
                    inner join sample on sample.terminal_id = current_transaction.terminal_id
                    and current_transaction.created >= sample.begins_at
                where settled
                order by
                    current_transaction.terminal_id desc,
                    created desc,
                    transaction_id desc,
                    signed_cents
            )
    ),
    terminal_end as (
        select
            terminal_id,
            min(reverse_position) as last_position,
            arg_max(total_cents, reverse_position) as last_cents
        from running_sum
        group by terminal_id
    )
select
    terminal_id, created as cut_at,
    case when reverse_position > last_position then following_at end as next_at,
    last_cents - total_cents + signed_cents as running_cents
from running_sum inner join terminal_end using (terminal_id)
