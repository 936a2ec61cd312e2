-- model    current_terminal
-- grain    one row per terminal that the service lists: its newest observed version
-- reads    lake.seen.terminal_version
-- rule     R-02: what is known is what had landed by known_at
-- silent   terminals that only transactions name
with
    known as (
        select
            *,
            row_number() over (
                partition by terminal_id
                order by landing_seq desc, ordinal desc
            ) as age,
            min(observed_at) over (partition by terminal_id) as first_seen
        from lake.seen.terminal_version
        where
            account = getvariable('account')
            and landing_seq <= getvariable('known_at')
    )
select
    terminal_id,
    nick_name,
    type,
    enabled,
    account_uuid,
    company_dba,
    merchant_number,
    surcharge_enabled,
    surcharge_percentage,
    acceptance,
    first_seen
from known
where age = 1
