-- model    transaction_in_range
-- grain    one row per transaction of the terminal that happened in one of the ranges, by created or by the clock of the settlement
-- reads    explained_time_range, lake.seen.transaction_version
-- rule     R-62: two clocks
-- silent   nothing
-- each     explained_time_range
select transaction_id
from lake.seen.transaction_version
where
    account = getvariable('account')
    and landing_seq <= getvariable('known_at')
    and terminal_id = getvariable('explained_terminal')
    and created between getvariable('begins_at') and getvariable('ends_at')
union
select transaction_id
from lake.seen.transaction_version
where
    account = getvariable('account')
    and landing_seq <= getvariable('known_at')
    and terminal_id = getvariable('explained_terminal')
    and getvariable('is_by_modified')
    and last_modified between getvariable('begins_at') and getvariable('ends_at')
