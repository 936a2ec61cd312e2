/** Goal: no personal data and no secret is written. Method: planted texts, searched in every byte that a run leaves. */
import { DuckDBInstance } from '@duckdb/node-api'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { writeZip } from '../../../reports/workbook/write-zip.ts'
import { CANARIES } from '../../../simulator/world/canaries.ts'
import { startTieout } from '../../support/built.ts'
import { tempFolder } from '../../support/temp-lake.ts'
import {
  basic,
  END,
  everythingIn,
  forbidden,
  HOOK_PATH,
  placeIn,
  runBy,
  SECRETS,
  simulate,
} from './privacy-world.ts'
import { contentsOf, filesBelow, searchFor } from './search.ts'
import {
  tamperedAnswer,
  tamperedRecords,
  type ChangeRecord,
  type Reply,
} from './tampered-service.ts'

/** A webhook that refuses every line, and says so with its own address. */
async function refusingHook(): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (piece: string) => heard.push(piece))
    request.on('end', () => response.writeHead(500).end(`no hook at ${request.url}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/${HOOK_PATH}`, heard }
}

const places = async (folder: string, text: string) =>
  (await searchFor([text]).inFolder(folder)).map(({ place }) => place)

/** The faults of some records, by position in the list. Every faulty field has personal data in it. */
const BREAKS: Record<string, Record<number, [RegExp, string]>> = {
  transactions: {
    3: [/"created":"[^"]*"/, '"created":"Zyxcanaryfirst 555018273645"'],
    5: [/"amountTotal":"[^"]*"/, '"amountTotal":"zyxcanary.mail@zyxcanary.example"'],
    7: [/"terminalId":\d+/, '"terminalId":"Zyxcanary Company"'],
    9: [/"transactionId":\d+/, '"transactionId":"Zyxcanarylast, ZYX 9Q7C"'],
    11: [/"approved":(?:true|false)/, '"approved":"Zyxcanarystate"'],
    13: [/"settled":(?:true|false)/, '"settled":["Zyxcanaryland"]'],
    15: [/"action":"[^"]*"/, '"action":{"Zyxcanaryfirst":"Zyxcanarylast"}'],
    17: [/^.*$/s, '"Zyxcanaryfirst Zyxcanarylast, 7 Zyxcanary Street"'],
  },
  settlements: {
    2: [/"amountNet":[^,}]+/, '"amountNet":"Zyxcanary Job"'],
    4: [/"status":"[^"]*"/, '"status":["zyxcanary-identifier"]'],
    6: [/"created":"[^"]*"/, '"created":"555019283746"'],
  },
}

const broken: ChangeRecord = (list, ordinal, record) => {
  const [pattern, instead] = BREAKS[list]?.[ordinal] ?? []
  if (pattern === undefined || instead === undefined) return record
  if (!pattern.test(record)) throw new Error(`${String(pattern)} is not in ${list} ${ordinal}`)
  return record.replace(pattern, () => instead)
}

describe('the search finds', () => {
  const name = 'Zyxcanarylast'

  test('a text in any letter case, in base64 at any offset, in hex, in two bytes per letter', () => {
    const search = searchFor([name])
    const spellings = (text: string) => search.inText('x', text).map(({ spelling }) => spelling)
    expect(spellings(`a ${name.toUpperCase()} b`)).toEqual(['plain'])
    for (const before of ['', '.', '..', '...']) {
      const coded = Buffer.from(`${before}${name}, and more`)
      expect(spellings(coded.toString('base64'))).toEqual(['base64'])
      expect(spellings(coded.toString('base64url'))).toEqual(['base64'])
    }
    expect(spellings(Buffer.from(name).toString('hex'))).toEqual(['hex'])
    expect(spellings(Buffer.from(name, 'utf16le').toString('latin1'))).toEqual(['two bytes'])
    expect(spellings('Zyxcanaryfirst')).toEqual([])
  })

  test('each planted text and each secret by itself', () => {
    for (const text of [...CANARIES, ...SECRETS]) {
      expect(forbidden.inText('x', `{"a":"${text}"}`), text).not.toEqual([])
    }
  })

  test('a text in the rows of a Parquet file, a SQLite file and its log, a workbook, a file name', async () => {
    const folder = tempFolder()
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run(
      `copy (select i, case i when 4711 then '${name}' else 'nobody' end as who from range(9999) as t(i))
       to '${join(folder, 'x.parquet')}' (compression zstd)`,
    )
    connection.closeSync()
    const content = [`<t>nobody</t><t>${name}</t>`]
    await writeZip(join(folder, 'x.xlsx'), [{ path: 'xl/sheet.xml', content }])
    writeFileSync(join(folder, `${name}.csv`), 'nothing')
    const found = await places(folder, name)
    expect(found).toContain('x.parquet (rows)')
    expect(found).toContain(`${name}.csv (name)`)
    expect(found.filter((place) => place.startsWith('x.xlsx (entry '))).toHaveLength(1)
    expect(found).not.toContain('x.xlsx')
  })
})

