/**
 * Goal: a person can read and check each file of sql/ alone. Method: rules over all files, and a bad example for
 * each rule.
 */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { kindOf } from '../../lake/run/models.ts'
import { headerOf, PACK_FILES } from '../../reports/pack/pack-files.ts'
import { formatSql } from './format-sql.mjs'
import { projectFiles } from './project-files.ts'
import {
  headerComplaints,
  lookAheadComplaints,
  lakeTablesIn,
  longSqlComplaints,
  modelsIn,
  parseModel,
  readabilityComplaints,
  readingComplaints,
  rewritingComplaints,
  type SqlModel,
} from './sql-rules.ts'

const files = projectFiles('sql')
const models = modelsIn(files)
const lakeTables = lakeTablesIn(files)
const named = models.map((model): [string, SqlModel] => [`${model.stage}/${model.name}`, model])

let connection: DuckDBConnection
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect()
})

const GOOD: SqlModel = {
  stage: '20_members',
  name: 'attribution',
  text: [
    '-- model    attribution',
    '-- grain    one row per transaction',
    '-- reads    current_transaction',
    '-- rule     R-05: by evidence',
    '-- silent   nothing',
    'with step as (select 1 as x) select transaction_id as "transactionId" from current_transaction, step',
  ].join('\n'),
}
const known = {
  models: [
    GOOD,
    { stage: '10_observed', name: 'current_transaction', text: '' },
    { stage: '20_members', name: 'beside', text: '' },
    { stage: '30_verdicts', name: 'tieout', text: '' },
  ],
  lakeTables: new Set(['lake.seen.transaction_version']),
}
/** GOOD with one thing changed. */
const changed = (from: string, to: string, more: Partial<SqlModel> = {}): SqlModel => {
  expect(GOOD.text).toContain(from)
  return { ...GOOD, ...more, text: GOOD.text.replaceAll(from, to) }
}

/** Complaints on the header of a finding. */
const finding = (name: string, title: string) =>
  headerComplaints(changed('-- model    attribution', `-- finding  ${title}`, { name }))

/** Complaints on what a model reads, in a small world of models. */
const complaintsOn = async (model: SqlModel) =>
  readingComplaints(model, await parseModel(connection, model), known)

test('the models are found', () => {
  expect(models.length).toBeGreaterThan(20)
  expect(lakeTables).toContain('lake.seen.transaction_version')
})

/** Names that occur again. */
const twice = (names: readonly string[]) => names.filter((name, at) => names.indexOf(name) !== at)

test('no two models make the same table, unless one takes it from a stored run', () => {
  const names = (of: readonly SqlModel[]) => of.map(({ name }) => name)
  const isStored = ({ stage }: SqlModel) => stage === 'explain_stored'
  expect(twice(names(models.filter((model) => !isStored(model))))).toEqual([])
  expect(twice(names(models.filter(isStored)))).toEqual([])
  expect(twice(['a', 'b', 'a'])).toEqual(['a'])
})

describe('SQL files run without change', () => {
  const code = projectFiles().filter(({ path }) => /^(?!test\/|bench\/).*\.ts$/.test(path))

  test('no string outside of lake/landing has more than twelve lines of SQL', () => {
    // The statements of a landing are made for each list, with its columns and the bounds of a batch.
    const judged = code.filter(({ path }) => !path.startsWith('lake/landing/'))
    expect(judged.length).toBeGreaterThan(100)
    expect(judged.flatMap(longSqlComplaints)).toEqual([])
    const lines = (count: number) =>
      `const sql = \`select \${a.map((b) => { return \`x\` })} from b${'\n'.repeat(count - 1)}\``
    const of = (count: number) => longSqlComplaints({ path: 'a.ts', text: lines(count) })
    expect([of(12).length, of(13).length]).toEqual([0, 1])
  })

  test('no code outside of lake/run changes the text of a model', () => {
    const judged = code.filter(({ path }) => !path.startsWith('lake/run/'))
    expect(judged.flatMap(rewritingComplaints)).toEqual([])
    const text = "const a = view.text.replaceAll('b', 'c')"
    expect(rewritingComplaints({ path: 'a.ts', text })).toHaveLength(1)
  })
})

test('no two migrations have one number, because a lake with one of them would be refused by the other', () => {
  const numbers = files.flatMap(({ path }) => /^sql\/schema\/(\d{4})_/.exec(path)?.[1] ?? [])
  expect(numbers).toContain('0001')
  expect(twice(numbers)).toEqual([])
})

describe('every model can be read in two minutes', () => {
  test.each(named)('%s', (_, model) => {
    expect(readabilityComplaints(model)).toEqual([])
  })

  test('the rule refuses a model of 121 lines, and a CTE whose name is no noun', () => {
    const long = { ...GOOD, text: 'select 1\n'.repeat(121) }
    expect(readabilityComplaints(long)).toHaveLength(1)
    const text = 'with\n    moved as (\n        select 1\n    )\nfrom moved\n'
    expect(readabilityComplaints({ ...GOOD, text })).toEqual(['has a step "moved"'])
  })
})

