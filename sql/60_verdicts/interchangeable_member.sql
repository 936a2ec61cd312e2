-- model    interchangeable_member
-- grain    one row per settlement that does not tie in order of time, or that a shift is about, and member that could change places with another near a cut-off, or leave with one
-- reads    boundary, ordered_transaction, settlement_running_net, shift
-- rule     R-09: what could be swapped within two hours of a cut-off is no more in it than the other
-- silent   what an id or an observation places; what counts nothing, as no explanation names it
with
    off as (
        select boundary.settlement_id
        from boundary inner join settlement_running_net using (settlement_id)
        where boundary.running_cents - previous_cents is distinct from sought_cents
        union
        select unnest([from_settlement_id, to_settlement_id])
        from shift
    ),
    cuts as (
        select
            boundary.settlement_id, boundary.terminal_id, boundary.clock,
            boundary.previous_position, boundary.position, cut.position as cut_position, cut.cut_at
        from
            boundary
            semi join off using (settlement_id)
            inner join boundary as cut on cut.terminal_id = boundary.terminal_id
            and cut.ordinal in (boundary.ordinal - 1, boundary.ordinal)
        where cut.cut_at is not null
    ),
    spanned as (
        select *, unnest(range((epoch_us(cut_at) >> 33) - 1, (epoch_us(cut_at) >> 33) + 2)) as span
        from cuts
    ),
    near as (
        select
            spanned.settlement_id, spanned.cut_position, around.transaction_id,
            around.position > spanned.previous_position
            and around.position <= spanned.position as is_inside,
            case
                when is_inside then -around.signed_cents
                else around.signed_cents
            end as change_cents
        from
            spanned
            inner join ordered_transaction as around on around.clock = spanned.clock
            and around.terminal_id = spanned.terminal_id
            and epoch_us(around.clock_at) >> 33 = spanned.span
            and around.clock_at between spanned.cut_at - interval 2 hours and spanned.cut_at + interval 2 hours
    )
select distinct
    member.settlement_id, member.transaction_id
from
    near as member
    semi join near as other on other.settlement_id = member.settlement_id
    and other.cut_position = member.cut_position
    and other.change_cents = - member.change_cents
where
    member.is_inside
    -- What counts nothing would be its own like, and explains nothing.
    and member.change_cents <> 0
