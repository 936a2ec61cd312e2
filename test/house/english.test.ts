/**
 * Goal: a reader understands each sentence at first reading. Method: each part of the project has its sentences
 * counted; a part has none that breaks a rule, or a ceiling in english-ceilings.json that may only fall.
 * `WRITE_CEILINGS=1 npx vitest run test/house/english.test.ts` lowers the ceilings.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type Complaint,
  complaintsIn,
  type Count,
  count,
  passagesOfFailures,
  passagesOfHelp,
  passagesOfMarkdown,
  passagesOfSql,
  passagesOfStrings,
  passagesOfTests,
  passagesOfTypeScript,
  sentencesOf,
} from './english-rules.ts'
import { type ProjectFile, projectFiles, readProject, ROOT } from './project-files.ts'

const CEILINGS = 'test/house/english-ceilings.json'
const NONE: Count = { long: 0, refused: 0, openers: 0 }
/** The pages that a person reads first. */
const FIRST_PAGES = new Set(['README.md', 'CONTRIBUTING.md', 'docs/rules.md', 'docs/errors.md'])
/** Lists of refused words and of bad examples. */
const OF_RULES = /^test\/house\/english/

/** The part of the project that a file's prose belongs to, and its passages, as `part: passages`. */
function partsOf({ path, text }: ProjectFile): [part: string, passages: string[]][] {
  if (OF_RULES.test(path) || path === 'docs/data-dictionary.md') return []
  const [folder = ''] = path.split('/')
  if (path.endsWith('.md')) {
    if (FIRST_PAGES.has(path)) return [[path, passagesOfMarkdown(text)]]
    const part = path.startsWith('docs/decisions/') ? 'docs/decisions' : folder
    return [[folder === 'docs' ? part : `${part}: pages`, passagesOfMarkdown(text)]]
  }
  if (path.startsWith('test/system/cli/golden/')) return [['help', passagesOfHelp(text)]]
  if (path.endsWith('.sql')) return [[`${folder}: comments`, passagesOfSql(text)]]
  if (!path.endsWith('.ts')) return []
  const parts: [string, string[]][] = [[`${folder}: comments`, passagesOfTypeScript(text)]]
  if (path.endsWith('.test.ts')) parts.push(['test: titles', passagesOfTests(text)])
  else if (folder !== 'test') parts.push(['errors', passagesOfFailures(text)])
  if (path.startsWith('reports/page/')) parts.push(['summary page', passagesOfStrings(text)])
  if (path === 'domain/failure.ts') parts.push(['errors', passagesOfStrings(text)])
  return parts
}

const complaints = new Map<string, (Complaint & { path: string })[]>()
for (const file of projectFiles()) {
  for (const [part, passages] of partsOf(file)) {
    const own = complaintsIn(passages).map((complaint) => ({ ...complaint, path: file.path }))
    complaints.set(part, [...(complaints.get(part) ?? []), ...own])
  }
}

let ceilings: Record<string, Count> = JSON.parse(readProject(CEILINGS))

