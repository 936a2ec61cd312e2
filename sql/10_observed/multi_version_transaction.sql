-- model    multi_version_transaction
-- grain    one row per transaction that was observed in more than one version
-- reads    seen_transaction_version
-- rule     R-01: only these need their versions compared; in a history that was read once they are few
-- silent   versions that landed after known_at
-- size     transactions, wide
with
    -- In order, each stands beside its like: to sort ids, which come nearly sorted, takes less than to group them.
    in_order as (
        select transaction_id
        from seen_transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
        order by transaction_id
    ),
    beside as (
        select
            transaction_id,
            lag(transaction_id) over () as id_before
        from in_order
    )
select distinct
    transaction_id
from beside
where transaction_id = id_before
