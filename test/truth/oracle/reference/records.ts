/**
 * The records of the lake, read version by version into plain objects. The reference starts from here and from the
 * attribution, and takes nothing else from the models.
 */
import type { DuckDBConnection } from '@duckdb/node-api'

export interface Transaction {
  id: string
  landed: bigint
  terminal: string
  action: string
  status: string
  approved: boolean
  settled: boolean
  /** Microseconds, UTC. */
  created: bigint
  modified: bigint | null
  read: bigint
  base: bigint | null
  tax: bigint | null
  shipping: bigint | null
  tip: bigint | null
  surcharge: bigint | null
  total: bigint
  achType: string | null
  percentage: string | null
  invoice: string | null
  vault: string | null
  coarse: string | null
  fine: string | null
}

export interface Settlement {
  id: string
  terminal: string
  created: bigint
  read: bigint
  status: string
  net: bigint
  landed: bigint
}

export interface Terminal {
  id: string
  landed: bigint
  type: string | null
  hasSurcharge: boolean | null
  percentage: string | null
  acceptance: string | null
}

export interface Unread {
  list: string
  subject: string
  terminal: string | null
  created: bigint | null
}

export interface Records {
  /** Every version that was seen, oldest first. */
  transactions: Map<string, Transaction[]>
  settlements: Map<string, Settlement[]>
  terminals: Map<string, Terminal[]>
  unread: Unread[]
  /** Whether a certified sweep of the whole list of transactions ended. */
  isHistoryCovered: boolean
  /** The landing number at which the last sweep of transactions began. */
  readFrom: bigint
}

type Cells = Record<string, string | null>

async function read(connection: DuckDBConnection, sql: string): Promise<Cells[]> {
  const reader = await connection.runAndReadAll(`select columns(*)::varchar from (${sql})`)
  return reader.getRowObjectsJson() as Cells[]
}

const text = (row: Cells, name: string) => row[name] ?? ''
const cents = (row: Cells, name: string) =>
  (row[name] ?? null) === null ? null : BigInt(text(row, name))
const flag = (row: Cells, name: string) => row[name] === 'true'

function transactionOf(row: Cells): Transaction {
  const isCard = row['vault_type'] === 'CARD'
  const coarse = isCard
    ? ['CARD', text(row, 'account_type'), text(row, 'last_four')].join('/')
    : null
  return {
    id: text(row, 'transaction_id'),
    landed: BigInt(text(row, 'landing_seq')),
    terminal: text(row, 'terminal_id'),
    action: text(row, 'action'),
    status: text(row, 'status'),
    approved: flag(row, 'approved'),
    settled: flag(row, 'settled'),
    created: BigInt(text(row, 'created_us')),
    modified: cents(row, 'modified_us'),
    read: BigInt(text(row, 'read_us')),
    base: cents(row, 'base_cents'),
    tax: cents(row, 'tax_cents'),
    shipping: cents(row, 'shipping_cents'),
    tip: cents(row, 'tip_cents'),
    surcharge: cents(row, 'surcharge_cents'),
    total: cents(row, 'total_cents') ?? 0n,
    achType: row['ach_type'] ?? null,
    percentage: row['surcharge_percentage'] ?? null,
    invoice: row['invoice_number'] ?? null,
    vault: row['vault_type'] ?? null,
    coarse,
    fine: coarse === null ? null : `${coarse}/${row['billing_key'] ?? ''}`,
  }
}

const terminalOf = (row: Cells): Terminal => ({
  id: text(row, 'terminal_id'),
  landed: BigInt(text(row, 'landing_seq')),
  type: row['type'] ?? null,
  hasSurcharge: (row['surcharge_enabled'] ?? null) === null ? null : flag(row, 'surcharge_enabled'),
  percentage: row['surcharge_percentage'] ?? null,
  acceptance: row['acceptance'] ?? null,
})

const settlementOf = (row: Cells): Settlement => ({
  id: text(row, 'settlement_id'),
  terminal: text(row, 'terminal_id'),
  created: BigInt(text(row, 'created_us')),
  read: BigInt(text(row, 'read_us')),
  status: text(row, 'status'),
  net: cents(row, 'net_cents') ?? 0n,
  landed: BigInt(text(row, 'landing_seq')),
})

function versionsOf<Item extends { id: string }>(items: readonly Item[]): Map<string, Item[]> {
  const versions = new Map<string, Item[]>()
  for (const item of items) {
    const known = versions.get(item.id)
    if (known === undefined) versions.set(item.id, [item])
    else known.push(item)
  }
  return versions
}

const IN_ORDER = 'order by landing_seq, ordinal'

/** Everything that was landed for one account. */
export async function readRecords(connection: DuckDBConnection, account: string): Promise<Records> {
  const of = `where account = '${account}'`
  const transactions = await read(
    connection,
    `select *, epoch_us(created) as created_us, epoch_us(last_modified) as modified_us, epoch_us(observed_at) as read_us from lake.seen.transaction_version ${of} ${IN_ORDER}`,
  )
  const settlements = await read(
    connection,
    `select *, epoch_us(created) as created_us, epoch_us(observed_at) as read_us from lake.seen.settlement_version ${of} ${IN_ORDER}`,
  )
  const terminals = await read(connection, `from lake.seen.terminal_version ${of} ${IN_ORDER}`)
  const unread = await read(
    connection,
    `select *, epoch_us(created) as created_us from lake.seen.quarantine ${of} ${IN_ORDER}`,
  )
  const sweeps = await read(connection, `from lake.ops.sweep ${of} and list = 'transactions'`)
  return {
    transactions: versionsOf(transactions.map(transactionOf)),
    settlements: versionsOf(settlements.map(settlementOf)),
    terminals: versionsOf(terminals.map(terminalOf)),
    unread: unread.map((row) => ({
      list: text(row, 'list'),
      subject: text(row, 'subject_id'),
      terminal: row['terminal_id'] ?? null,
      created: cents(row, 'created_us'),
    })),
    isHistoryCovered: sweeps.some(
      (row) => row['certificate'] !== 'BEST_EFFORT' && (row['covers_from'] ?? null) === null,
    ),
    readFrom: sweeps.reduce((most, row) => {
      const started = BigInt(text(row, 'started_seq'))
      return started > most ? started : most
    }, -1n),
  }
}

/** The newest version of each. */
export const newest = <Item>(versions: ReadonlyMap<string, readonly Item[]>): Item[] =>
  [...versions.values()].flatMap((list) => list.slice(-1))

/** The amount in a net: charges plus, refunds minus, VERIFY nothing. */
export const signed = ({ action, total }: Transaction): bigint =>
  action === 'CHARGE' ? total : action === 'REFUND' ? -total : 0n
