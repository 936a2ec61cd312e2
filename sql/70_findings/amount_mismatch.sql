-- finding  AMOUNT_MISMATCH
-- grain    one row per COMPLETE settlement whose reported net is not the sum of its transactions
-- reads    tieout
-- rule     R-04: difference = computed - reported; there is no tolerance, explained or not
-- silent   PENDING settlements (see PENDING_STALE, PENDING_DRIFT), and NO_DATA, which is not judged
select
    'settlement' as subject_type,
    settlement_id::varchar as subject_id,
    terminal_id, difference_cents as amount_cents,
    concat_ws(
        '; ',
        'reported ' || money(reported_cents) || ', computed ' || money(computed_cents),
        explanation,
        'transactions ' || explained_by,
        'could be ' || candidates,
        'unreadable there: ' || first_ten (unreadable)
    ) as detail,
    created as subject_created
from tieout
where verdict in ('EXPLAINED', 'BREAK')
