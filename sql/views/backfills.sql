-- view     backfills
-- of       records
-- grain    one row per event of a backfill
-- silent   its readings (sweeps) and its chunks (runs), whose run ids begin with its id
select
    account as "account", -- name: short name of the account
    backfill_id as "backfillId", -- name: id of the backfill, of which the run ids of its sweeps and chunks are made
    event as "event", -- word: BEGUN, PAUSED, RESUMED, SLOWED, FAILED, CANCELLED or DONE
    window_from as "rangeFrom", -- date: first business date of the range
    window_to as "rangeTo", -- date: business date after the last of the range
    actor as "actor", -- text: who requested, paused, resumed, slowed or cancelled it; empty if no person was named
    reason as "reason", -- text: why it was requested
    code_version as "codeVersion", -- hash: version of the code
    detail as "detail", -- json: counts that were reached, or the code of a failure
    occurred_at as "occurredAt" -- instant: when it happened
from lake.ops.backfill_event
