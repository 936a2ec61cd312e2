-- model    transaction_change
-- grain    one row per observed version of a settled transaction that lost the settled flag, or has another amount, action, status or terminal
-- reads    multi_version_transaction, seen_transaction_version
-- rule     R-47: the version before was settled; an absent part of the total is zero
-- silent   changes before it was settled, or after the flag was taken back
with
    -- Nearly every transaction settles once and stays as it is. All others have a version beside or after the first settled
    -- one.
    later_version as (
        select transaction_id
        from seen_transaction_version semi join multi_version_transaction using (transaction_id)
        group by transaction_id
        having
            count(*) filter(where settled) > 1
            or max(landing_seq) filter(
                where not coalesce(settled, false)
            ) >= min(landing_seq) filter(where settled)
    ),
    fact as (
        select
            transaction_id, terminal_id, created, observed_at,
            coalesce(settled, false) as settled,
            landing_seq, ordinal,
            signed_amount (action, total_cents) as signed_cents,
            [
                terminal_id::varchar,
                coalesce(action, ''),
                coalesce(status, ''),
                money(total_cents),
                money(coalesce(base_cents, 0)),
                money(coalesce(tax_cents, 0)),
                money(coalesce(shipping_cents, 0)),
                money(coalesce(tip_cents, 0)),
                money(coalesce(surcharge_cents, 0))
            ] as facts
        from seen_transaction_version
        where transaction_id in (select transaction_id from later_version)
    ),
    version_pair as (
        select
            transaction_id, terminal_id, created, observed_at, landing_seq, settled, signed_cents,
            row_number() over by_landing as version,
            lag(settled) over by_landing as previous_settled,
            lag(signed_cents) over by_landing as previous_signed_cents,
            facts,
            lag(facts) over by_landing as previous_facts
        from fact
        window
            by_landing as (
                partition by transaction_id
                order by landing_seq, ordinal
            )
    )
select
    transaction_id, terminal_id, created, version, observed_at, landing_seq,
    not settled as is_reversal,
    signed_cents, previous_signed_cents,
    nullif(
        array_to_string(
            list_transform(
                list_filter(
                    list_zip(
                        [
                            'terminal',
                            'action',
                            'status',
                            'amountTotal',
                            'amountBase',
                            'amountTax',
                            'amountShipping',
                            'amountTip',
                            'amountSurcharge'
                        ],
                        previous_facts, facts
                    ),
                    lambda fact: fact[2] <> fact[3]
                ),
                lambda fact: fact[1] || ' ' || fact[2] || ' to ' || fact[3]
            ),
            ', '
        ),
        ''
    ) as changed_fields
from version_pair
where previous_settled and (not settled or facts <> previous_facts)
