-- model    transaction_history
-- grain    one row per transaction with more than one observed version: the landing of its newest one, and facts that only all versions together show
-- reads    multi_version_transaction, seen_transaction_version
-- rule     R-25: a captured transaction that is void now became void with its first void version
-- silent   transactions of one version, which are most; versions that landed after known_at
-- size     transactions, wide
with
    landed_version as not materialized (
        select
            *,
            -- The order in which versions landed, as a single number.
            (landing_seq::hugeint << 64) + ordinal as came
        from seen_transaction_version
    ),
    history as (
        select
            transaction_id,
            max(came) as came,
            arg_max_null(status, came) as status,
            arg_max_null(settled, came) as settled,
            arg_min_null(last_modified, came) filter(where settled) as settled_modified,
            bool_or(status = 'CAPTURE' and coalesce(approved, false)) as was_captured,
            min(greatest(created, coalesce(last_modified, observed_at))) filter(
                where status = 'VOID'
            ) as first_void_at,
            min(terminal_id) <> max(terminal_id) as is_moved
        from landed_version semi join multi_version_transaction using (transaction_id)
        group by transaction_id
    )
select
    transaction_id,
    (came >> 64)::bigint as landing_seq,
    (came & 18446744073709551615)::bigint as ordinal,
    case
        when was_captured and status = 'VOID' and not coalesce(settled, false) then first_void_at
    end as voided_at,
    -- The last modification in the first settled version: later changes do not move the transaction to another settlement. If
    -- the transaction lost the flag, this time shows which settlement lacks it.
    settled_modified,
    -- Its versions name more than one terminal.
    coalesce(is_moved, false) as is_moved
from history
