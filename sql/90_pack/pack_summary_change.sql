-- pack     the summaries: what changed since the pack before
-- grain    one row per settlement or exception that changed, twelve of each kind at most
-- reads    changed_exception, pack_settlements, previous_run, previous_settlement
-- rule     R-37: settlements of the business dates that both packs cover; exceptions whatever their date
-- silent   settlements of days that only one of the packs covers; ages, and other facts that change with the date
with
    this_settlement as (
        select
            "settlementId" as settlement_id,
            "terminalId" as terminal_id,
            "verdict" as verdict,
            "reportedNet" as reported,
            "computedNet" as computed,
            "status" as status
        from
            pack_settlements
            inner join previous_run on "businessDate"::date >= from_date
            and "businessDate"::date < to_date
    ),
    that_settlement as (
        select settlement_id, terminal_id, verdict, reported, computed, status
        from previous_settlement
        where
            business_date::date >= getvariable('from_date')
            and business_date::date < getvariable('to_date')
    ),
    settlement_change as (
        select
            case
                when before.settlement_id is null then 'ADDED'
                when after.settlement_id is null then 'REMOVED'
                when before.status <> 'COMPLETE'
                and after.status = 'COMPLETE'
                and before.reported = after.reported then 'COMPLETED'
                else 'RESTATED'
            end as kind,
            'settlement' as subject_type,
            coalesce(after.settlement_id, before.settlement_id) as subject_id,
            coalesce(after.terminal_id, before.terminal_id) as terminal_id,
            null as code,
            after.verdict = 'BREAK' as is_error,
            before.verdict || ', reported ' || before.reported || coalesce(', computed ' || before.computed, '') as before,
            after.verdict || ', reported ' || after.reported || coalesce(', computed ' || after.computed, '') as after
        from that_settlement as before full join this_settlement as after using (settlement_id)
        where
            before.verdict is distinct from after.verdict
            or before.reported is distinct from after.reported
            or before.computed is distinct from after.computed
            or before.status is distinct from after.status
    ),
    change as (
        from settlement_change
        union all
        from changed_exception
    )
select
    kind as "kind",
    subject_type as "subjectType",
    subject_id as "subjectId",
    terminal_id as "terminalId",
    code as "code",
    before as "before",
    after as "after",
    count(*) over (partition by kind) as "ofKind"
from change
qualify
    row_number() over (
        partition by kind
        order by is_error desc nulls last, code, try_cast(subject_id as bigint), subject_id
    ) <= 12
order by
    case kind
        when 'RESTATED' then 1
        when 'REMOVED' then 2
        when 'ADDED' then 3
        when 'COMPLETED' then 4
        when 'OPENED' then 5
        when 'LEFT_OPEN' then 6
        else 7
    end,
    is_error desc nulls last,
    code,
    try_cast(subject_id as bigint),
    subject_id
