-- model    tieout
-- grain    one row for the explained settlement, and one for the other settlement of a WRONG_TERMINAL
-- reads    explained_evidence, result_settlements
-- rule     R-10: the verdict that the run has stored
-- silent   all but the explanation of the other settlement
with
    stored as (
        from result_settlements
        where
            run_id = getvariable('stored_run')
            and "settlementId" = getvariable('explained_id')::varchar
    )
select
    getvariable('explained_id') as settlement_id,
    getvariable('explained_terminal') as terminal_id,
    stored."created"::timestamp as created,
    "status" as status,
    as_cents ("reportedNet") as reported_cents,
    as_cents ("computedNet") as computed_cents,
    as_cents ("difference") as difference_cents,
    "cutoff"::timestamp as cutoff_at,
    "method" as method,
    "certificate" as certificate,
    "verdict" as verdict,
    "explanation" as explanation,
    as_cents ("explainedAmount") as explained_cents,
    as_cents ("unexplainedAmount") as unexplained_cents,
    "explainedBy" as explained_by,
    evidence.candidates, evidence.unreadable, evidence.rival_count
from stored cross join explained_evidence as evidence
union all by name
select
    evidence.other_id as settlement_id,
    "explanation" as explanation,
    "explainedBy" as explained_by
from stored cross join explained_evidence as evidence
where evidence.other_id is not null