describe('no personal data and no secret is in anything that is written', () => {
  test('a night writes none into lake, pack, workbook, Temporal’s database, logs and answers', async () => {
    const simulator = await simulate()
    const served = (await everythingIn(simulator, 'transactions')).toLowerCase()
    expect(CANARIES.filter((text) => !served.includes(text.toLowerCase()))).toEqual([])
    const hook = await refusingHook()
    const { folder, ended, command } = await runBy(simulator.url, tempFolder(), {
      TIEOUT_WEBHOOK_URL: hook.url,
    })
    expect(ended.code, ended.stderr).toBe(0)
    expect(JSON.parse(ended.stdout)).toMatchObject({ webhookFailed: 'it answered 500' })
    expect(ended.stderr).toContain('the webhook answered 500')
    expect(hook.heard).toHaveLength(1)
    expect(JSON.parse(hook.heard[0] ?? '')).toMatchObject({
      event: 'published',
      text: expect.stringMatching(
        /^privacy 2025-09-21 to 2025-11-\d\d; settlements \d+: .*\d tied/,
      ),
    })
    expect(forbidden.inText('webhook', hook.heard.join())).toEqual([])
    const { settlementId } = readSettlement(folder)
    expect((await command(['explain', settlementId, '--as-of', END])).code).toBe(0)
    const contents = await contentsOf(folder)
    expect(forbidden.in(contents)).toEqual([])

    // The search did read all of it: the account's name is found in each kind of file.
    const account = searchFor(['privacy'])
      .in(contents)
      .map(({ place }) => place)
    for (const kind of [
      /^lake\/catalog\.sqlite \(table /,
      /^lake\/parquet\/.*\.parquet \(rows\)$/,
      /^lake\/temporal\/temporal\.db \(table /,
      /^out\/.*\.csv$/,
      /^out\/.*summary\.html$/,
      /^out\/.*summary\.xlsx \(entry /,
      /^\d+-run\.stdout$/,
      /^\d+-run\.stderr$/,
    ]) {
      expect(
        account.filter((place) => kind.test(place)),
        String(kind),
      ).not.toEqual([])
    }

    // And one text that is planted in a copy is found where it was planted, and nowhere else.
    const copy = tempFolder()
    cpSync(folder, copy, { recursive: true })
    const csv = filesBelow(copy).find((file) => file.endsWith('exceptions.csv')) ?? ''
    writeFileSync(csv, readFileSync(csv, 'utf8').replace('\r\n', '\r\nZYXCANARYLAST,'))
    const found = await forbidden.inFolder(copy)
    expect(new Set(found.map(({ place }) => join(copy, place)))).toEqual(new Set([csv]))
  })

  test('unreadable records with personal data in wrong fields leave none', async () => {
    const simulator = await simulate()
    const service = await tamperedRecords(simulator.url, broken)
    const { folder, ended } = await runBy(service.url)
    expect(ended.code, ended.stderr).toBe(0)
    for (const [, instead] of Object.values(BREAKS).flatMap((of) => Object.values(of))) {
      expect(service.sent()).toContain(instead)
    }
    const texts = (await contentsOf(folder)).filter(({ place }) => place.endsWith('exceptions.csv'))
    const quarantined = texts.map(({ bytes }) => bytes.toString().match(/,QUARANTINED,/g)?.length)
    // Eleven of ours beside those that the simulator plants.
    expect(Number(quarantined[0])).toBeGreaterThanOrEqual(11)
    expect(await forbidden.inFolder(folder)).toEqual([])
  })

  test('a list with so many wrong records that the sweep stops leaves none', async () => {
    const simulator = await simulate()
    const service = await tamperedRecords(simulator.url, (_list, _ordinal, record) =>
      record.replace(/"amountTotal":"[^"]*"/, '"amountTotal":"Zyxcanaryfirst Zyxcanarylast"'),
    )
    const { folder, ended } = await runBy(service.url)
    expect(ended.code, ended.stderr).toBe(3)
    expect(ended.stderr).toContain('schema_change')
    expect(await forbidden.inFolder(folder)).toEqual([])
  })

  const quoting = JSON.stringify({
    errors: [{ message: `Zyxcanaryfirst Zyxcanarylast may not: Basic ${basic}` }],
  })
  const ANSWERS: [number, string, string][] = [
    [403, 'application/json', quoting],
    [404, 'application/json', quoting],
    [200, 'application/json', '{"results":[{"firstName":"Zyxcanarylast'],
    [422, 'application/json', quoting],
    [200, 'text/html', '<p>Hello Zyxcanarylast'],
    [200, 'application/json', '{"results":[],"next":"/Zyxcanarylast"}'],
    [200, 'application/json', '{"results":[],"next":"settlements?offset=Zyxcanarylast"}'],
    [401, 'application/json', quoting],
  ]
  test('a service whose refusals and broken pages quote a customer leaves none', async () => {
    const simulator = await simulate()
    const folder = tempFolder()
    let reply: Reply = { status: 200, type: 'text/html', body: '' }
    const service = await tamperedAnswer(simulator.url, () => reply)
    // The same worker runs all of it, so that no command has to start a server.
    const worker = startTieout(['worker'], placeIn(folder, service.url))
    await worker.says('worker ready')
    for (const [at, [status, type, body]] of ANSWERS.entries()) {
      reply = { status, type, body }
      const before = service.sent().length
      const { ended } = await runBy(service.url, folder)
      expect(ended.code, ended.stderr).toBe(3)
      expect(service.sent().slice(before)).toContain('Zyxcanarylast')
      writeFileSync(join(folder, `answer-${at}.stderr`), ended.stderr)
    }
    worker.kill('SIGTERM')
    const { stdout, stderr } = await worker.ended
    writeFileSync(join(folder, 'worker.said'), stdout + stderr)
    expect(await forbidden.inFolder(folder)).toEqual([])
  })
})

function readSettlement(folder: string): { settlementId: string } {
  const file = filesBelow(folder).find((name) => name.endsWith('settlements.csv')) ?? ''
  const [, row = ''] = readFileSync(file, 'utf8').split('\r\n')
  return { settlementId: row.split(',')[1] ?? '' }
}
