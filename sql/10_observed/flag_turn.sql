-- model    flag_turn
-- grain    one row per settled transaction with several versions, with its first settled version and the version before
-- reads    multi_version_transaction, seen_transaction_version
-- rule     R-05: a transaction seen unsettled, then settled, belongs to a settlement whose event lies between
-- silent   spans longer than eight days, which say little; transactions whose flag was removed and set again, or whose terminal changed since
-- size     transactions, wide
-- drop     after its last reader
with
    version as (
        select
            transaction_id, terminal_id, action, total_cents, created,
            coalesce(settled, false) as settled,
            observed_at, landing_seq, sweep_id,
            lag(coalesce(settled, false)) over (in_order) as was_settled,
            lag(observed_at) over (in_order) as seen_before_at,
            lag(landing_seq) over (in_order) as seen_before_seq,
            lag(sweep_id) over (in_order) as seen_before_sweep_id,
            max(
                case
                    when not coalesce(settled, false)
                    and (status <> 'CAPTURE' or not coalesce(approved, false)) then observed_at
                end
            ) over (in_order) as uncaptured_at,
            lead(landing_seq) over (in_order) is null as is_newest,
            count(*) filter(where not coalesce(settled, false)) over (in_order) as times_unsettled
        from seen_transaction_version
        where
            explicit_settlement_id is null
            and transaction_id in (select transaction_id from multi_version_transaction)
        window
            in_order as (
                partition by transaction_id
                order by landing_seq, ordinal
            )
    ),
    settled_at_last as (
        select transaction_id, terminal_id
        from version
        where is_newest and settled
    ),
    flag_turn as (
        select *, count(*) over (partition by transaction_id) as turns
        from version
        where settled and coalesce(not was_settled, true)
    )
    -- A flag that was removed and set again may concern two settlements: arithmetic decides between them. After a change of
    -- the terminal, the observation points to settlements of the old terminal.
select *
from flag_turn semi join settled_at_last using (transaction_id, terminal_id)
where
    turns = 1
    and greatest(created, coalesce(seen_before_at, created)) > observed_at - flag_span ()
