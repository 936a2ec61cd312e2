-- model    multi_version_transaction
-- grain    one row per transaction that was observed in more than one version
-- reads    seen_transaction_version
-- rule     R-01: only these transactions need a comparison of versions; in a history that was read once they are few
-- silent   versions that landed after known_at
-- size     transactions, wide
with
    -- Sorting puts equal ids beside each other. The ids come nearly sorted, so that sorting them costs less than grouping.
    ordered_id as (
        select transaction_id
        from seen_transaction_version
        order by transaction_id
    ),
    neighbour as (
        select transaction_id, lag(transaction_id) over () as id_before
        from ordered_id
    )
select distinct transaction_id
from neighbour
where transaction_id = id_before
