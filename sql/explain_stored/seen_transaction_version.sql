-- model    seen_transaction_version
-- grain    one row per version of a transaction that the explanation reads
-- reads    lake.seen.transaction_version, relevant_transaction
-- rule     R-02: all versions of a transaction, wherever they lie
-- silent   columns that no model of an explanation reads: to read one costs as much as a model
select
    * replace(
        null::bigint as base_cents,
        null::decimal(9, 4) as surcharge_percentage,
        null::ubigint as billing_key,
        null::ubigint as content_hash,
        null::varchar as ach_type,
        null::varchar as method,
        null::varchar as surcharge_status,
        null::varchar as invoice_number,
        null::varchar as purchase_order_number,
        null::varchar as response_code,
        null::varchar as vault_type,
        null::varchar as account_type,
        null::varchar as last_four
    )
from lake.seen.transaction_version
where
    account = getvariable('account')
    and landing_seq <= getvariable('known_at')
    and transaction_id in (select transaction_id from relevant_transaction)
