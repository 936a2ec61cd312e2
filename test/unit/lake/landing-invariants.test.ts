/**
 * Goal: statements that hold for all landings, however a list is cut into pages. Method: drawn records with drawn changes,
 * read night after night in drawn pages, in a real lake.
 */
import type { DuckDBConnection } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import type { Lake } from '../../../lake/connection/lake.ts'
import { land } from '../../../lake/landing/land.ts'
import type { Landing } from '../../../lake/landing/landing.ts'
import { type Random, randomFrom } from '../../../simulator/world/random.ts'
import { rowsOf, tempLake } from '../../support/temp-lake.ts'

/** Each record has one drawn state a night: 2,000 in all. */
const RECORDS = 500
const NIGHTS = 4

type Listed = { settlement_id: string; [column: string]: unknown }

/** The list of each night: records appear, change, change back and stay as they are. */
function drawnNights(random: Random): Listed[][] {
  const born = Array.from({ length: RECORDS }, () => random.below(NIGHTS))
  const cents = born.map(() => 100 * random.below(3))
  return Array.from({ length: NIGHTS }, (_, night) =>
    born.flatMap((first, id) => {
      if (random.below(2) === 0) cents[id] = 100 * random.below(3)
      return first > night ? [] : [settlement(id + 1, cents[id] ?? 0)]
    }),
  )
}

const settlement = (id: number, net_cents: number): Listed => ({
  settlement_id: String(id),
  terminal_id: String(1 + (id % 9)),
  created: '2026-11-01 00:30:00.000000',
  status: 'COMPLETE',
  net_cents: String(net_cents),
  net_noise: false,
})

/** Pages of one size that repeat the end of the page before. */
function pagesOf(rows: readonly Listed[], size: number, overlap: number): Listed[][] {
  const pages: Listed[][] = []
  for (let at = 0; at < rows.length; at += size)
    pages.push(rows.slice(Math.max(0, at - overlap), at + size))
  return pages
}

interface Reading {
  lake: Lake
  connection: DuckDBConnection
}

const landingOf = (sweepId: string, batch: number, rows: Listed[]): Landing => ({
  account: 'acme',
  runId: sweepId,
  sweepId,
  list: 'settlements',
  batch,
  rows,
  rejects: [],
  pages: [{ offset: 0, asked: 50, count: 1, firstId: '1', lastId: '1', bodySha256: 'ab' }],
  state: { offset: batch },
  observedAt: '2026-11-02T00:00:00.000Z',
})

/** Every version of every record in the order of the lake, without the landing that brought it. */
const versionsIn = async ({ connection }: Reading) =>
  (
    await rowsOf(
      connection,
      `select settlement_id || ' ' || string_agg(net_cents, ' ' order by landing_seq, ordinal) as line
       from lake.seen.settlement_version group by settlement_id order by settlement_id`,
    )
  ).map(({ line }) => String(line))

const rowsIn = async ({ connection }: Reading) =>
  new Set(
    (
      await rowsOf(
        connection,
        'select to_json(v)::varchar as line from lake.seen.settlement_version as v',
      )
    ).map(({ line }) => String(line)),
  )

const landed = ({ lake, connection }: Reading, landing: Landing) => land(lake, connection, landing)

/** The versions that the nights show: each state of a record that is not the one before. */
function expectedOf(nights: readonly Listed[][]): string[] {
  const states = new Map<string, string[]>()
  for (const { settlement_id: id, net_cents } of nights.flat()) {
    const known = states.get(id) ?? []
    if (known.at(-1) !== net_cents) states.set(id, [...known, String(net_cents)])
  }
  return [...states]
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([id, cents]) => [id, ...cents].join(' '))
}

test('I5: any size of pages, overlap and resumption gives the same versions', async () => {
  const random = randomFrom(5, 1)
  const nights = drawnNights(random)
  for (const [size, overlap, resumes] of [
    [RECORDS, 0, false],
    [250, 0, true],
    [190, 190, true],
  ] as const) {
    const reading = await tempLake()
    for (const [night, rows] of nights.entries()) {
      for (const [batch, page] of pagesOf(rows, size, overlap).entries()) {
        await landed(reading, landingOf(`n${night}`, batch, page))
        // An attempt that lost its answer sends the batch again, though the list has changed meanwhile.
        if (resumes && random.below(2) === 0)
          await landed(reading, landingOf(`n${night}`, batch, nights[0] ?? []))
      }
    }
    expect(await versionsIn(reading)).toEqual(expectedOf(nights))
  }
})

test('I6, I7, I8: history only grows, and pages that are replayed, all or some, add nothing', async () => {
  const random = randomFrom(7, 1)
  const reading = await tempLake()
  for (const [night, rows] of drawnNights(random).entries()) {
    const pages = pagesOf(rows, 200, 20)
    for (const [batch, page] of pages.entries()) {
      const before = await rowsIn(reading)
      const { newVersions } = await landed(reading, landingOf(`n${night}`, batch, page))
      const after = await rowsIn(reading)
      expect([...before].filter((row) => !after.has(row))).toEqual([])
      expect(after.size).toBe(before.size + newVersions)
    }
    const whole = await rowsIn(reading)
    const some = pages.filter(() => random.below(2) === 0)
    for (const [sweepId, again] of [
      [`n${night}`, some],
      [`some${night}`, some],
      [`all${night}`, pages],
    ] as const) {
      for (const [batch, page] of again.entries())
        expect((await landed(reading, landingOf(sweepId, batch, page))).newVersions).toBe(0)
    }
    expect(await rowsIn(reading)).toEqual(whole)
  }
  expect(
    await rowsOf(
      reading.connection,
      `with version as (
         select settlement_id, landing_seq, ordinal, content_hash,
           lag(content_hash) over of_record as before, count(*) over (partition by settlement_id, landing_seq, ordinal) as places
         from lake.seen.settlement_version
         window of_record as (partition by settlement_id order by landing_seq, ordinal))
       from version where places > 1 or content_hash = before`,
    ),
  ).toEqual([])
})
