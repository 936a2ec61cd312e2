/** Runs three nights against a simulated service, and sets their results beside the truth. */
import { expect } from 'vitest'
import { addDays } from '../../domain/business-day.ts'
import { simulatorOptions, type PartialOptions } from '../../simulator/world/options.ts'
import { startPipeline, type Pipeline } from './pipeline.ts'
import { ATTRIBUTIONS } from '../../lake/results/attribution-rows.ts'
import { rowsOf } from './temp-lake.ts'
import { loadTruth } from './truth-tables.ts'

const DAY_MS = 86_400_000
interface Nights extends Pipeline {
  /** When each of the three nights looked, the last one first. */
  looked: [string, string, string]
}

/** Two nights that only look, and a third one whose pack covers the whole history. */
async function threeNights(world: PartialOptions): Promise<Nights> {
  const { from, days } = simulatorOptions(world)
  const night = (before: number) =>
    new Date(Date.parse(`${from}T04:15:00Z`) + (days - 1 - before) * DAY_MS).toISOString()
  const whole = { from, to: addDays(night(0).slice(0, 10), 1) }
  const pipeline = await startPipeline(world, night(2))
  await pipeline.sweep('n1')
  pipeline.simulator.advanceTo(night(1))
  await pipeline.sweep('n2')
  pipeline.simulator.advanceTo(night(0))
  await pipeline.night('n3', whole)
  return { ...pipeline, looked: [night(0), night(1), night(2)] }
}

async function compared({ simulator, shared, looked }: Nights) {
  return shared.connected(async (_lake, connection) => {
    await loadTruth(connection, simulator.truth())
    const [tied] = await rowsOf(
      connection,
      `select count(*)::integer as settlements, count(*) filter (verdict = 'TIED')::integer as tied
       from truth_settlement left join lake.result.settlements on "settlementId" = settlement_id and run_id = 'n3'
       where ties and truth_settlement.status = 'COMPLETE'`,
    )
    const missed = await rowsOf(
      connection,
      `select truth_planted.code, cause, truth_planted.subject_id from truth_planted
       left join lake.result.exceptions as found on found.run_id = 'n3' and found.code = truth_planted.code and found."subjectId" = truth_planted.subject_id
       where found.code is null and cause <> 'CUTOFF_SHIFT' and visible <= '${looked[0]}'
         -- A drift is seen only by who looked before it, too.
         and (truth_planted.code <> 'PENDING_DRIFT' or exists (
           from truth_settlement as t where t.settlement_id = subject_id and exists (
             from (values ('${looked[2]}'), ('${looked[1]}')) as nights (seen) where t.created <= seen and seen < visible)))
       order by all`,
    )
    const [wrongly] = await rowsOf(
      connection,
      `select count(*)::integer as n from lake.result.settlements inner join truth_settlement on "settlementId" = settlement_id
       where run_id = 'n3' and verdict = 'TIED' and explanation is distinct from 'CUTOFF_SHIFT' and not ties and not touched`,
    )
    const misjudged = await rowsOf(
      connection,
      `select cause, explanation, subject_id from truth_planted
       inner join lake.result.settlements on run_id = 'n3' and "settlementId" = subject_id
       where code = 'AMOUNT_MISMATCH' and settlements.status = 'COMPLETE' and certificate = 'UNIQUE' and explanation is distinct from cause`,
    )
    const [explained] = await rowsOf(
      connection,
      `select count(*)::integer as all_of_them, count(*) filter (explanation = cause)::integer as right_ones from truth_planted
       inner join lake.result.settlements on run_id = 'n3' and "settlementId" = subject_id
       where code = 'AMOUNT_MISMATCH' and settlements.status = 'COMPLETE' and cause <> 'RANDOM'`,
    )
    // A cause whose amount, or half of it, no other transaction nearby has, on any terminal.
    const [single] = await rowsOf(
      connection,
      `with alike as (
         select distinct truth_planted.subject_id
         from truth_planted
         inner join truth_settlement on settlement_id = subject_id
         inner join lake.seen.transaction_version as seen on seen.created between truth_settlement.created::timestamp - interval 5 days and truth_settlement.created::timestamp + interval 5 days
           and seen.total_cents in (abs(cents), abs(cents) // 2)
         where code = 'AMOUNT_MISMATCH' and not list_contains(transaction_ids, seen.transaction_id::varchar))
       select count(*)::integer as all_of_them,
         count(*) filter (explanation = cause and list_sort(string_split("explainedBy", ';')) = list_sort(transaction_ids))::integer as right_ones
       from truth_planted
       inner join lake.result.settlements on run_id = 'n3' and "settlementId" = subject_id
       anti join alike using (subject_id)
       where code = 'AMOUNT_MISMATCH' and settlements.status = 'COMPLETE' and cause <> 'RANDOM'`,
    )
    const [placed] = await rowsOf(
      connection,
      `select count(*)::integer as members, count(*) filter (attributions."settlementId"::varchar = settlement_id)::integer as right_ones
       from truth_member left join ${ATTRIBUTIONS} as attributions on "transactionId"::varchar = transaction_id and run_id = 'n3'
       -- A settlement that can't be read is in quarantine: nothing can be placed in it.
       where settlement_id in (select "settlementId" from lake.result.settlements where run_id = 'n3')`,
    )
    const [observed] = await rowsOf(
      connection,
      `select count(*)::integer as n, count(*) filter ("settlementId"::varchar <> settlement_id)::integer as wrong
       from ${ATTRIBUTIONS} as attributions inner join truth_member on "transactionId"::varchar = transaction_id
       where run_id = 'n3' and method = 'OBSERVED'`,
    )
    return {
      observed: observed ?? {},
      share_tied: Number(tied?.['tied']) / Number(tied?.['settlements']),
      share_placed: Number(placed?.['right_ones']) / Number(placed?.['members']),
      missed: missed.map(
        (row) => `${String(row['code'])} ${String(row['cause'])} ${String(row['subject_id'])}`,
      ),
      wrongly_tied: Number(wrongly?.['n']),
      misjudged: misjudged.map((row) => `${String(row['subject_id'])} ${String(row['cause'])}`),
      share_explained: Number(explained?.['right_ones']) / Number(explained?.['all_of_them']),
      single: Number(single?.['all_of_them']),
      share_single: Number(single?.['right_ones']) / Number(single?.['all_of_them']),
    }
  })
}

/** Shares of the truth that must be found: settlements tied, transactions placed. */
export const GOAL = { tied: 0.99, placed: 0.998 }
/** Runs three nights over a world and holds what they found against its truth. */
export async function checkWorld(world: PartialOptions, goal = GOAL): Promise<void> {
  const found = await compared(await threeNights(world))
  expect(found.missed).toEqual([])
  expect(found.wrongly_tied).toBe(0)
  expect(found.misjudged).toEqual([])
  expect(found.observed).toMatchObject({ wrong: 0 })
  expect(Number(found.observed['n'])).toBeGreaterThan(0)
  expect(found.share_explained).toBeGreaterThanOrEqual(0.9)
  expect(found.single).toBeGreaterThanOrEqual(15)
  expect(found.share_single).toBeGreaterThanOrEqual(0.98)
  expect(found.share_tied).toBeGreaterThanOrEqual(goal.tied)
  expect(found.share_placed).toBeGreaterThanOrEqual(goal.placed)
}
