-- finding  ORPHAN_SETTLED, error
-- grain    one row per settled transaction whose terminal has no settlement at or after it
-- reads    settled_member, current_transaction, known_settlement, sweep_scope
-- rule     R-44: judged only where a sweep of settlements ended after the transaction was read
-- silent   what an id or an observation places in an earlier settlement
with
    orphan as (
        select
            settled_member.transaction_id,
            settled_member.terminal_id,
            settled_member.created,
            settled_member.signed_cents,
            current_transaction.observed_at
        from
            settled_member
            inner join current_transaction using (transaction_id)
        where settled_member.settlement_id is null
    ),
    last_settlement as (
        select
            terminal_id,
            max(created) as created
        from known_settlement
        group by terminal_id
    ),
    read_last as (
        select
            place.terminal_id,
            max(sweep.ended_at) as ended_at
        from
            (select distinct terminal_id from orphan) as place
            inner join sweep_scope as sweep on sweep.list = 'settlements'
            and coalesce(sweep.terminal_id = place.terminal_id, true)
        group by place.terminal_id
    )
select
    'transaction' as subject_type,
    orphan.transaction_id::varchar as subject_id,
    orphan.terminal_id,
    signed_cents as amount_cents,
    null::varchar as certainty,
    'settled, and ' || coalesce(
        'the last settlement of its terminal is of ' || instant(last_settlement.created),
        'its terminal has no settlement'
    ) as detail,
    orphan.created as subject_created
from
    orphan
    inner join read_last using (terminal_id)
    left join last_settlement using (terminal_id)
where
    read_last.ended_at > orphan.observed_at
    and coalesce(last_settlement.created < orphan.created, true)
