-- model    proven_absence
-- grain    one row per record (settlement or transaction) and time span in which certified sweeps should have listed it but did not
-- reads    ops_sweep, seen_presence, seen_settlement_version, seen_transaction_version, sweep_scope
-- rule     R-43: a CONTIGUOUS or SNAPSHOT sweep proves absence if it covers the record's place and began after the record was known
-- silent   records missed only by BEST_EFFORT sweeps; records that the same run found at another terminal; the list of terminals
with
    listing as (
        select
            list, subject_id, present, landing_seq as gone_seq,
            lead(landing_seq) over in_order as back_seq,
            lead(observed_at) over in_order as back_at,
            lead(sweep_id) over in_order as back_sweep_id
        from seen_presence
        where list in ('settlements', 'transactions')
        window
            in_order as (
                partition by list, subject_id
                order by landing_seq
            )
    ),
    -- A row of presence is written only when a record disappears or comes back. The sweep that proves the absence may
    -- therefore follow the first sweep that missed the record.
    absence_interval as (
        select list, subject_id, gone_seq, back_seq, back_at, back_sweep_id
        from listing
        where not present
    ),
    version as (
        select
            'settlements' as list,
            settlement_id as subject_id, terminal_id, created, landing_seq, ordinal
        from seen_settlement_version
        where settlement_id in (select subject_id from absence_interval where list = 'settlements')
        union all
        select 'transactions', transaction_id, terminal_id, created, landing_seq, ordinal
        from seen_transaction_version
        where
            transaction_id in (select subject_id from absence_interval where list = 'transactions')
    ),
    record as (
        select
            list, subject_id, gone_seq,
            arg_max(terminal_id, (landing_seq, ordinal)) filter(
                where landing_seq <= gone_seq
            ) as terminal_id,
            arg_max(terminal_id, (landing_seq, ordinal)) filter(
                where landing_seq <= back_seq
            ) as back_terminal_id,
            min(created) as created,
            min(landing_seq) as known_seq
        from absence_interval inner join version using (list, subject_id)
        group by list, subject_id, gone_seq
    ),
    proof as (
        select list, run_id, terminal_id, covers_from, started_seq, ended_at, landing_seq
        from sweep_scope
        where certificate in ('SNAPSHOT', 'CONTIGUOUS')
    )
select
    absence_interval.list, absence_interval.subject_id,
    min(proof.ended_at) as absent_at,
    min(proof.landing_seq) as absent_seq,
    absence_interval.back_at
from
    absence_interval
    inner join record using (list, subject_id, gone_seq)
    left join ops_sweep as back on back.sweep_id = absence_interval.back_sweep_id
    inner join proof on proof.list = absence_interval.list
    -- A sweep that began before the record was missed may have listed it.
    and (
        proof.landing_seq = absence_interval.gone_seq
        or proof.started_seq >= absence_interval.gone_seq
    )
    and proof.landing_seq < coalesce(absence_interval.back_seq, proof.landing_seq + 1)
    and proof.started_seq >= record.known_seq
    and record.created > coalesce(proof.covers_from, record.created - interval 1 second)
    and record.terminal_id = coalesce(proof.terminal_id, record.terminal_id)
where
    -- A record that the same run lists for another terminal has moved there. Such a record was not absent.
    coalesce(record.back_terminal_id = record.terminal_id or proof.run_id <> back.run_id, true)
group by
    absence_interval.list, absence_interval.subject_id, absence_interval.gone_seq,
    absence_interval.back_at
