-- model    unlisted_transaction
-- grain    one row per transaction that the newest sweep to cover it did not list
-- reads    lake.seen.presence
-- rule     R-48: whatever the sweep's certificate, it did not meet the transaction
-- silent   what landed after known_at
select subject_id as transaction_id
from lake.seen.presence
where
    account = getvariable('account')
    and list = 'transactions'
    and landing_seq <= getvariable('known_at')
group by subject_id
having not arg_max(present, landing_seq)
