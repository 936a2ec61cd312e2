-- finding  ORPHAN_SETTLED, error
-- grain    one row per settled transaction whose terminal has no settlement at or after it
-- reads    current_transaction, known_settlement, attribution, sweep
-- rule     R-44: judged only where a sweep of settlements ended after the transaction was read
-- silent   what an id or an observation places in an earlier settlement
with
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
            (select distinct terminal_id from current_transaction) as place
            inner join sweep on sweep.list = 'settlements'
            and coalesce(sweep.terminal_id = place.terminal_id, true)
        group by place.terminal_id
    )
select
    'transaction' as subject_type,
    current_transaction.transaction_id::varchar as subject_id,
    current_transaction.terminal_id,
    signed_cents as amount_cents,
    null::varchar as certainty,
    'settled, and ' || coalesce(
        'the last settlement of its terminal is of ' || instant(last_settlement.created),
        'its terminal has no settlement'
    ) as detail,
    current_transaction.created as subject_created
from
    current_transaction
    inner join read_last using (terminal_id)
    left join last_settlement using (terminal_id)
where
    settled
    and read_last.ended_at > current_transaction.last_observed_at
    and coalesce(last_settlement.created < current_transaction.created, true)
    and transaction_id not in (select transaction_id from attribution)
