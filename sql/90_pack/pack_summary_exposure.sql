-- pack     the summaries: differences as short, over and gross
-- grain    one row per part: unexplained, explained, and waived or resolved differences of the range, and open ones of earlier and of later days
-- reads    pack_exceptions, pack_settlements, pack_worklist
-- rule     R-68: short and over are never netted
-- silent   settlements that tie, those that are not judged, and those created after as_of, which have no exception yet
with
    part as (
        select
            unnest(['UNEXPLAINED', 'EXPLAINED', 'DECIDED', 'EARLIER', 'LATER']) as word,
            unnest([1, 2, 3, 4, 5]) as ordinal
    ),
    mismatch as (
        select
            "subjectId" as id,
            replace("amount", '.', '')::bigint as amount_cents,
            "state" in ('OPEN', 'ASSIGNED') as is_open
        from pack_exceptions
        where "code" = 'AMOUNT_MISMATCH'
    ),
    difference_part as (
        select
            replace("difference", '.', '')::bigint as amount_cents,
            verdict,
            case
                when not is_open then 'DECIDED'
                when verdict = 'BREAK' then 'UNEXPLAINED'
                else 'EXPLAINED'
            end as word
        from pack_settlements inner join mismatch on mismatch.id = "settlementId"
        where "verdict" in ('EXPLAINED', 'BREAK')
        union all
        select
            amount_cents, null as verdict,
            case when "since"::date >= getvariable('to_date') then 'LATER' else 'EARLIER' end
        from
            mismatch
            left join pack_worklist on "subjectType" = 'settlement'
            and "subjectId" = mismatch.id
        where is_open and id not in (select "settlementId" from pack_settlements)
    )
select
    part.word as "part",
    count(amount_cents) as "settlements",
    count(*) filter(where verdict = 'BREAK') as "breaks",
    money(coalesce(sum(short_cents (amount_cents)), 0)::bigint) as "short",
    money(coalesce(sum(over_cents (amount_cents)), 0)::bigint) as "over",
    money(coalesce(sum(abs(amount_cents)), 0)::bigint) as "gross"
from part left join difference_part using (word)
group by part.word, ordinal
order by ordinal
