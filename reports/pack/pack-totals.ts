/** Computes the control totals a second time from the CSV files alone, without the lake. */
import { formatCents } from '../../domain/cents.ts'
import type { CsvRow } from './check-csv.ts'
import { TABLES } from './pack-files.ts'
import type { PackManifest } from './read-manifest.ts'

/** The sides of a total that the files can prove. Only the lake knows a missing side. */
export interface Proved {
  expected?: string
  actual?: string
}

interface Settlement {
  computed_cents: bigint | undefined
  member_cents: bigint
}

/** Sums the rows of all CSV files, which the caller adds one file after the other, in order. */
export class PackTotals {
  readonly #to: string
  readonly #clearing: string | undefined
  readonly #sums = new Map<string, bigint>()
  readonly #settlements = new Map<string, Settlement>()
  readonly #closings = new Map<string, bigint>()
  readonly #entries = new Map<string, bigint>()
  readonly #periods = new Map<string, bigint>()
  readonly #listed: Record<string, string | null>[] = []

  constructor(manifest: Pick<PackManifest, 'to' | 'parameters'>) {
    this.#to = manifest.to
    this.#clearing = clearingAccount(manifest.parameters['chartOfAccounts'])
  }

  add(table: string, row: CsvRow): void {
    const adders: Record<string, ((row: CsvRow) => void) | undefined> = {
      [TABLES.settlements]: (settlement) => this.#addSettlement(settlement),
      attributions: (member) => this.#addMember(member),
      rollforward: (day) => this.#addDay(day),
      [TABLES.journal]: (line) => this.#addLine(line),
      [TABLES.controlTotals]: (total) => this.#listed.push(total.all()),
      sweeps: (sweep) => this.#addSweep(sweep),
      [TABLES.exceptions]: (exception) => this.#addException(exception),
      [TABLES.worklist]: (item) => this.#addItem(item),
    }
    adders[table]?.(row)
  }

  /** Returns the rows of control_totals.csv as they are listed. */
  listed(): Record<string, string | null>[] {
    return this.#listed
  }

