-- model    difference_rival
-- grain    one row per TIED settlement that could have the difference of an untied one instead, and end of it that would move
-- reads    boundary, explained_net, offset_run, settlement_running_net
-- rule     R-09: with another cut-off between the two, the untied settlement ties and the tied one has the difference
-- silent   settlements whose members ids or observations decide
with
    -- Both offsets are equal if the difference lies in transactions that ids or observations place. Then no cut-off helps.
    untied_boundary as (
        select
            boundary.settlement_id, boundary.terminal_id, boundary.ordinal, boundary.clock,
            boundary.previous_position, boundary.position,
            boundary.running_cents - settlement_running_net.running_cents as end_offset_cents,
            boundary.previous_cents - settlement_running_net.running_cents + remaining_cents as begin_offset_cents
        from
            boundary
            inner join settlement_running_net using (settlement_id)
            inner join explained_net using (settlement_id)
        where
            explained_net.verdict in ('BREAK', 'EXPLAINED')
            and explained_net.is_open
            and end_offset_cents <> begin_offset_cents
    ),
    -- Cut-offs with which the untied settlement would tie, and the settlement that would have the difference instead.
    possible_cutoff as (
        select
            untied_boundary.settlement_id, untied_boundary.terminal_id, offset_run.position,
            offset_run.ordinal as changed_ordinal,
            'OTHER_END' as reason,
            untied_boundary.ordinal - offset_run.ordinal as settlements
        from
            untied_boundary
            inner join offset_run on offset_run.terminal_id = untied_boundary.terminal_id
            and offset_run.clock = untied_boundary.clock
            and offset_run.offset_cents = untied_boundary.end_offset_cents
            and offset_run.ordinal < untied_boundary.ordinal
            and offset_run.position <= untied_boundary.position
        union all
        select
            untied_boundary.settlement_id, untied_boundary.terminal_id, offset_run.position,
            offset_run.ordinal + 1,
            'OTHER_BEGINNING',
            offset_run.ordinal + 1 - untied_boundary.ordinal
        from
            untied_boundary
            inner join offset_run on offset_run.terminal_id = untied_boundary.terminal_id
            and offset_run.clock = untied_boundary.clock
            and offset_run.offset_cents = untied_boundary.begin_offset_cents
            and offset_run.ordinal >= untied_boundary.ordinal
            and offset_run.position >= untied_boundary.previous_position
    ),
    unbroken_cutoff as (
        from possible_cutoff
        qualify
            dense_rank () over (
                partition by settlement_id, reason
                order by settlements
            ) = settlements
    )
select distinct boundary.settlement_id, unbroken_cutoff.reason
from
    unbroken_cutoff
    inner join boundary on boundary.terminal_id = unbroken_cutoff.terminal_id
    and boundary.ordinal = unbroken_cutoff.changed_ordinal
    and case unbroken_cutoff.reason
        when 'OTHER_END' then unbroken_cutoff.position >= boundary.previous_position
        else unbroken_cutoff.position <= boundary.position
    end
    inner join explained_net on explained_net.settlement_id = boundary.settlement_id
    and explained_net.verdict = 'TIED'
