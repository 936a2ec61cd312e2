-- model    finding
-- grain    one row per code and subject
-- reads    ach_code_not_accepted, amount_mismatch, amount_over_limit, changed_after_settlement, complete_changed, duplicate_charge, missed_by_sweep, orphan_settled, pending_drift, pending_stale, quarantined, refund_ceiling_breach, settled_not_approved, settled_not_captured, settlement_disappeared, settlement_reversed, status_regression, surcharge_not_enabled, surcharge_over_rate, terminal_inaccessible, terminal_type_mismatch, total_mismatch, transaction_disappeared, unknown_terminal, unsettled_aged, verify_nonzero
-- rule     R-22: a code and a subject make one exception
-- silent   nothing
with
    found as (
        select
            'ACH_CODE_NOT_ACCEPTED' as code,
            finding
        from ach_code_not_accepted as finding
        union all
        select
            'AMOUNT_MISMATCH' as code,
            finding
        from amount_mismatch as finding
        union all
        select
            'AMOUNT_OVER_LIMIT' as code,
            finding
        from amount_over_limit as finding
        union all
        select
            'CHANGED_AFTER_SETTLEMENT' as code,
            finding
        from changed_after_settlement as finding
        union all
        select
            'COMPLETE_CHANGED' as code,
            finding
        from complete_changed as finding
        union all
        select
            'DUPLICATE_CHARGE' as code,
            finding
        from duplicate_charge as finding
        union all
        select
            'MISSED_BY_SWEEP' as code,
            finding
        from missed_by_sweep as finding
        union all
        select
            'ORPHAN_SETTLED' as code,
            finding
        from orphan_settled as finding
        union all
        select
            'PENDING_DRIFT' as code,
            finding
        from pending_drift as finding
        union all
        select
            'PENDING_STALE' as code,
            finding
        from pending_stale as finding
        union all
        select
            'QUARANTINED' as code,
            finding
        from quarantined as finding
        union all
        select
            'REFUND_CEILING_BREACH' as code,
            finding
        from refund_ceiling_breach as finding
        union all
        select
            'SETTLED_NOT_APPROVED' as code,
            finding
        from settled_not_approved as finding
        union all
        select
            'SETTLED_NOT_CAPTURED' as code,
            finding
        from settled_not_captured as finding
        union all
        select
            'SETTLEMENT_DISAPPEARED' as code,
            finding
        from settlement_disappeared as finding
        union all
        select
            'SETTLEMENT_REVERSED' as code,
            finding
        from settlement_reversed as finding
        union all
        select
            'STATUS_REGRESSION' as code,
            finding
        from status_regression as finding
        union all
        select
            'SURCHARGE_NOT_ENABLED' as code,
            finding
        from surcharge_not_enabled as finding
        union all
        select
            'SURCHARGE_OVER_RATE' as code,
            finding
        from surcharge_over_rate as finding
        union all
        select
            'TERMINAL_INACCESSIBLE' as code,
            finding
        from terminal_inaccessible as finding
        union all
        select
            'TERMINAL_TYPE_MISMATCH' as code,
            finding
        from terminal_type_mismatch as finding
        union all
        select
            'TOTAL_MISMATCH' as code,
            finding
        from total_mismatch as finding
        union all
        select
            'TRANSACTION_DISAPPEARED' as code,
            finding
        from transaction_disappeared as finding
        union all
        select
            'UNKNOWN_TERMINAL' as code,
            finding
        from unknown_terminal as finding
        union all
        select
            'UNSETTLED_AGED' as code,
            finding
        from unsettled_aged as finding
        union all
        select
            'VERIFY_NONZERO' as code,
            finding
        from verify_nonzero as finding
    )
select
    code,
    finding.subject_type,
    finding.subject_id,
    finding.terminal_id,
    finding.amount_cents,
    finding.certainty,
    finding.detail,
    finding.subject_created
from found
