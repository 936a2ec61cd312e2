/**
 * The three stages that every engine of the benchmark computes, as SQL over two tables. These are attribution by the
 * plain window with its flags, the refund ceiling, and duplicates. The last two are models that the reconciliation
 * itself runs.
 */
import { readModels } from '../../lake/run/models.ts'

/** The first settlement of a terminal has no predecessor. Its window begins this many days before it. */
export const FIRST_WINDOW_DAYS = 31

/**
 * Selects one row per settlement. Its window holds the settled transactions after the previous settlement, up to its
 * own created. The join uses spans of time as a key, so that transactions stream past a small table and need no
 * sorting. `is_off`: the sum differs from the reported net. `is_shifted`: a neighbour differs by the opposite amount.
 * `has_void`: a member is VOID.
 */
export const WINDOW = `
with reach as (
    select
        settlement_id,
        terminal_id,
        reported_cents,
        created as ends_at,
        coalesce(
            lag(created) over (partition by terminal_id order by created, settlement_id),
            created - interval ${FIRST_WINDOW_DAYS} days
        ) as begins_after,
        row_number() over (partition by terminal_id order by created, settlement_id) as ordinal
    from current_settlement
),
piece as (
    select
        settlement_id,
        terminal_id,
        begins_after,
        ends_at,
        unnest(range(span_of (begins_after), span_of (ends_at) + 1)) as span
    from reach
),
summed as (
    select
        piece.settlement_id,
        count(*) as members,
        sum(case action when 'CHARGE' then total_cents when 'REFUND' then -total_cents else 0 end)::bigint as window_cents,
        bool_or(status = 'VOID') as has_void
    from current_transaction
    inner join piece on piece.terminal_id = current_transaction.terminal_id
        and piece.span = span_of (current_transaction.created)
        and current_transaction.created > piece.begins_after
        and current_transaction.created <= piece.ends_at
    where settled
    group by piece.settlement_id
),
compared as (
    select
        settlement_id,
        terminal_id,
        ordinal,
        coalesce(members, 0) as members,
        coalesce(window_cents, 0) as window_cents,
        coalesce(window_cents, 0) - reported_cents as difference_cents,
        coalesce(has_void, false) as has_void
    from reach
    left join summed using (settlement_id)
)
select
    settlement_id,
    members,
    window_cents,
    difference_cents <> 0 as is_off,
    difference_cents <> 0 and (
        coalesce(lag(difference_cents) over in_order = -difference_cents, false)
        or coalesce(lead(difference_cents) over in_order = -difference_cents, false)
    ) as is_shifted,
    has_void
from compared
window in_order as (partition by terminal_id order by ordinal)`

/**
 * Returns each stage with the statements that make its tables, in order. The rows of the last table are its answer.
 */
export function threeStages(): { stage: string; tables: { name: string; text: string }[] }[] {
  const model = (path: string) => {
    const found = readModels().find(({ name }) => name === path)
    if (found === undefined) throw new Error(`there is no model ${path}`)
    return { name: found.name, text: found.text }
  }
  return [
    { stage: 'window', tables: [{ name: 'plain_window', text: WINDOW }] },
    { stage: 'ceiling', tables: [model('uncovered_card'), model('refund_at_risk')] },
    { stage: 'duplicates', tables: [model('duplicate_charge')] },
  ]
}
