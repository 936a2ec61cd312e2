-- model    clocked_transaction
-- grain    one row per clock, terminal and settled transaction that neither a person, an id nor an observation places, in time order
-- reads    current_transaction, current_settlement, observed_member, manual_member
-- rule     R-08: a terminal's transactions are ordered under each clock, created and last modified
-- silent   the second clock of a terminal on which it never differs from the first
with
    settled as (
        select
            transaction_id,
            terminal_id,
            signed_cents,
            created,
            coalesce(last_modified, created) as modified
        from current_transaction
        where
            settled
            and (
                explicit_settlement_id is null
                or explicit_settlement_id not in (select settlement_id from current_settlement)
            )
            and transaction_id not in (select transaction_id from observed_member)
            and transaction_id not in (select transaction_id from manual_member)
    ),
    moving as (
        select terminal_id
        from settled
        group by terminal_id
        having bool_or(modified <> created)
    ),
    clocked as (
        select
            'created' as clock,
            terminal_id,
            transaction_id,
            signed_cents,
            created as clock_at,
            created
        from settled
        union all
        select
            'modified',
            terminal_id,
            transaction_id,
            signed_cents,
            modified,
            created
        from settled
        where terminal_id in (select terminal_id from moving)
    )
select
    clock,
    terminal_id,
    transaction_id,
    clock_at,
    row_number() over (in_time) as position,
    lead(clock_at) over (in_time) as next_at,
    (sum(signed_cents) over (in_time rows unbounded preceding))::bigint as running_cents,
    signed_cents
from clocked
window
    in_time as (
        partition by clock, terminal_id
        order by clock_at, created, transaction_id
    )
