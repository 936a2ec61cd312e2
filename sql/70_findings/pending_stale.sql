-- finding  PENDING_STALE
-- grain    one row per settlement that has been PENDING for too long
-- reads    tieout
-- rule     R-12: more than pending_stale_days calendar days after its created, judged at as_of
-- silent   settlements at the threshold exactly
select
    'settlement' as subject_type,
    settlement_id::varchar as subject_id,
    terminal_id, reported_cents as amount_cents,
    'PENDING for ' || (getvariable('as_of_date') - business_date)::varchar || ' days' as detail,
    created as subject_created
from tieout
where
    verdict = 'PENDING'
    and getvariable('as_of_date') - business_date > getvariable('pending_stale_days')
