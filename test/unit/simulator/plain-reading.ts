/**
 * A naive reading of the served transactions, record by record: every discrepancy of these codes
 * that anybody could see, whether it was planted or not.
 */
import { isSettled, type Row } from './client.ts'

interface Sale {
  id: string
  action: string
  status: string
  approved: boolean
  settled: boolean
  created_ms: number
  parts: bigint[]
  total: bigint
  invoice: string
  card: boolean
  fine: string
}

/** Cents of `12.30`; undefined for anything else. */
export function centsOf(text: unknown): bigint | undefined {
  return typeof text === 'string' && /^-?\d+\.\d{2}$/.test(text)
    ? BigInt(text.replace('.', ''))
    : undefined
}

const PARTS = ['amountBase', 'amountTax', 'amountShipping', 'amountTip', 'amountSurcharge']

function saleOf(row: Row): Sale | undefined {
  const total = centsOf(row.amountTotal)
  if (total === undefined || !row.created.endsWith('Z')) return undefined
  const { coarse, fine } = keysOf(row)
  return {
    id: row.transactionId ?? '',
    action: row.action ?? '',
    status: row.status,
    approved: row.response?.approved === true,
    settled: isSettled(row),
    created_ms: Date.parse(row.created),
    parts: PARTS.map((part) => centsOf(row[part]) ?? 0n),
    total,
    invoice: row.invoiceNumber ?? '',
    card: coarse.startsWith('CARD'),
    fine,
  }
}

/** Brand and last four digits; with name and zip, whatever their case and blanks. */
function keysOf({ vault, billing }: Row) {
  const coarse = [vault?.type, vault?.accountType, vault?.lastFour].join()
  const who = [billing?.firstName, billing?.lastName, billing?.address?.zip]
  const fine = who.map((word = '') => word.trim().toLowerCase()).join()
  return { coarse, fine: `${coarse},${fine}` }
}

const DAY_MS = 86_400_000
const LIMIT = 100_000_000n

/** `CODE transactionId` for everything that is wrong at an instant. */
export function readPlainly(rows: readonly Row[], now: string): string[] {
  const sales: Sale[] = []
  const found: string[] = []
  for (const row of rows) {
    const sale = saleOf(row)
    if (sale === undefined) found.push(`QUARANTINED ${row.transactionId}`)
    else sales.push(sale)
  }
  for (const sale of sales) found.push(...oneByOne(sale, now).map((code) => `${code} ${sale.id}`))
  sales.sort((a, b) => a.created_ms - b.created_ms)
  found.push(...duplicates(sales).map((id) => `DUPLICATE_CHARGE ${id}`))
  found.push(...breaches(sales).map((id) => `REFUND_CEILING_BREACH ${id}`))
  return found.toSorted()
}

function oneByOne(sale: Sale, now: string): string[] {
  const sum = sale.parts.reduce((all, part) => all + part, 0n)
  const open =
    sale.approved && sale.status === 'CAPTURE' && !sale.settled && sale.action !== 'VERIFY'
  const age_days = Math.floor(Date.parse(now) / DAY_MS) - Math.floor(sale.created_ms / DAY_MS)
  const wrong: Record<string, boolean> = {
    TOTAL_MISMATCH: sum !== sale.total,
    UNSETTLED_AGED: open && age_days > 5,
    SETTLED_NOT_CAPTURED: sale.settled && sale.status !== 'CAPTURE',
    SETTLED_NOT_APPROVED: sale.settled && !sale.approved,
    VERIFY_NONZERO: sale.action === 'VERIFY' && sale.total !== 0n,
    AMOUNT_OVER_LIMIT: [...sale.parts, sale.total].some((amount) => amount > LIMIT),
  }
  return Object.keys(wrong).filter((code) => wrong[code])
}

function groupBy(sales: readonly Sale[], key: (sale: Sale) => string): Map<string, Sale[]> {
  const groups = new Map<string, Sale[]>()
  for (const sale of sales) groups.set(key(sale), [...(groups.get(key(sale)) ?? []), sale])
  return groups
}

function duplicates(sales: readonly Sale[]): string[] {
  const good = sales.filter(
    ({ card, action, approved, status }) =>
      card && action === 'CHARGE' && approved && status !== 'VOID',
  )
  return [...groupBy(good, ({ fine, total }) => `${fine} ${total}`).values()].flatMap((group) =>
    group
      .filter((later, place) =>
        group.slice(0, place).some((earlier) => {
          const toldApart =
            earlier.invoice !== '' && later.invoice !== '' && earlier.invoice !== later.invoice
          return later.created_ms - earlier.created_ms <= 600_000 && !toldApart
        }),
      )
      .map(({ id }) => id),
  )
}

/** Above the charges of the holder, or with all refunds of the holder together above them. */
function breaches(sales: readonly Sale[]): string[] {
  const cards = sales.filter(({ card }) => card)
  return [...groupBy(cards, ({ fine }) => fine).values()].flatMap((group) =>
    group
      .filter((refund) => refund.action === 'REFUND' && exceeds(refund, group))
      .map(({ id }) => id),
  )
}

function exceeds(refund: Sale, group: readonly Sale[]): boolean {
  const yearBefore = new Date(refund.created_ms)
  yearBefore.setUTCFullYear(yearBefore.getUTCFullYear() - 1)
  const inWindow = group.filter(
    ({ created_ms }) => created_ms >= yearBefore.getTime() && created_ms <= refund.created_ms,
  )
  const sum = (action: string) =>
    inWindow
      .filter((sale) => sale.action === action && sale.approved && sale.status !== 'VOID')
      .reduce((all, sale) => all + sale.total, 0n)
  return sum('REFUND') > sum('CHARGE')
}
