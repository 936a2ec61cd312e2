/** The decisions of people: the audit trail, the closed periods, and the entries that approvals made final. */
import type { DuckDBConnection } from '@duckdb/node-api'
import { createHash } from 'node:crypto'
import { rowsIn, type Row } from './rows.ts'

/** The answers that the simulation received, and the entries that it has seen. */
export class Books {
  /** Orders that were acknowledged, with the number of the act, and those that were refused. */
  readonly acknowledged = new Map<string, string>()
  readonly refused = new Set<string>()
  /** The newest act on each period. */
  readonly #turned = new Map<string, { seq: bigint; kind: 'close' | 'reopen' }>()
  /** The periods that were closed before a run began to reconcile. */
  readonly closedBefore = new Map<string, ReadonlySet<string>>()
  readonly #exported = new Map<string, string>()

  /** Remembers an acknowledged act on a period. */
  turn(seq: bigint, { period, kind }: { period: string; kind: 'close' | 'reopen' }): void {
    const known = this.#turned.get(period)
    if (known === undefined || known.seq < seq) this.#turned.set(period, { seq, kind })
  }

  /** Periods that are closed for the runs that follow. */
  closed(): string[] {
    return [...this.#turned].filter(([, { kind }]) => kind === 'close').map(([period]) => period)
  }

  /** Compares the lake with it. */
  async judge(connection: DuckDBConnection): Promise<string[]> {
    const trail = await rowsIn(
      connection,
      `select seq::varchar as seq, account, acted_at, actor, action, subject, reason, detail, previous_sha256, sha256
       from lake.ops.audit order by audit.seq`,
    )
    return [
      ...judgeChain(trail),
      ...this.#judgeOrders(trail),
      ...(await this.#judgeExports(connection)),
      ...(await this.#judgePeriods(connection)),
    ]
  }

  #judgeOrders(trail: readonly Row[]): string[] {
    const acts = new Map<string, string[]>()
    for (const { detail, seq } of trail) {
      const { orderId = '' }: { orderId?: string } = JSON.parse(String(detail))
      acts.set(orderId, [...(acts.get(orderId) ?? []), String(seq)])
    }
    const twice = [...acts].filter(([, seqs]) => seqs.length > 1)
    const lost = [...this.acknowledged.values()].filter(
      (seq) => !trail.some((row) => row['seq'] === seq),
    )
    const refused = [...this.refused].filter((order) => acts.has(order))
    return [
      ...twice.map(([order]) => `the order ${order} is in the audit trail twice`),
      ...lost.map((seq) => `act ${seq} was acknowledged, and is not in the audit trail`),
      ...refused.map((order) => `the order ${order} was refused, and is in the audit trail`),
    ]
  }

  /** Lines of an approval never change. */
  async #judgeExports(connection: DuckDBConnection): Promise<string[]> {
    const rows = await rowsIn(
      connection,
      `select audit_seq::varchar as seq, sha256(string_agg(to_json(line)::varchar, chr(10) order by to_json(line)::varchar)) as sha256,
         sum(amount_cents)::varchar as cents, max(n) as most
       from (from lake.ops.exported_line) as line
       inner join (select entry_id, count(distinct audit_seq) as n from lake.ops.exported_line group by all) using (entry_id)
       group by all`,
    )
    const found = new Map(rows.map(({ seq, sha256 }) => [String(seq), String(sha256)]))
    const changed = [...this.#exported].filter(([seq, sha256]) => found.get(seq) !== sha256)
    for (const [seq, sha256] of found) this.#exported.set(seq, sha256)
    return [
      ...changed.map(([seq]) => `the entries of approval ${seq} changed`),
      ...rows
        .filter(({ cents }) => cents !== '0')
        .map(({ seq }) => `approval ${String(seq)} is out of balance`),
      ...rows
        .filter(({ most }) => Number(most) > 1)
        .map(({ seq }) => `an entry of approval ${String(seq)} was exported twice`),
    ]
  }

  async #judgePeriods(connection: DuckDBConnection): Promise<string[]> {
    const rows = await rowsIn(
      connection,
      `select distinct run_id, strftime(entry_date, '%Y-%m') as period from lake.result.export`,
    )
    return rows
      .filter(({ run_id, period }) => this.closedBefore.get(String(run_id))?.has(String(period)))
      .map(
        ({ run_id, period }) =>
          `run ${String(run_id)} posts into ${String(period)}, which was closed`,
      )
  }
}

/** Numbers without a hole, and each act holds the hash of the one before it. */
function judgeChain(trail: readonly Row[]): string[] {
  let before = ''
  for (const [place, row] of trail.entries()) {
    const text = (name: string) => String(row[name])
    const content = [
      ...['seq', 'account', 'acted_at', 'actor', 'action', 'subject', 'reason'].map(text),
      JSON.parse(text('detail')) as unknown,
      text('previous_sha256'),
    ]
    const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
    const isNext = text('seq') === String(place + 1) && text('previous_sha256') === before
    if (!isNext || sha256 !== text('sha256')) return [`act ${place + 1} breaks the audit trail`]
    before = sha256
  }
  return []
}
