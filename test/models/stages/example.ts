/**
 * Follows one settlement through the stages of sql/: a terminal with thirteen settlements, and the result of each
 * stage.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { DEFAULT_CHART } from '../../../domain/chart.ts'
import { prepareModels, readModels, runModels } from '../../../lake/run/models.ts'
import { reconcileWorld } from '../../support/core-world.ts'
import { memoryLake } from '../../support/memory-lake.ts'
import { bindViews } from '../../support/bind-views.ts'
import { runVariables } from '../../support/run-variables.ts'

/**
 * The settlement is 903. Refund 62 is the only transaction of its card. Transaction 73 was created before its cut-off
 * and captured later, so it was paid out with 904. The service left transaction 102 out of 906. 909 is still PENDING.
 */
const SETTLEMENTS = `
  897 | 7 | 2026-10-30 03:00 |  157.61
  898 | 7 | 2026-10-31 03:00 |  161.01
  899 | 7 | 2026-11-01 03:00 |  184.55
  900 | 7 | 2026-11-02 03:00 |  147.55
  901 | 7 | 2026-11-03 03:00 |  189.12
  902 | 7 | 2026-11-04 03:00 |   93.55
  903 | 7 | 2026-11-05 03:00 |  110.25
  904 | 7 | 2026-11-06 03:00 |  227.75
  905 | 7 | 2026-11-07 03:00 |  161.57
  906 | 7 | 2026-11-08 03:00 |   94.68
  907 | 7 | 2026-11-09 03:00 |  128.41
  908 | 7 | 2026-11-10 03:00 |  234.80
  909 | 7 | 2026-11-11 03:00 |  138.90 | PENDING`

const TRANSACTIONS = `
   11 | 7 | 2026-10-29 09:30 |   34.49
   12 | 7 | 2026-10-29 13:45 |   63.54
   13 | 7 | 2026-10-29 21:10 |   59.58
   21 | 7 | 2026-10-30 09:30 |   25.68
   22 | 7 | 2026-10-30 13:45 |   45.30
   23 | 7 | 2026-10-30 20:40 |   90.03
   31 | 7 | 2026-10-31 09:30 |   64.47
   32 | 7 | 2026-10-31 13:45 |   53.83
   33 | 7 | 2026-10-31 21:35 |   66.25
   41 | 7 | 2026-11-01 09:30 |   62.58
   42 | 7 | 2026-11-01 13:45 |   20.36
   43 | 7 | 2026-11-01 19:55 |   64.61
   51 | 7 | 2026-11-02 09:30 |   16.07
   52 | 7 | 2026-11-02 13:45 |   89.45
   53 | 7 | 2026-11-02 21:05 |   83.60
   61 | 7 | 2026-11-03 09:30 |   53.43
   62 | 7 | 2026-11-03 13:45 |  -20.00
   63 | 7 | 2026-11-03 20:20 |   60.12
   71 | 7 | 2026-11-04 10:00 |   45.25
   72 | 7 | 2026-11-04 20:00 |   65.00
   73 | 7 | 2026-11-04 15:00 |   31.40
   81 | 7 | 2026-11-05 09:30 |   53.52
   82 | 7 | 2026-11-05 13:45 |   59.31
   83 | 7 | 2026-11-05 21:15 |   83.52
   91 | 7 | 2026-11-06 09:30 |   60.02
   92 | 7 | 2026-11-06 13:45 |   54.02
   93 | 7 | 2026-11-06 20:50 |   47.53
  101 | 7 | 2026-11-07 09:30 |   67.35
  102 | 7 | 2026-11-07 13:45 |   17.35
  103 | 7 | 2026-11-07 21:40 |   27.33
  111 | 7 | 2026-11-08 09:30 |   33.99
  112 | 7 | 2026-11-08 13:45 |   67.00
  113 | 7 | 2026-11-08 20:10 |   27.42
  121 | 7 | 2026-11-09 09:30 |   86.11
  122 | 7 | 2026-11-09 13:45 |   90.84
  123 | 7 | 2026-11-09 21:25 |   57.85
  131 | 7 | 2026-11-10 09:30 |   46.94 | unsettled
  132 | 7 | 2026-11-10 13:45 |   75.72 | unsettled
  133 | 7 | 2026-11-10 20:35 |   16.24 | unsettled`

