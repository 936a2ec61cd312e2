-- model    explained_certificate_reason
-- grain    one row per reason why the certificate of the settlement is AMBIGUOUS, and other settlement that the reason names
-- reads    certificate_reason
-- rule     R-09: the certificates
-- silent   nothing
select
    reason,
    coalesce(other_id::varchar, '') as "otherSettlement",
    coalesce(transaction_ids, '') as transactions
from certificate_reason
where settlement_id = getvariable('explained_id')
order by reason, other_id
