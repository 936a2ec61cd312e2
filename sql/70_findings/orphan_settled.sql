-- finding  ORPHAN_SETTLED
-- grain    one row per settled transaction whose terminal has no settlement at or after it
-- reads    chosen_clock, current_transaction, earliest_settled_time, known_settlement, recently_landed_transaction, settled_member, sweep_scope
-- rule     R-44: judged only where a sweep of settlements ended after the transaction had landed; R-08: the terminal's clock gives the time
-- silent   transactions that an id or an observation places in an earlier settlement
with
    orphan as (
        select
            settled_member.transaction_id, settled_member.terminal_id, settled_member.created,
            settled_member.signed_cents,
            clock_time (
                chosen_clock.clock, settled_member.created, current_transaction.last_modified,
                earliest_settled_time.after_at
            ) as clock_at
        from
            settled_member
            anti join recently_landed_transaction using (transaction_id)
            inner join current_transaction using (transaction_id)
            left join chosen_clock on chosen_clock.terminal_id = settled_member.terminal_id
            left join earliest_settled_time on earliest_settled_time.transaction_id = settled_member.transaction_id
        where settled_member.settlement_id is null
    ),
    last_settlement as (
        select terminal_id, max(created) as created
        from known_settlement
        group by terminal_id
    ),
    swept_terminal as (
        select distinct orphan_terminal.terminal_id
        from
            (select distinct terminal_id from orphan) as orphan_terminal
            inner join sweep_scope as sweep on sweep.list = 'settlements'
            and coalesce(sweep.terminal_id = orphan_terminal.terminal_id, true)
    )
select
    'transaction' as subject_type,
    orphan.transaction_id::varchar as subject_id,
    orphan.terminal_id, signed_cents as amount_cents,
    'settled, and ' || coalesce(
        'the last settlement of its terminal is of ' || instant(last_settlement.created),
        'its terminal has no settlement'
    ) as detail,
    orphan.created as subject_created
from
    orphan
    semi join swept_terminal using (terminal_id)
    left join last_settlement using (terminal_id)
where coalesce(last_settlement.created < orphan.clock_at, true)
