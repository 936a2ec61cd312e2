-- model    first_sighting
-- grain    one row per audited record: the landing that listed it first, readable or not
-- reads    audited_record, seen_quarantine, seen_settlement_version, seen_transaction_version
-- rule     R-56: what was listed before but could not be read was not missed
-- silent   records that no whole sweep landed
with
    sighting as (
        select 'settlements' as list, settlement_id as subject_id, landing_seq
        from seen_settlement_version
        where settlement_id in (select subject_id from audited_record where list = 'settlements')
        union all
        select 'transactions', transaction_id, landing_seq
        from seen_transaction_version
        where transaction_id in (select subject_id from audited_record where list = 'transactions')
        union all
        select list, try_cast(subject_id as bigint), landing_seq
        from seen_quarantine
        where try_cast(subject_id as bigint) in (select subject_id from audited_record)
    )
select list, subject_id, min(landing_seq) as landing_seq
from sighting
group by list, subject_id