/** The lake in memory after all models have run. The caller closes it. */
export async function followed(): Promise<DuckDBConnection> {
  const connection = await memoryLake()
  await reconcileWorld({ settlements: SETTLEMENTS, transactions: TRANSACTIONS }, connection)
  await connection.run(`
    update lake.seen.transaction_version set base_cents = total_cents, vault_type = 'CARD', account_type = 'VISA',
      last_four = lpad((transaction_id % 5)::varchar, 4, '0'), billing_key = transaction_id % 5;
    update lake.seen.transaction_version set last_four = '9999', billing_key = 9999 where transaction_id = 62;
    insert into lake.ops.landing (landing_seq, account, sweep_id, records, quarantined) values (2, 'acme', 't', 1, 0);
    insert into lake.seen.terminal_version (account, terminal_id, nick_name, type, enabled, sweep_id, ordinal, observed_at, landing_seq)
      values ('acme', 7, 'Front desk', 'CARD', true, 's', 1, '2026-12-01', 1)`)
  await prepareModels(
    connection,
    runVariables({
      from_date: '2026-11-01',
      to_date: '2026-11-12',
      window_from: '2026-11-01',
      window_to: '2026-11-12',
      as_of: '2026-11-11 04:15:00',
      as_of_date: '2026-11-11',
      known_time: '2026-12-01',
    }),
  )
  const chart = Object.entries(DEFAULT_CHART).map(
    ([key, { account, name }]) => `('${key}', '${account}', '${name}')`,
  )
  await connection.run(
    `create temp table chart as from (values ${chart.join(', ')}) as c (account_key, account, account_name)`,
  )
  const models = readModels()
  await bindViews(connection, models)
  await runModels(connection, models)
  return connection
}

