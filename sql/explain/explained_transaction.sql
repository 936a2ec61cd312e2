-- model    explained_transaction
-- grain    one row per member, per transaction that explains the difference, and per transaction of the terminal within six hours of the members
-- reads    attribution, current_transaction, explained_interval, manual_attribution, manual_member, tieout
-- rule     R-07: where it lies, before the settlement's interval, within or after it, is decided by the settlement's clock
-- silent   nothing
with
    settlement as (
        select
            explained_interval.* exclude (clock),
            coalesce(clock, 'created') as clock,
            explanation,
            coalesce(explained_by, '') as explained_by
        from explained_interval inner join tieout using (settlement_id)
    ),
    -- These may belong to another terminal.
    member_or_cause as (
        select transaction_id
        from attribution
        where settlement_id = getvariable('explained_id')
        union
        select unnest(string_split(explained_by, ';'))::bigint
        from settlement
        where explained_by <> ''
        union
        select transaction_id
        from manual_member
        where settlement_id = getvariable('explained_id')
    )
select
    t.transaction_id::varchar as "transactionId",
    instant(t.created) as created,
    t.action, t.status,
    money(t.total_cents) as "amountTotal",
    money(t.signed_cents) as "signedAmount",
    coalesce(attribution.settlement_id = getvariable('explained_id'), false)::varchar as inside,
    case
        when clock_at < begins_at then 'before'
        when clock_at > ends_at then 'after'
        else 'within'
    end as lies,
    concat_ws(
        ', ',
        case
            when list_contains(string_split(explained_by, ';'), t.transaction_id::varchar) then explanation
        end,
        case
            when manual_member.transaction_id is not null then case
                when manual_member.settlement_id is null then 'put into no settlement'
                else 'placed'
            end || ' by ' || actor || ': ' || reason
        end,
        case
            when attribution.settlement_id <> getvariable('explained_id') then 'in settlement ' || attribution.settlement_id::varchar
        end,
        case
            when t.terminal_id <> settlement.terminal_id then 'of terminal ' || t.terminal_id::varchar
        end,
        case when not t.approved then 'declined' end,
        case when not t.settled then 'not settled' end,
        case
            when t.last_modified > t.created + case clock
                when 'modified' then interval 0 hours
                else interval 6 hours
            end then 'changed ' || instant(t.last_modified)
        end
    ) as note
from
    (
        from
            current_transaction
            semi join settlement on current_transaction.terminal_id = settlement.terminal_id
            and created between neighbours_from and neighbours_until
        union
        from current_transaction semi join member_or_cause using (transaction_id)
    ) as t
    cross join settlement
    cross join lateral (
        select
            case clock
                when 'modified' then coalesce(t.last_modified, t.created)
                else t.created
            end as clock_at
    )
    left join attribution using (transaction_id)
    left join manual_member using (transaction_id)
    left join manual_attribution using (transaction_id)
order by clock_at, t.transaction_id
