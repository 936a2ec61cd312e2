/**
 * Goal: a table test fails if its model is wrong. Method: each broken model of the bank must fail the test that is
 * named for it.
 */
import { describe, expect, test, TestRunner, vi } from 'vitest'
import type * as Models from '../../../lake/run/models.ts'
import { anyLayout, MUTANTS, type Mutant } from './bank.ts'

const broken = vi.hoisted(() => ({ mutant: undefined as Mutant | undefined }))

/** The models as every table test reads them, one of them with the mutant's text in it. */
vi.mock('../../../lake/run/models.ts', async (original) => {
  const models = await original<typeof Models>()
  return { ...models, readModels: () => models.readModels().map(mutated) }
})

function mutated(model: Models.Model): Models.Model {
  const { mutant } = broken
  if (mutant?.model !== model.name) return model
  return { ...model, text: model.text.replace(anyLayout(mutant.from), () => mutant.to) }
}

/** The argument that vitest gives to the function of a test. */
type Body = (context: object) => unknown

/** The tests of a file by their titles, taken out of the suite that they would otherwise run in. */
async function testsOf(file: string): Promise<Map<string, Body>> {
  const suite = TestRunner.getCurrentSuite()
  const before = suite.tasks.length
  await import(/* @vite-ignore */ `../../${file}.test.ts`)
  const found = suite.tasks.splice(before)
  return new Map(
    found.flatMap((task) =>
      task.type === 'test' ? [[task.name, TestRunner.getTestFn(task) as Body]] : [],
    ),
  )
}

async function run(body: Body, context: object, mutant: Mutant | undefined): Promise<void> {
  broken.mutant = mutant
  try {
    await body(context)
  } finally {
    broken.mutant = undefined
  }
}

/** The replaced text and its replacement, on one line. */
const changeOf = ({ from, to }: Mutant) =>
  `${from.trim().replaceAll(/\s+/g, ' ')} -> ${to.trim().replaceAll(/\s+/g, ' ')}`

describe.each([...new Set(MUTANTS.map(({ file }) => file))])('%s notices', async (file) => {
  const bodies = await testsOf(file)
  for (const mutant of MUTANTS.filter((one) => one.file === file)) {
    test(`${mutant.model}: ${changeOf(mutant)}`, async (context) => {
      const { readModels } = await vi.importActual<typeof Models>('../../../lake/run/models.ts')
      const model = readModels().find(({ name }) => name === mutant.model)
      expect(
        model?.text.split(anyLayout(mutant.from)),
        'the changed text stands there once',
      ).toHaveLength(2)
      const body = bodies.get(mutant.title)
      if (body === undefined) throw new Error(`${file} has no test "${mutant.title}"`)
      await run(body, context, undefined)
      // The test must fail on an expectation, and not because the changed model is no longer valid SQL.
      await expect(run(body, context, mutant)).rejects.toMatchObject({ name: 'AssertionError' })
    })
  }
})

test('the bank has at least 24 mutants, and no two are the same', () => {
  const changes = MUTANTS.map(({ model, from, to }) => [model, from, to].join(' '))
  expect(new Set(changes).size).toBe(MUTANTS.length)
  expect(MUTANTS.length).toBeGreaterThanOrEqual(24)
})