if (process.env['WRITE_CEILINGS'] === '1') {
  const lower = (part: string, found: Count): Count => {
    const old = ceilings[part] ?? NONE
    return {
      long: Math.min(old.long, found.long),
      refused: Math.min(old.refused, found.refused),
      openers: Math.min(old.openers, found.openers),
    }
  }
  const lowered = [...complaints]
    .map(([part, own]): [string, Count] => [part, lower(part, count(own))])
    .filter(([, { long, refused, openers }]) => long + refused + openers > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  ceilings = Object.fromEntries(lowered)
  const lines = lowered.map(
    ([part, { long, refused, openers }]) =>
      `  "${part}": { "long": ${long}, "refused": ${refused}, "openers": ${openers} }`,
  )
  writeFileSync(join(ROOT, CEILINGS), `{\n${lines.join(',\n')}\n}\n`)
}

/** How a count stands to its ceiling: a complaint for each rule, or none. */
function judge(ceiling: Count, found: readonly (Complaint & { path: string })[]): string[] {
  return (['long', 'refused', 'openers'] as const).flatMap((rule) => {
    const own = found.filter((complaint) => complaint.rule === rule)
    if (own.length < ceiling[rule])
      return [`${rule}: ${own.length} of ${ceiling[rule]}; run this test with WRITE_CEILINGS=1`]
    if (own.length === ceiling[rule]) return []
    const shown = own.slice(0, 60).map(({ path, sentence }) => `${path}: ${sentence}`)
    return [`${rule}: ${own.length} of ${ceiling[rule]}`, ...shown]
  })
}

describe('the sentences of each part stay below its ceiling', () => {
  test.each([...complaints])('%s', (part, found) => {
    expect(judge(ceilings[part] ?? NONE, found)).toEqual([])
  })

  test('no ceiling belongs to a part that does not exist', () => {
    expect(complaints.size).toBeGreaterThan(15)
    expect(Object.keys(ceilings).filter((part) => !complaints.has(part))).toEqual([])
  })

  test('a count above the ceiling fails, and a count below it asks for a lower ceiling', () => {
    const found = complaintsIn(['Nobody knows.']).map((one) => ({ ...one, path: 'a.md' }))
    expect(judge(NONE, found)).toEqual(['refused: 1 of 0', 'a.md: Nobody knows.'])
    expect(judge({ ...NONE, refused: 1 }, found)).toEqual([])
    expect(judge({ ...NONE, refused: 2 }, found)).toEqual([
      'refused: 1 of 2; run this test with WRITE_CEILINGS=1',
    ])
  })
})

const rulesBroken = (passage: string) => complaintsIn([passage]).map(({ rule }) => rule)
const words = (number: number) => Array.from({ length: number }, () => 'word').join(' ')

describe('each rule catches a bad example', () => {
  test('a sentence of 26 words is long, and code counts as one word', () => {
    expect(rulesBroken(`${words(26)}.`)).toEqual(['long'])
    expect(rulesBroken(`${words(25)}. Word ${words(24)}.`)).toEqual([])
    expect(rulesBroken(`${words(24)} \`${words(9)}\`.`)).toEqual([])
  })

  test.each([
    ['Three were told.', 1],
    ['Somebody kept quiet, nobody met whoever sought the spoken.', 8],
    ['Transactions come to rest.', 1],
    ['A version of the asked.', 1],
    ['Those far off and the near.', 1],
    ['The service was asked near midnight.', 0],
    ['A method and a metric.', 0],
  ])('refused words in "%s": %i', (sentence, number) => {
    expect(rulesBroken(sentence)).toEqual(Array.from({ length: number }, () => 'refused'))
  })

  test.each(['What was seen before it.', 'Of each record the newest.', '*It* is done today.'])(
    'the opener of "%s"',
    (sentence) => {
      expect(rulesBroken(sentence)).toEqual(['openers'])
    },
  )

  test('a short heading and a question may begin with any word', () => {
    expect(rulesBroken('How it flows')).toEqual([])
    expect(rulesBroken('What is a chunk of a backfill?')).toEqual([])
  })
})

describe('prose is found where it stands', () => {
  test('a sentence ends at its full stop, not at a number or a code', () => {
    expect(sentencesOf('Use 1.5 or `a. B`. Then (R-05) stop! "Yes."')).toEqual([
      'Use 1.5 or CODE.',
      'Then (R-05) stop!',
      '"Yes."',
    ])
  })

  test('Markdown: paragraphs, items and cells, but no code and no written figures', () => {
    const page = `# R-01 Title\none\ntwo\n\n- three\n  four\n- [five](x.md)\n1. six\n\n| a | b |\n|---|---|\n| c | d |\n
\`\`\`sh\nno\n\`\`\`\n<!-- figures of x -->\nno\n<!-- end of the figures of x -->\nlast`
    expect(passagesOfMarkdown(page)).toEqual([
      'Title',
      'one two',
      'three four',
      '[five](x.md)',
      'six',
      'last',
      'a',
      'b',
      'c',
      'd',
    ])
  })

  test('TypeScript: comments', () => {
    expect(passagesOfTypeScript('/** One\n * two. */\nconst a = 1 // no\n  // three\n')).toEqual([
      'One two.',
      'three',
    ])
  })

  test('SQL: each key of a header, and comments', () => {
    const model = '-- grain    one row\n--          for each\n-- silent   never\nselect 1\n-- why\n'
    expect(passagesOfSql(model)).toEqual(['a row for each', 'never', 'why'])
  })

  test('help: a description, an option and a list with semicolons', () => {
    const page =
      'Usage: x\n\nSays a.\n\nOptions:\n  --by <name>  who acts\n               today\n\n0 done; 1 open'
    expect(passagesOfHelp(page)).toEqual([
      'Says a.',
      'Options:',
      'who acts today',
      '0 done',
      ' 1 open',
    ])
  })

  test('titles of tests, strings of a page and messages of failures', () => {
    const text = "test('a b', () => {})\ndescribe.each([1])('c', () => {})\ntest(\n  `d`,"
    expect(passagesOfTests(text)).toEqual(['a b', 'c', 'd'])
    expect(passagesOfStrings("note('None of these can be.', 'bad')")).toEqual([
      'None of these can be.',
    ])
    expect(passagesOfStrings("' it counts here, too', 'it does not count here'")).toEqual([
      ' it counts here, too',
      '7 it does not count here',
    ])
    expect(passagesOfFailures("new Failure(\n 'usage', `${x} is no date`)")).toEqual([
      '7 is no date',
    ])
  })
})
