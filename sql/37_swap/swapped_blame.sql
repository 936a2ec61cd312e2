-- model    swapped_blame
-- grain    one row per explained settlement of which a transaction that is named could change places with another near a cut-off
-- reads    explanation, boundary, clocked_transaction
-- rule     R-09: what could be swapped within two hours of a cut-off is no more in it than the other; R-29: the only set of its size
-- silent   settlements whose members all have a part in it (COMPONENT_EXCLUDED); what an id or an observation places
with
    blamed as (
        select
            settlement_id,
            unnest(string_split(blamed, ';'))::bigint as transaction_id
        from explanation
        where code <> 'COMPONENT_EXCLUDED'
    ),
    cuts as (
        select
            boundary.settlement_id,
            boundary.terminal_id,
            boundary.clock,
            boundary.previous_position,
            boundary.position,
            cut.position as cut_position,
            cut.cut_at
        from
            boundary
            semi join blamed using (settlement_id)
            inner join boundary as cut on cut.terminal_id = boundary.terminal_id
            and cut.ordinal in (boundary.ordinal - 1, boundary.ordinal)
        where cut.cut_at is not null
    ),
    spanned as (
        select
            *,
            unnest(range((epoch_us(cut_at) >> 33) - 1, (epoch_us(cut_at) >> 33) + 2)) as span
        from cuts
    ),
    near as (
        select
            spanned.settlement_id,
            spanned.cut_position,
            around.transaction_id,
            around.position > spanned.previous_position
            and around.position <= spanned.position as is_inside,
            case
                when is_inside then -around.signed_cents
                else around.signed_cents
            end as change_cents
        from
            spanned
            inner join clocked_transaction as around on around.clock = spanned.clock
            and around.terminal_id = spanned.terminal_id
            and epoch_us(around.clock_at) >> 33 = spanned.span
            and around.clock_at between spanned.cut_at - interval 2 hours and spanned.cut_at + interval 2 hours
    )
select distinct
    named.settlement_id
from
    near as named
    semi join blamed on blamed.settlement_id = named.settlement_id
    and blamed.transaction_id = named.transaction_id
    inner join near as other on other.settlement_id = named.settlement_id
    and other.cut_position = named.cut_position
    and other.change_cents = - named.change_cents
    and other.transaction_id <> named.transaction_id
where named.is_inside
