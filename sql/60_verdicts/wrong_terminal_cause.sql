-- model    wrong_terminal_cause
-- grain    one row per settlement whose difference is opposite to that of another terminal's settlement, if one member accounts for both
-- reads    attribution, current_transaction, single_cause, unexplained_settlement
-- rule     R-29: WRONG_TERMINAL, between settlements created within three days; both sides are explained, or neither
-- silent   pairs without a member of that amount
with
    cancelling_pair as (
        select
            holder.settlement_id as holder_id, other.settlement_id as other_id,
            member.transaction_id
        from
            unexplained_settlement as holder
            inner join unexplained_settlement as other on other.difference_cents = - holder.difference_cents
            and other.terminal_id <> holder.terminal_id
            and other.created between holder.created - cause_distance () and holder.created + cause_distance ()
            inner join attribution on attribution.settlement_id = holder.settlement_id
            inner join current_transaction as member on member.transaction_id = attribution.transaction_id
            and member.signed_cents = holder.difference_cents
    ),
    -- The chance that another terminal's difference fits by coincidence. member_chance is that of a member's amount.
    difference_chance as (
        select holder.settlement_id, close_chance (count(distinct other.difference_cents)) as chance
        from
            unexplained_settlement as holder
            semi join cancelling_pair on cancelling_pair.holder_id = holder.settlement_id
            inner join unexplained_settlement as other on other.terminal_id <> holder.terminal_id
            and other.created between holder.created - cause_distance () and holder.created + cause_distance ()
            and is_close (other.difference_cents + holder.difference_cents)
            and other.difference_cents <> - holder.difference_cents
        group by holder.settlement_id
    ),
    member_chance as (
        select
            holder.settlement_id,
            close_chance (count(distinct single_cause.effect_cents)) as chance
        from
            unexplained_settlement as holder
            semi join cancelling_pair on cancelling_pair.holder_id = holder.settlement_id
            inner join single_cause on single_cause.settlement_id = holder.settlement_id
            and single_cause.code = 'EXTRA_TRANSACTION'
            and is_close (single_cause.effect_cents - holder.difference_cents)
            and single_cause.effect_cents <> holder.difference_cents
        group by holder.settlement_id
    ),
    side as (
        select
            unnest([holder_id, other_id]) as settlement_id,
            unnest([other_id, holder_id]) as other_id,
            transaction_id,
            coalesce(difference_chance.chance * member_chance.chance, 0) as chance
        from
            cancelling_pair
            left join difference_chance on difference_chance.settlement_id = cancelling_pair.holder_id
            left join member_chance on member_chance.settlement_id = cancelling_pair.holder_id
    ),
    count_by_settlement as (
        select
            settlement_id,
            count(*) as sets,
            min(other_id) as other_id,
            min(transaction_id)::varchar as blamed,
            max(chance) as chance,
            list(
                'WRONG_TERMINAL ' || transaction_id || ' with ' || other_id
                order by transaction_id, other_id
            ) as candidates
        from side
        group by settlement_id
    )
select
    one.settlement_id, one.sets, one.blamed, one.candidates,
    one.sets = 1
    and other.sets = 1
    and is_rare (one.chance) as is_claimed
from
    count_by_settlement as one
    inner join count_by_settlement as other on other.settlement_id = one.other_id
