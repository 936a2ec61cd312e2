-- model    entry_decision
-- grain    one row per entry that a person's decision concerns: the decision, with reason, name and act
-- reads    exception, exception_decision, manual_attribution, manual_member
-- rule     R-72: the memo of such an entry ends with the decision
-- silent   entries without a decision, transactions that left a settlement, and attributions that were taken back
with
    decision as (
        select
            'RES-' || exception.subject_id as entry_id,
            exception_decision.seq,
            case
                when action = 'exception.reopen' then 'reopened: '
                when action = 'exception.assign' then 'assigned '
                when action = 'exception.waive' then 'waived '
                when clear_to is null then 'resolved: '
                else ''
            end || exception_decision.reason as decided,
            exception_decision.actor
        from exception inner join exception_decision using (exception_id)
        where exception.code = 'AMOUNT_MISMATCH'
        union all
        select
            'S-' || manual_member.settlement_id::varchar,
            min(manual_attribution.seq),
            case count(*)
                when 1 then 'transaction ' || min(transaction_id)::varchar
                else count(*)::varchar || ' transactions'
            end || ' placed: ' || manual_attribution.reason,
            manual_attribution.actor
        from manual_member inner join manual_attribution using (transaction_id)
        where manual_member.settlement_id is not null
        group by manual_member.settlement_id, manual_attribution.reason, manual_attribution.actor
    )
select
    entry_id,
    string_agg(
        decided || ' (' || actor || ', act ' || seq::varchar || ')',
        '; '
        order by seq
    ) as decided
from decision
group by entry_id
