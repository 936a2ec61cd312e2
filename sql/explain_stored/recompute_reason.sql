-- model    recompute_reason
-- grain    one row: why the stored run can't answer; null if it can
-- reads    attribution, boundary, current_transaction, explained_evidence, explained_time_range, known_settlement, later_settlement, manual_member, member_time_range, stored_evidence, tieout, transaction_history
-- rule     R-07: the settlements and transactions beside it must be those of the run
-- silent   nothing
with
    terminal_settlement as (
        select known_settlement.*, stored_evidence.settlement_id is not null as is_stored
        from known_settlement left join stored_evidence using (settlement_id)
        where terminal_id = getvariable('explained_terminal')
    ),
    unattributed as (
        select current_transaction.*
        from
            current_transaction
            anti join attribution using (transaction_id)
            inner join member_time_range on current_transaction.created between begins_at and ends_at
        where
            terminal_id = getvariable('explained_terminal')
            and transaction_id not in (
                select transaction_id
                from manual_member
                where settlement_id is null
            )
    )
select
    case
        when not exists (
            from explained_evidence
        ) then 'run ' || getvariable('stored_run') || ' has no evidence of it'
        when exists (
            from
                terminal_settlement
                semi join explained_time_range on created between begins_at and ends_at
            where not is_stored
        )
        or exists (
            from
                terminal_settlement
                inner join known_settlement as later on later.terminal_id = terminal_settlement.terminal_id
                and later.ordinal = terminal_settlement.ordinal + 1
                inner join explained_evidence as here on here.settlement_id = later.settlement_id
                and here.clock is not null
            where not is_stored
        ) then 'a settlement beside it is not in run ' || getvariable('stored_run')
        when exists (
            from terminal_settlement
            where not is_stored and created >= getvariable('window_to')
        )
        and exists (from explained_evidence where clock is not null)
        and not exists (
            from later_settlement
            where cut_at >= latest_at
        ) then 'a settlement after it is not in run ' || getvariable('stored_run')
        when exists (from unattributed where settled)
        or exists (
            -- A PENDING settlement holds only transactions from before its creation.
            from
                unattributed
                inner join terminal_settlement as pending on pending.status <> 'COMPLETE'
                and pending.created >= least(unattributed.created, unattributed.last_modified)
                and (
                    not is_stored
                    or unattributed.created >= getvariable('window_to') + neighbour_distance ()
                )
            where approved and unattributed.status = 'CAPTURE' and action in ('CHARGE', 'REFUND')
        ) then 'a transaction beside it may be in a settlement that is not in run ' || getvariable('stored_run')
        when exists (
            from transaction_history
            where is_moved
        ) then 'a transaction was seen on two terminals'
        when exists (from boundary where is_lost)
        or exists (
            from tieout
            where
                settlement_id = getvariable('explained_id')
                and computed_cents <> (
                    select coalesce(sum(signed_cents), 0)
                    from attribution inner join current_transaction using (transaction_id)
                    where settlement_id = getvariable('explained_id')
                )
        ) then 'its transactions tell otherwise'
    end as reason
