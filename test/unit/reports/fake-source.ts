/** A small pack in memory: two settlements, one of which is off by twenty, in place of the lake. */
import { writePack } from '../../../reports/write-pack.ts'
import { writeFile } from 'node:fs/promises'
import { ACCOUNTING_PROGRAMS } from '../../../domain/accounting.ts'
import { PACK_FILES } from '../../../reports/pack/pack-files.ts'
import type { PackAbout, PackSource, Row } from '../../../reports/pack/pack-source.ts'

export const INSTANT = '2026-03-02T08:00:00Z'

/** A settlement that ties out at 130.00; `more` replaces cells. */
export function settlement(more: Row = {}): Row {
  return {
    account: 'demo',
    settlementId: '900',
    terminalId: '7',
    terminalName: 'Front desk',
    created: INSTANT,
    businessDate: '2026-03-02',
    status: 'COMPLETE',
    reportedNet: '130.00',
    computedNet: '130.00',
    difference: '0.00',
    verdict: 'TIED',
    method: 'ALIGNED',
    certificate: 'UNIQUE',
    transactionCount: '4',
    chargeCount: '2',
    chargeTotal: '150.00',
    refundCount: '1',
    refundTotal: '20.00',
    cutoff: '2026-03-02T03:00:00.5Z',
    explanation: null,
    explainedAmount: '0.00',
    unexplainedAmount: '0.00',
    explainedBy: null,
    firstSeen: INSTANT,
    lastChanged: INSTANT,
    ...more,
  }
}

export function unsettled(more: Row = {}): Row {
  return {
    account: 'demo',
    transactionId: '5001',
    terminalId: '7',
    created: INSTANT,
    action: 'REFUND',
    status: 'CAPTURE',
    amountTotal: '12.30',
    signedAmount: '-12.30',
    ageDays: '7',
    bucket: '6-10',
    lastObserved: INSTANT,
    ...more,
  }
}

export function exception(more: Row = {}): Row {
  return {
    account: 'demo',
    exceptionId: 'e1',
    code: 'AMOUNT_MISMATCH',
    severity: 'error',
    certainty: null,
    subjectType: 'settlement',
    subjectId: '901',
    terminalId: '7',
    amount: '-20.00',
    detail: 'reported 150.00, computed 130.00',
    firstSeen: INSTANT,
    lastSeen: INSTANT,
    ageDays: '1',
    state: 'OPEN',
    stateBy: null,
    stateReason: null,
    ...more,
  }
}

export function attribution(more: Row = {}): Row {
  return {
    account: 'demo',
    transactionId: '5002',
    settlementId: '900',
    terminalId: '7',
    created: INSTANT,
    action: 'CHARGE',
    status: 'CAPTURE',
    amountTotal: '150.00',
    signedAmount: '150.00',
    method: 'ALIGNED',
    ...more,
  }
}

export function rolledForward(more: Row = {}): Row {
  return {
    account: 'demo',
    terminalId: '7',
    date: '2026-03-02',
    openingUnsettled: '0.00',
    charges: '150.00',
    refunds: '20.00',
    voids: '0.00',
    settled: '130.00',
    closingUnsettled: '0.00',
    ...more,
  }
}

export function refundAtRisk(more: Row = {}): Row {
  return {
    account: 'demo',
    transactionId: '5009',
    terminalId: '7',
    created: INSTANT,
    cardKey: 'c0ffee',
    refundAmount: '80.00',
    chargedCoarse: '50.00',
    chargedFine: '50.00',
    refundedBefore: '0.00',
    certainty: 'CERTAIN',
    historyFrom: INSTANT,
    ...more,
  }
}

export function journalLine(more: Row): Row {
  return {
    entryId: 'S-900',
    date: '2026-03-02',
    period: '2026-03',
    account: 'assets:cash in transit',
    accountName: 'Cash in transit',
    debit: null,
    credit: null,
    currency: 'USD',
    memo: 'Settlement 900',
    settlementId: '900',
    terminalId: '7',
    source: 'settlement',
    ...more,
  }
}

/** The rows of every table; a test replaces those it is about. */
export function worldOf(more: Record<string, Row[]> = {}): Record<string, Row[]> {
  return {
    settlements: [
      settlement(),
      settlement({
        settlementId: '901',
        terminalName: '<script>alert(1)</script>',
        reportedNet: '150.00',
        difference: '-20.00',
        verdict: 'BREAK',
        certificate: 'UNSOLVED',
        explanation: 'UNEXPLAINED',
        unexplainedAmount: '-20.00',
      }),
    ],
    exceptions: [exception()],
    unsettled: [unsettled()],
    control_totals: [
      {
        check: 'journal balances',
        expected: '150.00',
        actual: '150.00',
        difference: '0.00',
        pass: 'true',
      },
    ],
    journal: [
      journalLine({ debit: '130.00' }),
      journalLine({ account: 'assets:clearing', accountName: 'Clearing', credit: '130.00' }),
    ],
    ...more,
  }
}

/** A sheet that a test does not give has the rows of its file. */
const FILE_OF: Readonly<Record<string, string>> = {
  sheet_lines: 'attributions',
  sheet_settlements: 'settlements',
}

/** The files of a world, and the numbers of their rows. */
export const countedIn = (world: Record<string, Row[]>): { name: string; rows: number }[] =>
  PACK_FILES.map(({ name, table }) => ({ name, rows: world[table]?.length ?? 0 }))

/** Writes the CSVs as the lake does: header, CRLF, quotes only where they are needed. */
export function sourceOf(world: Record<string, Row[]>): PackSource {
  return {
    async writeCsv(table, file) {
      const rows = world[table] ?? []
      const columns = PACK_FILES.find((packFile) => packFile.table === table)?.columns ?? []
      const names = columns.map(({ name }) => name)
      const lines = rows.map((row) => names.map((name) => quoted(row[name] ?? null)).join(','))
      await writeFile(file, [names.join(','), ...lines, ''].join('\r\n'))
      return { rows: rows.length }
    },
    rows: (table) => Promise.resolve(world[table] ?? []),
    async *batches(table, mostRows) {
      yield (world[table] ?? world[FILE_OF[table] ?? ''] ?? []).slice(0, mostRows)
    },
  }
}

export function aboutOf(out: string, more: Partial<PackAbout> = {}): PackAbout {
  return {
    account: 'demo',
    window: { from: '2026-02-01', to: '2026-03-01' },
    runId: 'run-1',
    asOf: INSTANT,
    knownAt: '42',
    codeVersion: '0.1.0+abc',
    parameters: {
      timezone: 'America/New_York',
      currency: 'USD',
      accounting: { programs: ACCOUNTING_PROGRAMS },
    },
    configHash: 'f00d',
    certificate: 'CONTIGUOUS',
    out,
    csvProfile: 'machine',
    ...more,
  }
}

const quoted = (cell: string | null): string =>
  cell === null
    ? ''
    : /[",\r\n]/.test(cell) || cell === ''
      ? `"${cell.replaceAll('"', '""')}"`
      : cell

/** Publishes a pack and returns its folder. */
export const packFrom = async (...about: Parameters<typeof writePack>): Promise<string> =>
  (await writePack(...about)).folder
