-- model    pack_exceptions
-- grain    one row per exception of the explained settlement or of a transaction that the explanation reads, and per quarantined record
-- reads    attribution, result_exceptions
-- rule     R-22: exceptions as the run has stored them
-- silent   nothing
select * exclude (run_id, row_no)
from result_exceptions
where
    run_id = getvariable('stored_run')
    and (
        "code" = 'QUARANTINED'
        or ("subjectType" = 'settlement' and "subjectId" = getvariable('explained_id')::varchar)
        or (
            "subjectType" = 'transaction'
            and "subjectId" in (select transaction_id::varchar from attribution)
        )
    )
