-- check    code_is_known
-- grain    one row per exception whose code, severity or certainty is outside of the closed lists
-- reads    exception
-- rule     R-22: no code but the promised ones
-- silent   nothing
select
    code,
    severity,
    certainty,
    subject_type,
    subject_id
from exception
where
    code not in (
        'AMOUNT_MISMATCH',
        'PENDING_STALE',
        'PENDING_DRIFT',
        'COMPLETE_CHANGED',
        'STATUS_REGRESSION',
        'SETTLEMENT_DISAPPEARED',
        'ORPHAN_SETTLED',
        'UNSETTLED_AGED',
        'SETTLED_NOT_CAPTURED',
        'SETTLED_NOT_APPROVED',
        'SETTLEMENT_REVERSED',
        'CHANGED_AFTER_SETTLEMENT',
        'TRANSACTION_DISAPPEARED',
        'TOTAL_MISMATCH',
        'VERIFY_NONZERO',
        'AMOUNT_OVER_LIMIT',
        'DUPLICATE_CHARGE',
        'REFUND_CEILING_BREACH',
        'SURCHARGE_NOT_ENABLED',
        'SURCHARGE_OVER_RATE',
        'TERMINAL_TYPE_MISMATCH',
        'ACH_CODE_NOT_ACCEPTED',
        'MISSED_BY_SWEEP',
        'UNKNOWN_TERMINAL',
        'TERMINAL_INACCESSIBLE',
        'QUARANTINED'
    )
    or severity not in ('error', 'warning')
    or (code = 'REFUND_CEILING_BREACH') <> coalesce(certainty in ('CERTAIN', 'SUSPECTED', 'INSUFFICIENT_HISTORY'), false)
    or subject_type not in ('settlement', 'transaction', 'terminal')
