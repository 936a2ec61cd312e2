-- model    interchangeable_member
-- grain    one row per settlement that does not tie in order of time, and member that could be swapped across a cut-off, or leave with another
-- reads    boundary, ordered_transaction, settlement_running_net, shift
-- rule     R-09: two transactions that could be swapped within two hours of a cut-off belong to the settlement with equal reason
-- silent   members by an id or an observation; amounts of zero, which no explanation names
with
    off_settlement as (
        select boundary.settlement_id
        from boundary inner join settlement_running_net using (settlement_id)
        where boundary.running_cents - previous_cents is distinct from remaining_cents
        union
        select unnest([from_settlement_id, to_settlement_id])
        from shift
    ),
    cut_in_bucket as (
        select
            boundary.settlement_id, boundary.terminal_id, boundary.clock,
            boundary.previous_position, boundary.position, cut.position as cut_position, cut.cut_at,
            unnest(swap_buckets (cut.cut_at)) as bucket
        from
            boundary
            semi join off_settlement using (settlement_id)
            inner join boundary as cut on cut.terminal_id = boundary.terminal_id
            and cut.ordinal in (boundary.ordinal - 1, boundary.ordinal)
        where cut.cut_at is not null
    ),
    possible_change as (
        select
            cut_in_bucket.settlement_id, cut_in_bucket.cut_position, around.transaction_id,
            around.position > cut_in_bucket.previous_position
            and around.position <= cut_in_bucket.position as is_inside,
            case
                when is_inside then -around.signed_cents
                else around.signed_cents
            end as change_cents
        from
            cut_in_bucket
            inner join ordered_transaction as around on around.clock = cut_in_bucket.clock
            and around.terminal_id = cut_in_bucket.terminal_id
            and swap_bucket (around.clock_at) = cut_in_bucket.bucket
            and around.clock_at between cut_in_bucket.cut_at - swap_distance () and cut_in_bucket.cut_at + swap_distance ()
    )
select distinct member.settlement_id, member.transaction_id
from
    possible_change as member
    semi join possible_change as other on other.settlement_id = member.settlement_id
    and other.cut_position = member.cut_position
    and other.change_cents = - member.change_cents
where
    member.is_inside
    -- An amount of zero would be its own counterpart.
    and member.change_cents <> 0
