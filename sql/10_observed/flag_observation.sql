-- model    flag_observation
-- grain    one row per settled transaction, with the landings between which it became settled; their instants are for people and files
-- reads    flag_turn, imported_file, multi_version_transaction, seen_transaction_version, sweep, sweep_scope
-- rule     R-05: a transaction seen unsettled, then settled, belongs to a settlement whose event lies between
-- silent   spans longer than eight days, which say little, such as history read in one pass; transactions whose flag was removed and set again
-- size     transactions, wide
with
    -- A sweep between the two versions that found no new version saw the transaction still unsettled.
    confirmation as (
        select
            flag_turn.transaction_id,
            max(sweep.started_at) as confirmed_at,
            max(sweep.started_seq) as confirmed_seq
        from
            flag_turn
            inner join sweep_scope as sweep on sweep.list = 'transactions'
            and sweep.certificate in ('SNAPSHOT', 'CONTIGUOUS')
            and sweep.landing_seq < flag_turn.landing_seq
            and sweep.sweep_id <> flag_turn.sweep_id
            and sweep.started_seq >= flag_turn.seen_before_seq
            and coalesce(sweep.covers_from < flag_turn.created, true)
            and coalesce(sweep.terminal_id = flag_turn.terminal_id, true)
        where flag_turn.times_unsettled > 0
        group by flag_turn.transaction_id
    ),
    observation as (
        select
            flag_turn.transaction_id, flag_turn.terminal_id, flag_turn.action,
            flag_turn.total_cents, flag_turn.created,
            greatest(flag_turn.created, flag_turn.seen_before_at, confirmation.confirmed_at) as unsettled_at,
            flag_turn.observed_at as settled_at,
            -- The flag was set after this landing: the last one before the start of the sweep that saw the transaction unsettled.
            coalesce(greatest(seen_before.started_seq, confirmation.confirmed_seq), -1) as unsettled_seq,
            flag_turn.landing_seq as settled_seq, flag_turn.sweep_id,
            flag_turn.seen_before_sweep_id,
            -- The last time at which a version showed the transaction before it was an approved capture.
            flag_turn.uncaptured_at
        from
            flag_turn
            left join confirmation using (transaction_id)
            left join sweep as seen_before on seen_before.sweep_id = flag_turn.seen_before_sweep_id
        union all
        -- A transaction that was new and settled when first seen became settled after its creation.
        select
            transaction_id, terminal_id, action, total_cents, created, created, observed_at,
            -1,
            landing_seq, sweep_id, null, null
        from seen_transaction_version anti join multi_version_transaction using (transaction_id)
        where
            explicit_settlement_id is null
            and settled
            -- DuckDB compares numbers faster than times.
            and epoch_us(observed_at) - epoch_us(created) < epoch_us(flag_span ())
    )
select
    transaction_id, terminal_id,
    signed_amount (action, total_cents) as signed_cents,
    created, unsettled_at, settled_at, unsettled_seq, settled_seq,
    -- An imported file shows records as they were before its landing.
    sweep_id in (select sweep_id from imported_file)
    or coalesce(seen_before_sweep_id in (select sweep_id from imported_file), false) as is_imported,
    uncaptured_at
from observation
