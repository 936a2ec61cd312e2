-- view     backfills
-- of       records
-- grain    one row per event of a backfill
-- silent   its readings (sweeps) and its chunks (runs), whose run ids begin with its id
-- column   account, name: short name of the account
-- column   backfillId, name: id of the backfill, of which the run ids of its sweeps and chunks are made
-- column   event, word: BEGUN, PAUSED, RESUMED, SLOWED, FAILED, CANCELLED or DONE
-- column   rangeFrom, date: first business date of the range
-- column   rangeTo, date: business date after the last of the range
-- column   actor, text: who requested, paused, resumed, slowed or cancelled it; empty if no person was named
-- column   reason, text: why it was requested
-- column   codeVersion, hash: version of the code
-- column   detail, json: counts that were reached, or the code of a failure
-- column   occurredAt, instant: when it happened
select
    account as "account",
    backfill_id as "backfillId",
    event as "event",
    window_from as "rangeFrom",
    window_to as "rangeTo",
    actor as "actor",
    reason as "reason",
    code_version as "codeVersion",
    detail as "detail",
    occurred_at as "occurredAt"
from lake.ops.backfill_event