/** Models of each stage, each with the sentence that stands before its rows. */
export const STEPS: Readonly<Record<string, readonly Step[]>> = {
  '10_observed': [
    {
      says: '`current_settlement`: 903 as the service reported it last.',
      sql: `select settlement_id, terminal_id, created, status, reported_cents from current_settlement where settlement_id = 903`,
    },
    {
      says: '`current_transaction`: what happened on the terminal that day, and the first transaction after it.',
      sql: `select transaction_id, created, action, status, settled, signed_cents from current_transaction
            where created between '2026-11-04' and '2026-11-05 10:00' order by created`,
    },
  ],
  '20_evidence': [
    {
      says: '`known_settlement`: 903 is the seventh settlement of its terminal.',
      sql: `select settlement_id, ordinal, status, reported_cents from known_settlement where settlement_id = 903`,
    },
    {
      says: '`observed_member`: no two sweeps saw its transactions turn settled, so that observation places none.',
      sql: `select count(*) as observed_members from observed_member`,
    },
    {
      says: '`unplaced_settled_transaction`: arithmetic has to place all settled transactions. Those of PENDING settlement 909 are not settled yet.',
      sql: `select count(*) as transactions, sum(signed_cents)::bigint as cents from unplaced_settled_transaction`,
    },
    {
      says: '`fully_read_settlement`: its transactions were read, so that it can be judged.',
      sql: `select settlement_id from fully_read_settlement where settlement_id = 903`,
    },
  ],
  '30_cutoffs': [
    {
      says: '`settlement_running_net`: what the service reported up to each settlement.',
      sql: `select settlement_id, ordinal, remaining_cents, running_cents from settlement_running_net where settlement_id between 902 and 904 order by ordinal`,
    },
    {
      says: '`ordered_transaction`: the transactions in the order of time, with their running sum.',
      sql: `select position, transaction_id, clock_at, signed_cents, running_cents from ordered_transaction where clock = 'created' and position between 18 and 24 order by position`,
    },
    {
      says: '`boundary_before_shifts`: the cut-offs. Up to 902 both sums are 93,339 cents. Up to 903 the settlements add up to 104,364, which no\ntransaction reaches; at the usual time of day the transactions have 107,504. Up to 904 both sums agree again.',
      sql: `select settlement_id, position, running_cents from boundary_before_shifts where settlement_id between 902 and 904 order by settlement_id`,
    },
    {
      says: '`usual_lag`: the terminal ends its settlements 9,600 seconds before they are created, learned from those that agree.',
      sql: `select settlement_id, clock, lag_s from usual_lag where settlement_id = 901 and clock = 'created'`,
    },
  ],
  '40_shifts': [
    {
      says: '`cutoff_difference`: by these cut-offs 903 has 31.40 too much and 904 has 31.40 too little.',
      sql: `select settlement_id, difference_cents from cutoff_difference where settlement_id in (903, 904) order by settlement_id`,
    },
    {
      says: '`shift`: transaction 73 over 31.40 explains both differences, if it belongs to 904. `boundary` keeps the cut-offs.',
      sql: `select transaction_id, from_settlement_id, to_settlement_id from shift order by transaction_id`,
    },
  ],
  '50_members': [
    {
      says: '`boundary`: where 903 and its neighbours end.',
      sql: `select settlement_id, previous_position, position, cut_instant from boundary where settlement_id between 902 and 904 order by settlement_id`,
    },
    {
      says: '`attribution`: its two members, and those of 904, to which transaction 73 was moved.',
      sql: `select transaction_id, settlement_id, signed_cents, method from attribution where settlement_id in (903, 904) order by settlement_id, transaction_id`,
    },
  ],
  '60_verdicts': [
    {
      says: '`computed_net`: the members of 903 add up to its reported net. Those of 906 have 17.35 too much.',
      sql: `select settlement_id, reported_cents, computed_cents, difference_cents, verdict from computed_net where settlement_id in (903, 906) order by settlement_id`,
    },
    {
      says: '`tieout`: the verdicts. 903 is TIED by a shift; of 906 exactly one transaction explains the difference.',
      sql: `select settlement_id, verdict, certificate, explanation, explained_by from tieout where settlement_id in (903, 906) order by settlement_id`,
    },
    {
      says: '`transaction_standing`: members of COMPLETE settlements have no row here. Those of 909 wait for it.',
      sql: `select transaction_id, standing, signed_cents from transaction_standing order by transaction_id`,
    },
  ],
  '65_cards': [
    {
      says: '`refund_at_risk`: refund 62 over 20.00 is above what its card was charged in the twelve months before. 902 contains it.',
      sql: `select transaction_id, refund_cents from refund_at_risk`,
    },
    {
      says: '`refund_certainty`: the card was charged nothing, and the sweep read all of its history.',
      sql: `select transaction_id, refund_cents, charged_coarse_cents, charged_fine_cents, certainty from refund_certainty`,
    },
  ],
  '70_findings': [
    {
      says: '`exception`: 903 ties and has none. 906 is off, and refund 62 exceeds its ceiling.',
      sql: `select code, severity, subject_type, subject_id, amount_cents, state from exception order by code, subject_id`,
    },
  ],
  '80_books': [
    {
      says: '`journal_line`: the entry of 903, in debits and credits of cents.',
      sql: `select entry_id, account_key, debit_cents, credit_cents from journal_line where settlement_id = 903 order by account_key`,
    },
    {
      says: '`rollforward`: the clearing account on three days. Each row opens with what was charged and not yet paid out.',
      sql: `select date, opening_cents, charge_cents, refund_cents, settled_cents, closing_cents from rollforward where date between '2026-11-04' and '2026-11-06' order by date`,
    },
  ],
  '90_pack': [
    {
      says: '`pack_settlements`: the row of settlements.csv, some of its columns.',
      sql: `select "settlementId", "reportedNet", "computedNet", "difference", "verdict", "certificate", "explanation", "explainedBy" from pack_settlements where "settlementId" = '903'`,
    },
    {
      says: '`pack_control_totals`: no pack is published unless all of them pass.',
      sql: `select count(*) as checks, count(*) filter (where pass <> 'true') as failed from pack_control_totals`,
    },
  ],
}

interface Step {
  says: string
  sql: string
}

/** The rows of each step as a table of a Markdown page. */
export async function exampleOf(connection: DuckDBConnection, stage: string): Promise<string> {
  const blocks: string[] = []
  for (const { says, sql } of STEPS[stage] ?? []) {
    const reader = await connection.runAndReadAll(`select columns(*)::varchar from (${sql})`)
    const rows = reader.getRows().map((row) => row.map((cell) => String(cell ?? '')))
    const names = reader.columnNames()
    const lines = [names, names.map(() => '---'), ...rows].map(
      (cells) => `| ${cells.join(' | ')} |`,
    )
    blocks.push(rows.length === 0 ? `${says}\n\n(no row)` : `${says}\n\n${lines.join('\n')}`)
  }
  return blocks.join('\n\n')
}