describe('every model has a header', () => {
  test.each(named)('%s', (_, model) => {
    expect(headerComplaints(model)).toEqual([])
  })

  test('the rule refuses a header with a missing key, another order, no rule number or another name', () => {
    expect(headerComplaints(GOOD)).toEqual([])
    const bad = [
      changed('-- silent   nothing\n', ''),
      changed('-- grain', '-- grains'),
      changed('R-05: by', 'by'),
      changed('-- model    attribution', '-- model    tieout'),
      changed('-- model   ', '-- finding '),
      changed('one row per transaction', ''),
    ]
    expect(bad.map((model) => headerComplaints(model).length)).toEqual(bad.map(() => 1))
  })

  test('a model may be a view, and a check is in its own folder', () => {
    expect(headerComplaints(changed('-- model', '-- view '))).toEqual([])
    expect(headerComplaints(changed('-- model', '-- check'))).toHaveLength(1)
    expect(headerComplaints({ ...GOOD, stage: 'checks' })).toHaveLength(1)
  })

  test('a finding is named after a code', () => {
    expect(finding('pending_stale', 'PENDING_STALE')).toEqual([])
    expect(finding('pending_stale', 'PENDING_DRIFT')).toHaveLength(1)
    expect(finding('made_up', 'MADE_UP, error')).toEqual(['MADE_UP is no exception code'])
  })
})

describe('no model reads following rows without an order', () => {
  test.each(named)('%s', (_, model) => {
    expect(lookAheadComplaints(model)).toEqual([])
  })

  test('the rule refuses lead over (), and accepts lag and an ordered lead', () => {
    const looks = [
      'lead(x) over ()',
      'lead (x, 1, 0)\n  over ( )',
      'lead(x) over (order by y)',
      'lag(x) over ()',
    ]
    expect(
      looks.map((look) => lookAheadComplaints(changed('select 1 as x', `select ${look}`)).length),
    ).toEqual([1, 1, 0, 0])
  })
})

describe('a model reads its own or an earlier stage, and names its tables', () => {
  test.each(named)('%s', async (_, model) => {
    const parsed = await parseModel(connection, model)
    expect(readingComplaints(model, parsed, { models, lakeTables })).toEqual([])
  })

  test('the rule refuses a later stage, the lake after the first stage and an unknown table, and accepts the own stage', async () => {
    expect(await complaintsOn(GOOD)).toEqual([])
    expect(await complaintsOn(changed('current_transaction', 'tieout'))).toEqual([
      'reads tieout of stage 30_verdicts',
    ])
    expect(await complaintsOn(changed('current_transaction', 'beside'))).toEqual([])
    expect(
      await complaintsOn(changed('current_transaction', 'lake.seen.transaction_version')),
    ).toEqual(['reads lake.seen.transaction_version past the first stage'])
    expect(await complaintsOn(changed('current_transaction', 'elsewhere'))).toHaveLength(1)
  })

  test('a folder beside the stages reads the lake and every stage, and no stage reads it', async () => {
    const explain = changed('current_transaction', 'tieout', {
      stage: 'explain',
      name: 'explained',
    })
    expect(await complaintsOn(explain)).toEqual([])
    const reader = changed('current_transaction', 'explained')
    const models = [...known.models, explain]
    expect(
      readingComplaints(reader, await parseModel(connection, reader), { ...known, models }),
    ).toEqual(['reads explained of stage explain'])
  })

  test('the rule refuses a header that names other tables than the select', async () => {
    expect(
      await complaintsOn(changed('-- reads    current_transaction', '-- reads    tieout')),
    ).toHaveLength(1)
  })

  test('a model that uses the type of enum_value must declare it', async () => {
    const using = changed('1 as x', "'CARD'::enum_value as x")
    expect(await complaintsOn(using)).not.toEqual([])
    const declared = {
      ...using,
      text: using.text.replace('current_transaction\n', 'current_transaction, enum_value\n'),
    }
    const words = {
      ...known,
      models: [...known.models, { stage: '10_observed', name: 'enum_value', text: '' }],
    }
    expect(readingComplaints(declared, await parseModel(connection, declared), words)).toEqual([])
  })

  test('the rule refuses two statements, and a statement that is no select', async () => {
    await expect(parseModel(connection, changed('select 1', '; select 1'))).rejects.toThrow(
      'not one select',
    )
    const ddl = { ...GOOD, text: 'create table x (y integer)' }
    await expect(parseModel(connection, ddl)).rejects.toThrow('not one select')
  })
})

describe('the models of the pack have exactly the documented columns', () => {
  test.each(PACK_FILES)('$name', async (packFile) => {
    const model = models.find(({ name }) => name === `pack_${packFile.table}`)
    if (model === undefined) throw new Error(`no model makes ${packFile.name}`)
    expect(kindOf(model)).toBe('pack')
    expect((await parseModel(connection, model)).columns.join(',')).toBe(headerOf(packFile))
  })

  test('the columns of a select have their names, those of the first select in a union', async () => {
    const text = 'select a.x, 1 as "terminalId" from t as a union all select 1, 2'
    expect((await parseModel(connection, { ...GOOD, text })).columns).toEqual(['x', 'terminalId'])
  })
})

describe('every file of sql/ has one layout', () => {
  test('a text that fits on a line is written on one line, and a second pass changes nothing', () => {
    const messy = `-- model    x
SELECT a,   Sum(b) FILTER (WHERE c = 'X  y') over (PARTITION BY d ORDER BY e) AS f,
  case when a = 1 and b = 2 then -a else getvariable('as_of') end as g
FROM t WHERE a in (select k from u)`
    const tidy = `-- model    x
select
    a,
    sum(b) filter(where c = 'X  y') over (partition by d order by e) as f,
    case when a = 1 and b = 2 then -a else getvariable('as_of') end as g
from t
where a in (select k from u)
`
    expect(formatSql(messy)).toBe(tidy)
    expect(formatSql(tidy)).toBe(tidy)
  })

  test('a comment keeps its line, so that it never takes in the code after it', () => {
    const text = `select
    a -- the first
from t
`
    expect(formatSql(text)).toBe(text)
  })
})
