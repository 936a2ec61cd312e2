-- check    code_is_known
-- grain    one row per exception whose code, severity or certainty is outside of the closed lists
-- reads    exception, exception_code
-- rule     R-22: only documented codes
-- silent   nothing
select code, severity, certainty, subject_type, subject_id
from exception
where
    (code, severity) not in (select (code, severity) from exception_code)
    or (code = 'REFUND_CEILING_BREACH') <> coalesce(certainty in ('CERTAIN', 'SUSPECTED', 'INSUFFICIENT_HISTORY'), false)
    or subject_type not in ('settlement', 'transaction', 'terminal')
