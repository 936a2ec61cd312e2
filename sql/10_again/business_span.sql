-- model    business_span
-- grain    one row per span of 2^32 microseconds, some 72 minutes, with a transaction: its business date, null where that changes within the span
-- reads    lake.seen.transaction_version
-- rule     R-12: the business date is that of the instant in the account's zone; asking the zone for each transaction is slow
-- silent   spans without a transaction
with
    -- A shift tells the span of an instant, which takes a fraction of the time of a division by an hour.
    spans as (
        select distinct
            epoch_us(created) >> 32 as span
        from lake.seen.transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
    ),
    edges as (
        select
            span,
            local_time (make_timestamp(span * 4294967296)) as begins_at,
            local_time (make_timestamp(span * 4294967296 + 4294967295)) as ends_at
        from spans
    )
select
    span,
    case
        when ends_at - begins_at = to_microseconds(4294967295)
        and begins_at::date = ends_at::date then begins_at::date
    end as business_date
from edges
