import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXCEPTIONS } from '../../domain/exceptions.ts'
import { FAILURES } from '../../domain/failure.ts'
import { projectFiles, readProject } from './project-files.ts'
import { kindOf } from '../../lake/run/models.ts'
import { modelsIn } from './sql-rules.ts'

const CODE = /\.(ts|mjs|sql)$/
const code = projectFiles().filter(({ path }) => CODE.test(path))

/** The text under each second-level heading of a page, by the heading's first word. */
function entriesOf(page: string): Map<string, string> {
  const parts = page.split(/^## /m).slice(1)
  return new Map(
    parts.map((part) => [
      /^(?:<a id="([^"]+)">)?([\w-]+)?/.exec(part)?.slice(1).find(Boolean) ?? '',
      part,
    ]),
  )
}

/** The names that one list has and the other has not. */
function differences(wanted: Iterable<string>, found: Iterable<string>): string[] {
  const [left, right] = [new Set(wanted), new Set(found)]
  return [
    ...[...left].filter((name) => !right.has(name)).map((name) => `${name} is missing`),
    ...[...right].filter((name) => !left.has(name)).map((name) => `${name} is too many`),
  ]
}

/** Citations of a pattern in code that a page doesn't hold. */
function dangling(
  texts: readonly string[],
  citation: RegExp,
  known: ReadonlySet<string>,
): string[] {
  const cited = texts.flatMap((text) => [...text.matchAll(citation)].map(([, name = '']) => name))
  return [...new Set(cited)].filter((name) => !known.has(name))
}

/** Each entry of docs/exceptions.md begins with the severity of its code, and its rule. */
function severityComplaints(entries: ReadonlyMap<string, string>): string[] {
  return Object.entries(EXCEPTIONS).flatMap(([name, severity]) => {
    const line = entries.get(name)?.split('\n')[1] ?? ''
    const wanted = `${severity === 'error' ? 'Error' : 'Warning'}. Rule R-`
    return line.startsWith(wanted) ? [] : [`${name}: "${line}" does not begin with "${wanted}"`]
  })
}

const rules = entriesOf(readProject('docs/rules.md'))
const exceptions = entriesOf(readProject('docs/exceptions.md'))
const raised = new Set(
  modelsIn(projectFiles('sql'))
    .filter((model) => kindOf(model) === 'finding')
    .map(({ name }) => name.toUpperCase()),
)

describe('every code has an entry on its page, and every entry has a code', () => {
  test('exceptions', () => {
    expect(differences(Object.keys(EXCEPTIONS), exceptions.keys())).toEqual([])
  })

  test('failures', () => {
    const entries = entriesOf(readProject('docs/errors.md'))
    expect(differences(Object.keys(FAILURES), entries.keys())).toEqual([])
  })

  test('the check reports a missing entry and an unknown one', () => {
    const page = entriesOf(
      '# Errors\n## usage\ntext\n## made_up\ntext\n## <a id="a-01"></a>a-01 A title\n',
    )
    expect(differences(['usage', 'bug', 'a-01'], page.keys())).toEqual([
      'bug is missing',
      'made_up is too many',
    ])
  })
})

describe('docs/exceptions.md gives the severity and the rule of each code', () => {
  test('every entry has the severity of its code', () => {
    expect(severityComplaints(exceptions)).toEqual([])
  })

  test('the check reports a wrong severity and a missing entry', () => {
    const [first = '', second = ''] = Object.keys(EXCEPTIONS)
    const swapped = new Map([...exceptions, [first, `${first}\nWarning. Rule R-04.`]])
    swapped.delete(second)
    expect(severityComplaints(swapped)).toEqual([
      `${first}: "Warning. Rule R-04." does not begin with "Error. Rule R-"`,
      `${second}: "" does not begin with "Warning. Rule R-"`,
    ])
  })
})

/** Codes without a model, and models whose text-table test is missing: it names the model. */
function proofComplaints(codes: readonly string[], tests: readonly string[]): string[] {
  return codes.flatMap((name) => {
    const finding = name.toLowerCase()
    if (!raised.has(name)) return [`${name} has no model in sql/70_findings`]
    // Run by itself, in a chain of models, or asked for on a lake.
    const runs = new RegExp(`(?:\\brun\\(|\\bfound\\(|[[,])\\s*'${finding}'`)
    const isTested = tests.some((text) => runs.test(text))
    return isTested ? [] : [`${finding} has no test in test/models`]
  })
}

describe('every exception code has a model, and each model a table test', () => {
  const tests = projectFiles('test')
    .filter(({ path }) => path.startsWith('test/models/') && path.endsWith('.test.ts'))
    .map(({ text }) => text)

  test('every documented code has its model and its table test', () => {
    expect(proofComplaints(Object.keys(EXCEPTIONS), tests)).toEqual([])
  })

  test('the check reports a code without a model and a model without a test', () => {
    expect(proofComplaints(['MADE_UP', 'PENDING_STALE', 'VERIFY_NONZERO'], [])).toEqual([
      'MADE_UP has no model in sql/70_findings',
      'pending_stale has no test in test/models',
      'verify_nonzero has no test in test/models',
    ])
    expect(proofComplaints(['PENDING_STALE'], ["run('pending_stale', {"])).toEqual([])
  })
})

describe('every rule or assumption that code cites exists', () => {
  test('rules', () => {
    const texts = code.filter(({ path }) => path.endsWith('.sql')).map(({ text }) => text)
    expect(dangling(texts, /\b(R-\d\d)\b/g, new Set(rules.keys()))).toEqual([])
    expect(
      dangling([readProject('docs/exceptions.md')], /\b(R-\d\d)\b/g, new Set(rules.keys())),
    ).toEqual([])
  })

  test('assumptions', () => {
    const texts = code.map(({ text }) => text)
    const known = new Set(entriesOf(readProject('docs/assumptions.md')).keys())
    expect(known.size).toBeGreaterThan(10)
    expect(dangling(texts, /assumptions\.md#(a-\d+)/g, known)).toEqual([])
  })

  test('the check reports a citation of a missing entry', () => {
    expect(
      dangling(['-- rule R-99: x', '-- R-01'], /\b(R-\d\d)\b/g, new Set(rules.keys())),
    ).toEqual(['R-99'])
  })
})

test('rule numbers are unique and rising, and each rule has an example', () => {
  const numbers = [...readProject('docs/rules.md').matchAll(/^## (R-\d\d) \S/gm)].map(
    ([, name = '']) => name,
  )
  expect(numbers).toEqual([...new Set(numbers)].sort())
  expect(numbers).toHaveLength(rules.size)
  expect(
    [...rules].filter(([, text]) => !text.includes('*Example.*')).map(([name]) => name),
  ).toEqual([])
})

test('links between documents lead to existing files', () => {
  const pages = projectFiles().filter(({ path }) => path.endsWith('.md'))
  const known = new Set(projectFiles().map(({ path }) => path))
  const broken = pages.flatMap(({ path, text }) => {
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(
      ([, target = '']) => target,
    )
    const resolved = targets.map((target) => posix.join(posix.dirname(path), target))
    return resolved.filter((target) =>
      target.endsWith('/')
        ? ![...known].some((name) => name.startsWith(target))
        : !known.has(target),
    )
  })
  expect(pages.length).toBeGreaterThan(8)
  expect(broken).toEqual([])
})
