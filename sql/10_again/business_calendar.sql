-- model    business_calendar
-- grain    one row: the business dates of spans of 2^32 microseconds, some 72 minutes, one after the other; null where the date changes within the span, or no transaction is in it
-- reads    lake.seen.transaction_version
-- rule     R-12: the business date is that of the instant in the account's zone; asking the zone for each transaction is slow
-- silent   spans farther than nine years from the middle of all, such as those of a year that was mistyped
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
    middle as (
        select quantile_disc(span, 0.5) as span
        from spans
    ),
    edges as (
        select
            spans.span,
            local_time (make_timestamp(spans.span * 4294967296)) as begins_at,
            local_time (make_timestamp(spans.span * 4294967296 + 4294967295)) as ends_at
        from
            spans
            inner join middle on spans.span between middle.span - 65536 and middle.span + 65536
    ),
    days as (
        select
            span,
            case
                when ends_at - begins_at = to_microseconds(4294967295)
                and begins_at::date = ends_at::date then begins_at::date
            end as business_date
        from edges
    )
select
    min(span) as first_span,
    list(business_date order by span) as business_dates
from
    (select unnest(range(min(span), max(span) + 1)) as span from days)
    left join days using (span)
