-- model    listed_fingerprint
-- grain    one row per settlement in the range that has transactions
-- reads    listed_attribution
-- rule     R-26: the sum of its listed rows, and a fingerprint by which a run sees whether an earlier run listed the same rows
-- silent   settlements without transactions
with
    -- The numbers of an enum value differ from run to run, so that its text is hashed. The few groups look it up, not all rows.
    kind as (
        select
            settlement_id, action, status, method,
            count(*) as row_count,
            sum(signed_cents)::bigint as signed_cents,
            -- A sum of hashes does not depend on the order. Each is hashed twice: a hash of several values mixes in the last one
            -- too weakly.
            sum(hash(hash(transaction_id, terminal_id, created, total_cents, signed_cents))) as row_print
        from listed_attribution
        group by all
    )
select
    settlement_id,
    sum(signed_cents)::bigint as signed_cents,
    hash(
        sum(hash(hash(action::varchar, status::varchar, method::varchar, row_count, row_print)))
    ) as print
from kind
group by settlement_id
