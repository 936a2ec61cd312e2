/**
 * Goal: a name is a word of the field. Method: names of files, declarations and SQL are cut into words, and words that
 * this project once coined are refused. Names of the schema and the views are public and stay.
 */
import { describe, expect, test } from 'vitest'
import { type ProjectFile, projectFiles } from './project-files.ts'

const COINED = new Set(
  [
    'told heard telling asked asking spoken kept held met sought touched',
    'quiet loud near lately tidy doubt doubts doubted doubtful whoever somebody nobody',
    'gap gaps flip flips stretch stretches island islands seal seals sealed unsealed',
  ]
    .join(' ')
    .split(' '),
)

const PRODUCT = [
  ...['activities', 'api', 'cli', 'domain', 'lake', 'queries'],
  ...['reports', 'simulator', 'sql', 'workers', 'workflows'],
]

/** The words of a name in kebab-case, snake_case or camelCase. */
const wordsOf = (name: string): string[] =>
  [...name.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].map(([word]) => word.toLowerCase())

const isCoined = (name: string): boolean => wordsOf(name).some((word) => COINED.has(word))

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')

/** Names that a TypeScript file declares; of a file that only tests read, those that it exports. */
const declaredIn = (text: string, isExportOnly: boolean): string[] =>
  [
    ...withoutComments(text).matchAll(
      /\b(export )?(?:async )?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/g,
    ),
  ]
    .filter(([, exported]) => !isExportOnly || exported !== undefined)
    .map(([, , name = '']) => name)

/** Steps of SQL that stands in a TypeScript file: `name as (` at the begin of a line. */
const stepsIn = (text: string): string[] =>
  [...text.matchAll(/^[ `]*(?:with )?(\w+) as (?:materialized )?\(/gm)].map(([, name = '']) => name)

/** Tables, steps, columns and macros that SQL names, but neither its comments nor its texts. */
const namedIn = (sql: string): string[] =>
  [...sql.replaceAll(/--.*|'[^']*'/g, '').matchAll(/[a-z_]\w*/gi)].map(([name]) => name)

/** Names with a coined word, each once, with the path. */
function complaintsOn({ path, text }: Pick<ProjectFile, 'path' | 'text'>): string[] {
  const [folder = ''] = path.split('/')
  const isPublic = /^sql\/(?:schema|views)\//.test(path)
  const file = path.slice(path.lastIndexOf('/') + 1)
  const names = [
    file,
    ...(path.endsWith('.ts') ? [...declaredIn(text, folder === 'test'), ...stepsIn(text)] : []),
    ...(path.endsWith('.sql') && !isPublic ? namedIn(text) : []),
  ]
  return [...new Set(names.filter(isCoined))].map((name) => `${path}: ${name}`)
}

test('no file, declaration, table, step or column has a coined word in its name', () => {
  const files = [...PRODUCT, 'bench', 'test']
    .flatMap((folder) => projectFiles(folder))
    .filter(({ path }) => !path.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(500)
  expect(files.flatMap(complaintsOn)).toEqual([])
})

describe('a coined word is found', () => {
  test.each([
    ['the name of a file', 'lake/import/told.ts', '', 'told.ts'],
    ['a part of the name of a file', 'bench/as-told.mjs', '', 'as-told.mjs'],
    ['a function', 'api/a.ts', 'async function isMet() {}', 'isMet'],
    ['a constant', 'api/a.ts', 'const MOST_ASKED = 1', 'MOST_ASKED'],
    ['an interface', 'cli/a.ts', 'export interface LatelySeen {}', 'LatelySeen'],
    ['an export of a helper of tests', 'test/support/a.ts', 'export type Asked = 1', 'Asked'],
    ['a step in a string', 'lake/a.ts', '`with met as (\nselect 1)`', 'met'],
    ['a model', 'sql/10_observed/kept_row.sql', '', 'kept_row.sql'],
    ['a step', 'sql/10_observed/a.sql', 'with told as (select 1)', 'told'],
    ['a column', 'sql/10_observed/a.sql', 'select 1 as sought_cents', 'sought_cents'],
    ['a macro', 'sql/macros.sql', 'create macro spans_near (x) as x', 'spans_near'],
  ])('%s', (_what, path, text, name) => {
    expect(complaintsOn({ path, text })).toEqual([`${path}: ${name}`])
  })

  test.each([
    ['a longer word', 'api/method.ts', 'const nearest = metrics'],
    ['a comment or a value', 'api/a.ts', "/** type Asked */\nexport const reply = 'held'"],
    ['a constant inside a helper of tests', 'test/support/a.ts', 'const asked = 1'],
    ['a comment or a text of SQL', 'sql/10_observed/a.sql', "-- told\nselect 'kept' as word"],
    ['a public column', 'sql/views/sweeps.sql', 'select 1 as "keptTerminals"'],
  ])('and none in %s', (_what, path, text) => {
    expect(complaintsOn({ path, text })).toEqual([])
  })
})