  /** Returns the computed sides by the name of the total. */
  proofs(): Map<string, Proved> {
    const money = (name: string) => formatCents(this.#total(name))
    const count = (name: string) => String(this.#total(name))
    const outOfBalance = (sums: ReadonlyMap<string, bigint>) =>
      String([...sums.values()].filter((cents) => cents !== 0n).length)
    const members = this.#members()
    return new Map<string, Proved>([
      ['settlements of the range = settlements listed', { actual: count('settlements') }],
      [
        'attributions = computed nets',
        { expected: money('computed'), actual: formatCents(members.cents) },
      ],
      [
        'settlements whose attributions are not their computed net',
        { actual: String(members.unequal) },
      ],
      [
        'computed - reported nets = differences',
        { expected: money('computed - reported'), actual: money('difference') },
      ],
      [
        'explained + unexplained = differences of COMPLETE settlements',
        { expected: money('judged difference'), actual: money('named') },
      ],
      ['roll-forward rows that do not add up', { actual: count('uneven days') }],
      ['roll-forward openings that are not the closing before', { actual: count('broken days') }],
      [
        'unsettled items + members of PENDING + orphans = last closings (all dates)',
        { actual: formatCents([...this.#closings.values()].reduce((sum, one) => sum + one, 0n)) },
      ],
      ['journal debits = credits', { expected: money('debit'), actual: money('credit') }],
      ['journal entries out of balance', { actual: outOfBalance(this.#entries) }],
      ['journal periods out of balance', { actual: outOfBalance(this.#periods) }],
      [
        'roll-forward of the range = clearing in the journal',
        {
          expected: money('moved'),
          ...(this.#clearing === undefined ? {} : { actual: money('clearing') }),
        },
      ],
      [
        'open exceptions = exceptions of the worklist (all dates)',
        { expected: count('open exceptions'), actual: count('worklist') },
      ],
      ['records listed = records landed', { expected: count('landed') }],
    ])
  }

  #addSettlement(row: CsvRow): void {
    const [reported_cents, computed_cents] = [row.cents('reportedNet'), row.cents('computedNet')]
    const difference_cents = row.cents('difference') ?? 0n
    this.#sum('settlements', 1n)
    this.#settlements.set(row.cell('settlementId'), { computed_cents, member_cents: 0n })
    this.#sum('computed', computed_cents ?? 0n)
    if (reported_cents !== undefined && computed_cents !== undefined) {
      this.#sum('computed - reported', computed_cents - reported_cents)
    }
    this.#sum('difference', difference_cents)
    if (['PENDING', 'NO_DATA'].includes(row.cell('verdict'))) return
    this.#sum('judged difference', difference_cents)
    const named = [row.cents('explainedAmount'), row.cents('unexplainedAmount')]
    this.#sum('named', (named[0] ?? 0n) + (named[1] ?? 0n))
  }

  #addMember(row: CsvRow): void {
    const id = row.cell('settlementId')
    const settlement = this.#settlements.get(id) ?? { computed_cents: undefined, member_cents: 0n }
    settlement.member_cents += row.cents('signedAmount') ?? 0n
    if (!this.#settlements.has(id)) this.#sum('unlisted', settlement.member_cents)
  }

  #members(): { cents: bigint; unequal: number } {
    let cents = this.#total('unlisted')
    let unequal = cents === 0n ? 0 : 1
    for (const { computed_cents, member_cents } of this.#settlements.values()) {
      if (computed_cents === undefined) continue
      cents += member_cents
      if (computed_cents !== member_cents) unequal += 1
    }
    return { cents, unequal }
  }

  #addDay(row: CsvRow): void {
    const cents = (name: string) => row.cents(name) ?? 0n
    const terminal = row.cell('terminalId')
    const opening = cents('openingUnsettled')
    const closing = cents('closingUnsettled')
    const moved = cents('charges') - cents('refunds') - cents('voids') - cents('settled')
    if (opening + moved !== closing) this.#sum('uneven days', 1n)
    if ((this.#closings.get(terminal) ?? opening) !== opening) this.#sum('broken days', 1n)
    this.#closings.set(terminal, closing)
    if (row.cell('date') < this.#to) this.#sum('moved', moved)
  }

  /** Leaves out imported files. They have a row, but the service did not list their records. */
  #addSweep(row: CsvRow): void {
    if (row.cell('pages') !== '0') this.#sum('landed', BigInt(row.cell('records')))
  }

  #addException(row: CsvRow): void {
    if (['OPEN', 'ASSIGNED'].includes(row.cell('state'))) this.#sum('open exceptions', 1n)
  }

  #addItem(row: CsvRow): void {
    const ids = row
      .cell('exceptionIds')
      .split(';')
      .filter((id) => id !== '')
    this.#sum('worklist', BigInt(ids.length))
  }

  #addLine(row: CsvRow): void {
    const [debit, credit] = [row.cents('debit') ?? 0n, row.cents('credit') ?? 0n]
    this.#sum('debit', debit)
    this.#sum('credit', credit)
    if (row.cell('account') === this.#clearing) this.#sum('clearing', debit - credit)
    for (const [sums, key] of [
      [this.#entries, row.cell('entryId')],
      [this.#periods, row.cell('period')],
    ] as const) {
      sums.set(key, (sums.get(key) ?? 0n) + debit - credit)
    }
  }

  #sum(name: string, value: bigint): void {
    this.#sums.set(name, this.#total(name) + value)
  }

  #total(name: string): bigint {
    return this.#sums.get(name) ?? 0n
  }
}

/** Returns the ledger account of clearing, or undefined if another key of the chart posts to the same account. */
function clearingAccount(chart: unknown): string | undefined {
  if (typeof chart !== 'object' || chart === null) return undefined
  const accounts = Object.entries(chart).map(([key, { account }]): [string, string] => [
    key,
    String(account),
  ])
  const clearing = accounts.find(([key]) => key === 'clearing')?.[1]
  return accounts.filter(([, account]) => account === clearing).length === 1 ? clearing : undefined
}
