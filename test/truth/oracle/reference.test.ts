import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { EXCEPTIONS } from '../../../domain/exceptions.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'
import { balancesOf, placesOf } from './reference/books.ts'
import { agesOf, findingsOf } from './reference/findings.ts'
import { verdictsOf } from './reference/standings.ts'
import { AS_OF, reconcileWorld } from './reference/run.ts'
import { randomWorld } from './reference/world.ts'
import { newest, readRecords, type Records } from './reference/records.ts'

const TRANSACTIONS = Number(process.env['TIEOUT_ORACLE_TRANSACTIONS'] ?? 6000)
const SEED = Number(process.env['TIEOUT_ORACLE_SEED'] ?? 1)

/** Codes that a sweep's absence proves, or a refusal: the reference knows nothing of sweeps. */
const OF_SWEEPS =
  "('MISSED_BY_SWEEP', 'SETTLEMENT_DISAPPEARED', 'TRANSACTION_DISAPPEARED', 'TERMINAL_INACCESSIBLE')"
/** Codes whose amount the rules state. */
const WITH_AMOUNT = "('AMOUNT_MISMATCH', 'SETTLEMENT_REVERSED')"

/** Every other code has to be found in the world, or agreeing on it would mean nothing. */
const COMPARED = Object.keys(EXCEPTIONS).filter((code) => !OF_SWEEPS.includes(code))

/** Each closing is the next opening, and opening + charges - refunds - voids - settled. */
const ROWS_THAT_DO_NOT_ADD_UP = `
  select * from (
    select *, lag(closing_cents) over (partition by terminal_id order by date) as before_cents from rollforward)
  where closing_cents <> opening_cents + charge_cents - refund_cents - void_cents - settled_cents
    or before_cents <> opening_cents`

/** The lines that only one of the two sides has. */
function apart(reference: Iterable<string>, models: Iterable<string>) {
  const [ours, theirs] = [new Set(reference), new Set(models)]
  return {
    only_reference: [...ours].filter((line) => !theirs.has(line)),
    only_models: [...theirs].filter((line) => !ours.has(line)),
  }
}
const NOTHING = { only_reference: [], only_models: [] }

const lines = async (connection: DuckDBConnection, sql: string) =>
  (await rowsOf(connection, `select concat_ws(' ', *columns(*)) as line from (${sql})`)).map(
    (row) => String(row['line']),
  )

async function compare(connection: DuckDBConnection, records: Records) {
  const asOf = BigInt(Date.parse(AS_OF)) * 1000n
  const attribution = new Map(
    (await rowsOf(connection, 'select transaction_id, settlement_id from attribution')).map(
      (row) => [String(row['transaction_id']), String(row['settlement_id'])],
    ),
  )
  const balances = balancesOf(records, attribution, asOf)
  const judged = { records, attribution, asOf, pendingStaleDays: 3, unsettledDays: 5 }
  const verdicts = [...verdictsOf(records, attribution)].map(([id, one]) =>
    [
      id,
      one.verdict,
      one.transactions,
      one.charges,
      one.chargeCents,
      one.refunds,
      one.refundCents,
      one.computed ?? '-',
      one.difference ?? '-',
    ].join(' '),
  )
  return {
    verdicts: apart(
      verdicts,
      await lines(
        connection,
        `select settlement_id, case when verdict in ('EXPLAINED', 'BREAK') then 'OFF' else verdict end, transaction_count, charge_count, charge_cents, refund_count, refund_cents,
           coalesce(computed_cents::varchar, '-'), coalesce(difference_cents::varchar, '-') from tieout`,
      ),
    ),
    findings: apart(
      findingsOf(judged),
      await lines(
        connection,
        `select code, subject_id, case when code in ${WITH_AMOUNT} then amount_cents::varchar when code = 'REFUND_CEILING_BREACH' then certainty end
         from finding where code not in ${OF_SWEEPS} and subject_created <= getvariable('as_of')`,
      ),
    ),
    places: apart(
      [...placesOf(records, attribution, asOf)].map((pair) => pair.join(' ')),
      await lines(
        connection,
        `select transaction_id, standing::varchar from transaction_standing
         union all
         select transaction_id, 'COMPLETE' from settled_member semi join complete_settlement using (settlement_id) where action in ('CHARGE', 'REFUND')`,
      ),
    ),
    ages: apart(
      agesOf(judged),
      await lines(connection, `select "transactionId", "ageDays", bucket from pack_unsettled`),
    ),
    closings: apart(
      [...balances].flatMap(([key, sum]) =>
        key.endsWith(' clearing') ? [`${key.split(' ')[0]} ${sum}`] : [],
      ),
      await lines(
        connection,
        `select terminal_id, arg_max(closing_cents, date) as cents from rollforward group by all having cents <> 0`,
      ),
    ),
    balances: apart(
      [...balances].map((pair) => pair.join(' ')),
      await lines(
        connection,
        `select terminal_id, account_key, coalesce(sum(debit_cents), 0) - coalesce(sum(credit_cents), 0) as cents from journal_line group by all having cents <> 0`,
      ),
    ),
  }
}

test('the reference, one record at a time, finds the same as the models, to the cent', async () => {
  const { connection } = await tempLake()
  await reconcileWorld(connection, randomWorld(SEED, TRANSACTIONS))
  const records = await readRecords(connection, 'acme')
  expect(newest(records.transactions).length).toBeGreaterThanOrEqual(TRANSACTIONS)
  expect(await compare(connection, records)).toEqual({
    verdicts: NOTHING,
    findings: NOTHING,
    places: NOTHING,
    ages: NOTHING,
    balances: NOTHING,
    closings: NOTHING,
  })
  expect(await lines(connection, ROWS_THAT_DO_NOT_ADD_UP)).toEqual([])
  const codes = await lines(connection, 'select distinct code from finding order by code')
  expect(codes).toEqual(expect.arrayContaining(COMPARED))
})
