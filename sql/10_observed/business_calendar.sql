-- model    business_calendar
-- grain    one row: the time of the first transaction, and the least and the greatest UTC offset of the account's time zone since then
-- reads    seen_transaction_version
-- rule     R-03: the business date is that of the instant in the account's zone; asking the zone for each transaction is slow
-- silent   offsets more than nine years from the middle of all transactions, such as those of a mistyped year
with
    -- A bit shift finds the 72 minutes in which an instant lies. A division by an hour takes several times as long.
    half_year as (
        select epoch_us(created) >> 32 as span, min(created) as first_created
        from seen_transaction_version
        group by span
    ),
    middle as (
        select quantile_disc(span, 0.5) as span
        from half_year
    ),
    year_edge as (
        select
            unnest([half_year.span * 4294967296, half_year.span * 4294967296 + 4294967295]) as at_us
        from
            half_year
            inner join middle on half_year.span between middle.span - 65536 and middle.span + 65536
    ),
    offsets as (
        select at_us, epoch_us(local_time (make_timestamp(at_us))) - at_us as offset_us
        from year_edge
    )
select
    (select min(first_created) from half_year) as first_created,
    make_timestamp(min(at_us)) as known_from,
    make_timestamp(max(at_us)) as known_until,
    min(offset_us) as least_offset_us,
    max(offset_us) as greatest_offset_us
from offsets
