-- model    pending_cutoff
-- grain    one row per settlement still PENDING: where it ends among what is not settled, and whether settled members, or these, come to its net
-- reads    boundary, chosen_clock, current_settlement, current_transaction, enum_value, settled_member, unplaced_capture, unsettled_capture, usual_lag
-- rule     R-11: members of a PENDING settlement may carry the settled flag or not; the nets tell which
-- silent   places of settlements that nothing unsettled reaches
with
    lags as (
        select
            settlement_id,
            lag_s
        from
            current_settlement
            inner join chosen_clock using (terminal_id)
            inner join usual_lag using (clock, settlement_id)
    ),
    -- The last transaction of settlements that have no boundary, as ids and what was seen have placed all of their terminal.
    placed_end as (
        select
            settlement_id,
            max(created) as last_at
        from
            settled_member
            semi join (
                from
                    current_settlement
                    anti join boundary using (settlement_id)
                where status = 'COMPLETE'
            ) as unbounded using (settlement_id)
        group by settlement_id
    ),
    settlements as (
        select
            current_settlement.*,
            current_settlement.created - to_microseconds((coalesce(lags.lag_s, 0) * 1000000)::bigint) as expected_at,
            last_value(
                case
                    when current_settlement.status = 'COMPLETE' then coalesce(boundary.cut_instant, placed_end.last_at)
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
            left join placed_end using (settlement_id)
            left join lags on lags.settlement_id = current_settlement.settlement_id
    ),
    -- What its transactions name need not be looked for.
    named as (
        select
            named_id as settlement_id,
            sum(signed_cents)::bigint as named_cents
        from unsettled_capture
        where named_id is not null
        group by named_id
    ),
    -- Neighbouring PENDING settlements run on from the last COMPLETE one before them.
    pending as (
        select
            settlements.*,
            (
                sum(reported_cents - coalesce(named_cents, 0)) over (
                    partition by terminal_id, stretch
                    order by ordinal rows unbounded preceding
                )
            )::bigint as sought_cents
        from
            settlements
            left join named using (settlement_id)
        where status <> 'COMPLETE'
    ),
    based as (
        select
            pending.*,
            coalesce(base.position, 0) as base_position,
            coalesce(base.running_cents, 0) as base_cents
        from
            pending
            asof left join unplaced_capture as base on base.terminal_id = pending.terminal_id
            and base.clock_at <= coalesce(pending.base_at, timestamp '0001-01-01')
    ),
    candidates as (
        select
            based.settlement_id,
            based.terminal_id,
            based.ordinal,
            based.base_position,
            unplaced_capture.position,
            unplaced_capture.running_cents - based.base_cents = based.sought_cents as is_exact,
            abs(epoch(unplaced_capture.clock_at) - epoch(based.expected_at)) as deviation_s,
            unplaced_capture.clock_at <= based.expected_at as is_expected
        from
            based
            inner join unplaced_capture on unplaced_capture.terminal_id = based.terminal_id
            and unplaced_capture.position > based.base_position
            and unplaced_capture.clock_at <= based.created + clock_skew ()
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
            and current_transaction.status = 'CAPTURE'::enum_value
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
    )
select
    evidence.settlement_id,
    spans.terminal_id,
    spans.ordinal,
    spans.after_position,
    spans.position,
    evidence.settled_ties,
    evidence.unsettled_ties,
    not settled_ties
    and coalesce(spans.position > spans.after_position, false) as may_hold
from
    evidence
    left join spans using (settlement_id)
