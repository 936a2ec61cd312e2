-- model    listed_exception
-- grain    one row per exception of stored_exception that the filters $1 to $9 let through
-- reads    lake.ops.audit, lake.ops.exception_event, lake.ops.exception_scan, lake.result.attribution_source, lake.result.attributions, lake.result.worklist, lake.seen.terminal_version, next_step, stored_exception
-- rule     R-38: a decision after the run changes the state; R-69: each exception has the cause of its code
-- silent   nothing
with
    decision as (
        select
            subject as "exceptionId",
            action, actor, seq,
            decided_reason (action, detail, reason) as reason,
            json_extract_string(detail, '$.to') as assignee
        from lake.ops.audit
        where account = getvariable('account') and starts_with(action, 'exception.')
        qualify row_number() over (partition by subject order by seq desc) = 1
    ),
    current_exception as (
        select
            stored.* exclude (assignee) replace(
                case
                    when seq > getvariable('audit_seq') then decided_state (action)
                    else state
                end as state,
                case when seq > getvariable('audit_seq') then actor else "stateBy" end as "stateBy",
                case
                    when seq > getvariable('audit_seq') then decision.reason
                    else "stateReason"
                end as "stateReason"
            ),
            decision.assignee
        from stored_exception as stored left join decision using ("exceptionId")
    ),
    -- The run before is the newest one of an earlier business day.
    previous_scan as (
        select max(scan_seq) as scan_seq
        from lake.ops.exception_scan
        where
            account = getvariable('account')
            and business_date(as_of) < business_date(getvariable('as_of'))
    ),
    new_exception as (
        select exception_id
        from lake.ops.exception_event
        where
            account = getvariable('account')
            and event = 'found'
            and scan_seq > coalesce((select scan_seq from previous_scan), 0)
            and exception_id not in (
                select exception_id
                from lake.ops.exception_event
                where
                    account = getvariable('account')
                    and scan_seq <= coalesce((select scan_seq from previous_scan), 0)
                group by exception_id
                having arg_max(event, scan_seq) = 'found'
            )
    ),
    item as (
        select "subjectType", "subjectId", "cause"
        from lake.result.worklist
        where run_id = getvariable('run_id')
    ),
    terminal as (
        select terminal_id::varchar as "terminalId", nick_name
        from lake.seen.terminal_version
        where account = getvariable('account')
        qualify
            row_number() over (partition by terminal_id order by landing_seq desc, ordinal desc) = 1
    ),
    member as (
        select "transactionId"::varchar as "transactionId"
        from
            lake.result.attribution_source as source
            inner join lake.result.attributions as written on written.run_id = source.source_run_id
            and written."settlementId" = source.settlement_id
        where
            source.run_id = getvariable('run_id')
            and "settlementId" = try_cast($6::varchar as bigint)
    )
select
    current_exception.* exclude (run_id, row_no, account, assignee),
    case when state = 'ASSIGNED' then assignee end as assignee,
    coalesce(item.cause, replace(next_step.cause, '{component}', 'component')) as cause,
    terminal.nick_name as "terminalName"
from
    current_exception
    left join next_step on next_step.code = current_exception.code
    and next_step.explanation = case
        when current_exception.code = 'AMOUNT_MISMATCH' then named_explanation (detail)
        else ''
    end
    -- The worklist names the component. Its row may be about another exception of the subject.
    left join item on item."subjectType" = current_exception."subjectType"
    and item."subjectId" = current_exception."subjectId"
    and item.cause like replace(next_step.cause, '{component}', '%')
    left join terminal using ("terminalId")
where
    ($1::varchar is null or list_contains(string_split($1, ','), current_exception.code))
    and ($2::varchar is null or severity = $2)
    and ($3::varchar is null or list_contains(string_split($3, ','), state))
    and ($4::varchar is null or "terminalId" = $4)
    and ($5::varchar is null or (state = 'ASSIGNED' and lower(assignee) = lower($5)))
    and (
        $6::varchar is null
        or case current_exception."subjectType"
            when 'settlement' then current_exception."subjectId" = $6
            when 'transaction' then current_exception."subjectId" in (
                select "transactionId"
                from member
            )
            else false
        end
    )
    and ($7::bigint is null or abs(replace(amount, '.', '')::bigint) >= $7)
    and ($8::bigint is null or "ageDays"::bigint >= $8)
    and (not $9::boolean or "exceptionId" in (select exception_id from new_exception))
order by row_no
