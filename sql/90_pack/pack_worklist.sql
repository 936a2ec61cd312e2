-- pack     worklist.csv
-- grain    one row per open item that needs a person, the largest exposure first
-- reads    current_terminal, work_item
-- rule     R-69: the worklist; R-32: text in files
-- silent   exceptions that are waived or resolved
select
    getvariable('account') as "account",
    (
        row_number() over (
            order by
                abs(coalesce(amount_cents, 0)) desc,
                severity = 'warning',
                age_days desc nulls last,
                subject_type,
                try_cast(subject_id as bigint) nulls last,
                subject_id
        )
    )::varchar as "rank",
    subject_type as "subjectType",
    subject_id as "subjectId",
    work_item.terminal_id::varchar as "terminalId",
    guard(nick_name) as "terminalName",
    money(amount_cents) as "amount",
    business_date(since_at)::varchar as "since",
    age_days::varchar as "ageDays",
    certainty as "certainty",
    cause as "cause",
    ask_whom as "askWhom",
    next_step as "nextStep",
    guard(assignee) as "assignee",
    exception_ids as "exceptionIds"
from work_item left join current_terminal using (terminal_id)
order by "rank"::bigint
