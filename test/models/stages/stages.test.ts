import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inOrder, readModels, type Model } from '../../../lake/run/models.ts'
import { projectFiles, ROOT } from '../../house/project-files.ts'
import { exampleOf, followed, STEPS } from './example.ts'

const models = readModels()
const stages = [...new Set(models.map(({ stage }) => stage))]
const fileOf = (stage: string) => join(ROOT, 'sql', stage, 'README.md')
const pageOf = (stage: string) => readFileSync(fileOf(stage), 'utf8')
const namesIn = (stage: string) =>
  models.filter((model) => model.stage === stage).map(({ name }) => name)

const BEGINS = '<!-- made by WRITE_EXAMPLES=1 npx vitest run test/models/stages -->\n'
const ENDS = '<!-- end -->\n'

test('there are at most 14 stages, and each has more than one model', () => {
  expect(stages.length).toBeLessThanOrEqual(14)
  expect(stages.filter((stage) => namesIn(stage).length < 2)).toEqual([])
})

describe('the page of a stage names each of its models, and nothing else as one', () => {
  test.each(stages)('%s', (stage) => {
    const listed = [...pageOf(stage).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(listed.toSorted()).toEqual(namesIn(stage).toSorted())
    for (const heading of ['## Comes in', '## Goes out', '## Models', '## One settlement']) {
      expect(pageOf(stage)).toContain(`${heading}\n`)
    }
  })
})

test('the settlement that the pages follow has the rows that they show', async () => {
  expect(Object.keys(STEPS)).toEqual(stages)
  const connection = await followed()
  try {
    for (const stage of stages) {
      const [before = '', rest = ''] = pageOf(stage).split(BEGINS)
      const [shown = '', after = ''] = rest.split(ENDS)
      const made = `${await exampleOf(connection, stage)}\n`
      if (process.env['WRITE_EXAMPLES'] !== undefined) {
        writeFileSync(fileOf(stage), `${before}${BEGINS}${made}${ENDS}${after}`)
      } else {
        expect(shown).toBe(made)
      }
    }
  } finally {
    connection.closeSync()
  }
})

test('models that read one another in a circle are refused, and every other model runs after those that it reads', () => {
  const model = (name: string, reads: string): Model => ({
    stage: '10_observed',
    name,
    text: `-- model    ${name}\n-- reads    ${reads}\nselect 1`,
  })
  const line = [model('a', 'b, lake.seen.presence'), model('b', 'c'), model('c', 'elsewhere')]
  expect(inOrder(line).map(({ name }) => name)).toEqual(['c', 'b', 'a'])
  expect(() => inOrder([model('a', 'b'), model('b', 'a')])).toThrow('no circle among a, b')
})

/** Code that compares or matches the stage of a model. */
const COMPARES =
  /\bstage\s*(?:[<>]=?|[!=]==)|\bstage\.(?:startsWith|endsWith|match|includes)|\.test\((?:model\.)?stage\b|'\d\d_[a-z]+(?:\/\w+)?'/g

const complaintsOn = (text: string) => [...text.matchAll(COMPARES)].map(([found]) => found)

test('no code compares or matches the number or the name of a stage', () => {
  const folders = [
    'lake',
    'activities',
    'workers',
    'cli',
    'reports',
    'bench',
    'domain',
    'queries',
    'workflows',
  ]
  const files = folders.flatMap((folder) => projectFiles(folder))
  // These are stages of a command's progress.
  const isOfRuns = /^(?:workflows\/backfill|cli\/(?:backfill\/(?:text|watch)|run\/watch))\.ts$/
  const found = files
    .filter(({ path }) => path.endsWith('.ts') && !isOfRuns.test(path))
    .flatMap(({ path, text }) => complaintsOn(text).map((complaint) => `${path}: ${complaint}`))
  expect(found).toEqual([])
  expect(complaintsOn("stage < '46'; stage.startsWith('40_'); MIDDLE.test(stage)")).toHaveLength(3)
  expect(complaintsOn("run('34_rival/rival')")).toHaveLength(1)
})
