-- model    explained_cutoff
-- grain    a row per possible end: the chosen one, three before and after it, and at most five with which the settlement would tie
-- reads    boundary, cutoff_candidate, explained_interval, ordered_transaction, shift, tieout
-- rule     R-07: another end changes the net by the transactions in between, except those that a shift moved
-- silent   ends before the settlement before
with
    shifted_transaction as (
        select
            ordered_transaction.terminal_id, ordered_transaction.clock, position,
            ordered_transaction.signed_cents
        from shift inner join ordered_transaction using (transaction_id)
    ),
    possible_end as (
        select
            cutoff_candidate.clock_at, cutoff_candidate.position,
            boundary.position as chosen_position, computed_cents, difference_cents,
            cutoff_candidate.transactions_cents - boundary.running_cents - coalesce(
                (
                    select
                        sum(
                            case
                                when shifted_transaction.position <= cutoff_candidate.position then signed_cents
                                else -signed_cents
                            end
                        )
                    from shifted_transaction
                    where
                        shifted_transaction.terminal_id = boundary.terminal_id
                        and shifted_transaction.clock = boundary.clock
                        and (shifted_transaction.position <= cutoff_candidate.position) <> (shifted_transaction.position <= boundary.position)
                ),
                0
            )::bigint as more_cents
        from
            cutoff_candidate
            inner join boundary on boundary.settlement_id = cutoff_candidate.settlement_id
            and boundary.clock = cutoff_candidate.clock
            inner join tieout on tieout.settlement_id = boundary.settlement_id
            inner join explained_interval on explained_interval.settlement_id = boundary.settlement_id
            and is_cut_off
        where
            computed_cents is not null
            and cutoff_candidate.position > 0
            and cutoff_candidate.position >= boundary.previous_position
    ),
    net_by_end as (
        select
            clock_at,
            position = chosen_position as is_chosen,
            computed_cents + more_cents as net_cents,
            difference_cents + more_cents as off_cents,
            row_number() over (order by position) - count(*) filter(
                where position <= chosen_position
            ) over () as steps,
            count(*) over () as tried
        from possible_end
    ),
    rank_by_distance as (
        select *, row_number() over (partition by off_cents = 0 order by abs(steps), steps) as rank
        from net_by_end
    )
select
    instant(
        case when is_chosen then ends_at else clock_at end
    ) as at,
    money(net_cents) as "computedNet",
    money(off_cents) as difference,
    is_chosen::varchar as "isChosen",
    tried::varchar as tried
from rank_by_distance, explained_interval
where abs(steps) <= 3 or (off_cents = 0 and rank <= 5)
order by steps
