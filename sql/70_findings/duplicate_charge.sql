-- finding  DUPLICATE_CHARGE
-- grain    one row per card charge that repeats an earlier one within 600 seconds
-- reads    current_transaction, enum_value, incomplete_charge
-- rule     R-51: same fine card key and total on any terminal, both approved and not VOID, without two different invoice numbers
-- silent   ACH, which has no card key; charges with neither last four digits nor a name; the earlier one of a pair
with
    charge as not materialized (
        select
            transaction_id, terminal_id, created, fine_key, total_cents,
            nullif(trim(invoice_number), '') as invoice_number
        from current_transaction
        where
            action = 'CHARGE'::enum_value
            and approved
            and status <> 'VOID'::enum_value
            and fine_key is not null
    ),
    -- Sorting by a hash puts duplicates beside each other, and half of a hash sorts faster. Two keys with the same half only
    -- send on more rows; none is missed.
    in_order as (
        select (hash(fine_key, total_cents) >> 32)::uinteger as likeness, created
        from charge
        order by likeness, created
    ),
    neighbour as (
        select
            likeness, created,
            lag(likeness) over () as likeness_before,
            lag(created) over () as created_before
        from in_order
    ),
    -- A duplicate has a neighbour within this time. Only such keys go on to what distinguishes charges.
    repeated_charge as (
        select distinct likeness
        from neighbour
        where likeness = likeness_before and created - created_before <= duplicate_span ()
    ),
    charge_pair as (
        select
            charge.transaction_id, charge.terminal_id, charge.created, charge.total_cents,
            charge.invoice_number,
            lag({'created': charge.created, 'id': charge.transaction_id}) over in_time as any_before,
            max(
                case
                    when charge.invoice_number is null then {'created': charge.created, 'id': charge.transaction_id}
                end
            ) over (in_time rows between unbounded preceding and 1 preceding) as blank_before,
            lag({'created': charge.created, 'id': charge.transaction_id}) over (
                partition by charge.fine_key, charge.total_cents, charge.invoice_number
                order by charge.created, charge.transaction_id
            ) as same_before
        from
            charge
            semi join repeated_charge on repeated_charge.likeness = (hash(charge.fine_key, charge.total_cents) >> 32)::uinteger
        window
            in_time as (
                partition by charge.fine_key, charge.total_cents
                order by charge.created, charge.transaction_id
            )
    ),
    nearest_pair as (
        select
            transaction_id, terminal_id, created, total_cents,
            case
                when invoice_number is null then any_before
                else greatest(coalesce(blank_before, same_before), coalesce(same_before, blank_before))
            end as earlier
        from charge_pair
    )
select
    'transaction' as subject_type,
    transaction_id::varchar as subject_id,
    terminal_id, total_cents as amount_cents,
    'same card and amount as ' || earlier.id::varchar || ', ' || ((epoch_us(created) - epoch_us(earlier.created)) // 1000000)::varchar || ' seconds before' as detail,
    created as subject_created
from
    nearest_pair
    anti join (
        from incomplete_charge
        where last_four is null and is_nameless
    ) using (transaction_id)
where created - earlier.created <= duplicate_span ()
