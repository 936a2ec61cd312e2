-- model    repeated_transaction
-- grain    one row per transaction that was observed in more than one version
-- reads    lake.seen.transaction_version
-- rule     R-01: only these need their versions compared; in a history that was read once they are few
-- silent   versions that landed after known_at
with
    -- Ids of one block of 32 are bits of one number: a block of more rows than bits holds a repetition.
    crowded as (
        select transaction_id >> 5 as block
        from lake.seen.transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
        group by block
        having count(*) > bit_count(bit_or(1::bigint << (transaction_id & 31)))
    )
select transaction_id
from lake.seen.transaction_version
where
    account = getvariable('account')
    and landing_seq <= getvariable('known_at')
    and transaction_id >> 5 in (select block from crowded)
group by transaction_id
having count(*) > 1
