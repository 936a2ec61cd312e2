-- model    pending_member
-- grain    one row per approved, captured, not yet settled transaction that a settlement still PENDING seems to hold
-- reads    boundary, chosen_clock, current_settlement, current_transaction, settled_member, usual_lag
-- rule     R-11: members of a PENDING settlement may carry the settled flag or not; the data tell which
-- silent   transactions that no PENDING settlement reaches
with
    unsettled as (
        select
            current_transaction.transaction_id,
            current_transaction.terminal_id,
            action,
            created,
            signed_cents,
            clock_time (chosen_clock.clock, created, last_modified, null) as clock_at
        from
            current_transaction
            left join chosen_clock using (terminal_id)
        where
            approved
            and not settled
            and status = 'CAPTURE'
            and action in ('CHARGE', 'REFUND')
    ),
    ordered as (
        select
            *,
            row_number() over (in_time) as position,
            (sum(signed_cents) over (in_time rows unbounded preceding))::bigint as running_cents
        from unsettled
        window
            in_time as (
                partition by terminal_id
                order by clock_at, transaction_id
            )
    ),
    lags as (
        select
            chosen_clock.terminal_id,
            usual_lag.lag_s
        from
            chosen_clock
            inner join usual_lag on usual_lag.terminal_id = chosen_clock.terminal_id
            and usual_lag.clock = chosen_clock.clock
    ),
    settlements as (
        select
            current_settlement.*,
            current_settlement.created - to_microseconds((coalesce(lags.lag_s, 0) * 1000000)::bigint) as expected_at,
            last_value(
                case
                    when current_settlement.status = 'COMPLETE' then boundary.cut_instant
                end ignore nulls
            ) over (
                partition by current_settlement.terminal_id
                order by current_settlement.ordinal rows between unbounded preceding and 1 preceding
            ) as base_at,
            count(*) filter(where current_settlement.status = 'COMPLETE') over (
                partition by current_settlement.terminal_id
                order by current_settlement.ordinal rows unbounded preceding
            ) as stretch
        from
            current_settlement
            left join boundary using (settlement_id)
            left join lags on lags.terminal_id = current_settlement.terminal_id
    ),
    -- Neighbouring PENDING settlements run on from the last COMPLETE one before them.
    pending as (
        select
            *,
            (
                sum(reported_cents) over (
                    partition by terminal_id, stretch
                    order by ordinal rows unbounded preceding
                )
            )::bigint as sought_cents
        from settlements
        where status <> 'COMPLETE'
    ),
    based as (
        select
            pending.*,
            coalesce(base.position, 0) as base_position,
            coalesce(base.running_cents, 0) as base_cents
        from
            pending
            asof left join ordered as base on base.terminal_id = pending.terminal_id
            and base.clock_at <= coalesce(pending.base_at, timestamp '0001-01-01')
    ),
    candidates as (
        select
            based.settlement_id,
            based.terminal_id,
            based.ordinal,
            based.base_position,
            ordered.position,
            ordered.running_cents - based.base_cents = based.sought_cents as is_exact,
            abs(epoch(ordered.clock_at) - epoch(based.expected_at)) as deviation_s,
            ordered.clock_at <= based.expected_at as is_expected
        from
            based
            inner join ordered on ordered.terminal_id = based.terminal_id
            and ordered.position > based.base_position
            and ordered.clock_at <= based.created
    ),
    ends as (
        select *
        from candidates
        where
            is_exact
            or is_expected
        qualify
            row_number() over (
                partition by settlement_id
                order by is_exact desc, deviation_s, position
            ) = 1
    ),
    spans as (
        select
            *,
            greatest(
                base_position,
                coalesce(
                    lag(position) over (partition by terminal_id, base_position order by ordinal),
                    base_position
                )
            ) as after_position
        from ends
    ),
    by_flag as (
        select
            settled_member.settlement_id,
            sum(current_transaction.signed_cents)::bigint as settled_cents
        from
            settled_member
            semi join pending using (settlement_id)
            inner join current_transaction using (transaction_id)
        where
            current_transaction.approved
            and current_transaction.status = 'CAPTURE'
        group by settled_member.settlement_id
    ),
    evidence as (
        select
            pending.settlement_id,
            coalesce(settled_cents = reported_cents, false) as settled_ties,
            coalesce(spans.is_exact, false) as unsettled_ties
        from
            pending
            left join by_flag using (settlement_id)
            left join spans using (settlement_id)
    ),
    learned as (
        select
            count(*) filter(where unsettled_ties) > count(*) filter(
                where settled_ties
            ) as flag_comes_later
        from evidence
    ),
    taken as (
        select spans.*
        from
            spans
            inner join evidence using (settlement_id)
            cross join learned
        where
            not settled_ties
            and (flag_comes_later or unsettled_ties)
            and spans.position > spans.after_position
    )
select
    ordered.transaction_id,
    taken.settlement_id,
    ordered.terminal_id,
    method_word ('ALIGNED') as method,
    ordered.action,
    ordered.created,
    ordered.signed_cents
from
    taken
    inner join ordered on ordered.terminal_id = taken.terminal_id
    and ordered.position > taken.after_position
    and ordered.position <= taken.position
qualify row_number() over (partition by ordered.transaction_id order by taken.ordinal) = 1
