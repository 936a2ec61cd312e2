-- model    explained_settlement
-- grain    at most one row: the numbers of the settlement, as the explanation shows them
-- reads    current_terminal, excluded_component, explained_interval, next_step, tieout
-- rule     R-10: its verdict; R-69: the cause in words and the next step, if it has a difference or no data
-- silent   nothing
select
    settlement_id::varchar as "settlementId",
    tieout.terminal_id::varchar as "terminalId",
    coalesce(nick_name, '') as "terminalName",
    instant(tieout.created) as created,
    status,
    money(reported_cents) as "reportedNet",
    coalesce(money(computed_cents), '') as "computedNet",
    coalesce(money(difference_cents), '') as difference,
    coalesce(instant(cutoff_at), '') as cutoff,
    tieout.method,
    coalesce(certificate, '') as certificate,
    verdict,
    coalesce(tieout.explanation, '') as explanation,
    coalesce(replace(cause, '{component}', coalesce(component, '')), '') as cause,
    coalesce(replace(step, '{component}', coalesce(component, '')), '') as "nextStep",
    coalesce(money(explained_cents), '') as "explainedAmount",
    coalesce(money(unexplained_cents), '') as "unexplainedAmount",
    coalesce(explained_by, '') as "explainedBy",
    coalesce(candidates, '') as candidates,
    case clock
        when 'modified' then 'lastModified'
        else 'created'
    end as clock,
    coalesce(instant(ends_at), '') as "endsAt",
    coalesce(rival_count, 0)::varchar as rivals,
    coalesce(getvariable('stored_run'), '') as "runId",
    instant(getvariable('as_of')) as "asOf"
from
    tieout
    left join current_terminal using (terminal_id)
    left join excluded_component using (settlement_id)
    left join next_step on next_step.explanation = coalesce(tieout.explanation, '')
    and next_step.code = case
        when verdict = 'NO_DATA' then 'NO_DATA'
        when tieout.explanation is not null then 'AMOUNT_MISMATCH'
    end
    inner join explained_interval using (settlement_id)
where tieout.settlement_id = getvariable('explained_id')
