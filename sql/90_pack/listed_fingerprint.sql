-- model    listed_fingerprint
-- grain    one row per settlement in the range that has transactions
-- reads    listed_attribution
-- rule     R-26: what is listed of each, summed; and a fingerprint of it, by which a run sees whether an earlier one has listed the same
-- silent   settlements without transactions
with
    -- Words are of one run: their members in another one are others, and their texts are asked of a few rows only.
    kind as (
        select
            settlement_id, action, status, method,
            count(*) as row_count,
            sum(signed_cents)::bigint as signed_cents,
            -- Of sums of hashes, so that order doesn't count; hashed twice, as a hash of several values mixes the last one in without more.
            sum(hash(hash(transaction_id, terminal_id, created, total_cents, signed_cents))) as row_print
        from listed_attribution
        group by all
    )
select
    settlement_id,
    sum(row_count)::bigint as row_count,
    sum(signed_cents)::bigint as signed_cents,
    hash(
        sum(hash(hash(action::varchar, status::varchar, method::varchar, row_count, row_print)))
    ) as print
from kind
group by settlement_id
