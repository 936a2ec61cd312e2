-- model    business_hour
-- grain    one row per hour with a transaction: its business date, null where that changes within the hour
-- reads    lake.seen.transaction_version
-- rule     R-12: the business date is that of the instant in the account's zone; asking the zone for each transaction is slow
-- silent   hours without a transaction
with
    hours as (
        select distinct
            epoch_us(created) // 3600000000 as hour
        from lake.seen.transaction_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
    ),
    spans as (
        select
            hour,
            local_time (make_timestamp(hour * 3600000000)) as begins_at,
            local_time (make_timestamp(hour * 3600000000 + 3599999999)) as ends_at
        from hours
    )
select
    hour,
    case
        when ends_at - begins_at = to_microseconds(3599999999)
        and begins_at::date = ends_at::date then begins_at::date
    end as business_date
from spans
