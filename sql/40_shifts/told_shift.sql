-- model    told_shift
-- grain    one row per transaction that was seen to turn settled late, and without which its settlement ties, or with which another does
-- reads    gap, pair_shift, first_boundary, candidate, late_member, learned_member, settlement_sequence
-- rule     R-28: of several settlements that come into question by what was seen, the one with whose net it agrees, and none that ties without it
-- silent   settlements that more than one such move would make tie, and those of which none cancels the whole difference
with
    off as (
        select
            gap.*,
            following.position as ends_at
        from
            gap
            inner join first_boundary as following on following.terminal_id = gap.terminal_id
            and following.ordinal = gap.ordinal + 1
        where
            gap.settlement_id not in (select earlier_id from pair_shift)
            and gap.settlement_id not in (select later_id from pair_shift)
    ),
    -- As it is, or, where no run supports the cut, at another place near the usual lag.
    cuts as (
        select
            settlement_id,
            position as cut_position,
            gap_cents
        from off
        union all
        select
            off.settlement_id,
            candidate.position,
            off.gap_cents + candidate.transactions_cents - off.running_cents
        from
            off
            inner join candidate on candidate.settlement_id = off.settlement_id
            and candidate.clock = off.clock
            and candidate.position > off.previous_position
            and candidate.position <= off.ends_at
            and candidate.position <> off.position
        where
            off.support < 2
            and greatest(0, candidate.lag_low_s - off.lag_s, off.lag_s - candidate.lag_high_s) <= 2 * off.spread_s
    ),
    held as (
        select
            off.settlement_id,
            off.terminal_id,
            off.ordinal,
            cuts.cut_position,
            -- By so much another cut moves what the next one is off by.
            cuts.gap_cents - off.gap_cents as moved_cents,
            late_member.transaction_id
        from
            off
            inner join cuts using (settlement_id)
            inner join late_member on late_member.clock = off.clock
            and late_member.terminal_id = off.terminal_id
            and late_member.position > off.previous_position
            and late_member.position <= cuts.cut_position
            and late_member.signed_cents = cuts.gap_cents
        qualify count(*) over (partition by off.settlement_id) = 1
    ),
    tries as (
        select
            settlement_id,
            count(*) as tries
        from cuts
        group by settlement_id
    ),
    -- Where the one that holds it is off by more, the net of another may still say that it is there: of the next one together with such a cut.
    lacking as (
        select
            late_member.transaction_id,
            off.settlement_id as from_settlement_id,
            cuts.cut_position as new_cut_position,
            lacks.settlement_id as to_settlement_id
        from
            off
            inner join cuts using (settlement_id)
            inner join tries using (settlement_id)
            inner join gap as lacks on lacks.terminal_id = off.terminal_id
            and lacks.settlement_id <> off.settlement_id
            and (
                cuts.cut_position = off.position
                or (lacks.ordinal = off.ordinal + 1 and tries.tries <= 50)
            )
            inner join late_member on late_member.clock = off.clock
            and late_member.terminal_id = off.terminal_id
            and late_member.signed_cents = cuts.gap_cents - off.gap_cents - lacks.gap_cents
            and off.previous_position < late_member.position
            and late_member.position <= cuts.cut_position
            inner join learned_member on learned_member.transaction_id = late_member.transaction_id
            and learned_member.settlement_id = lacks.settlement_id
        where
            off.settlement_id not in (select settlement_id from held)
            and lacks.settlement_id not in (select unnest([earlier_id, later_id]) from pair_shift)
        qualify
            count(*) over (partition by lacks.settlement_id) = 1
            and count(*) over (partition by cuts.settlement_id) = 1
    )
select
    held.transaction_id,
    held.settlement_id as from_settlement_id,
    held.cut_position as new_cut_position,
    arg_min(settlement_sequence.settlement_id, settlement_sequence.ordinal) as to_settlement_id,
    count(*) as options,
    false as is_tied_there
from
    held
    inner join learned_member using (transaction_id)
    inner join settlement_sequence on settlement_sequence.settlement_id = learned_member.settlement_id
    and settlement_sequence.terminal_id = held.terminal_id
    and settlement_sequence.ordinal > held.ordinal
    -- One that ties as it is would be off with it: as many would be wrong, for no reason to move anything.
    left join first_boundary as target on target.settlement_id = learned_member.settlement_id
where
    target.running_cents - target.previous_cents - target.sought_cents - case
        when target.ordinal = held.ordinal + 1 then held.moved_cents
        else 0
    end is distinct from 0
group by held.transaction_id, held.settlement_id, held.cut_position
union all
select
    transaction_id,
    from_settlement_id,
    new_cut_position,
    to_settlement_id,
    -- Only one side confirms it: it may be the other way.
    2,
    true
from lacking
