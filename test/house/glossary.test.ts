/** Goal: a reader finds each word of a model's name in the glossary. Method: the names of all models, word by word. */
import { expect, test } from 'vitest'
import { EXCEPTIONS } from '../../domain/exceptions.ts'
import { projectFiles } from './project-files.ts'
import { modelsIn } from './sql-rules.ts'

/** Words that only join others. */
const JOINING = ['at', 'before', 'by', 'to']

const glossary = projectFiles('docs').find(({ path }) => path === 'docs/glossary.md')?.text ?? ''

/** The terms in a glossary's tables. A first cell may have several; text in brackets is left out. */
const termsOf = (text: string): string[] =>
  [...text.matchAll(/^\| ([^|]+) \|/gm)]
    .flatMap(([, cell = '']) => cell.split(', '))
    .filter((term) => term !== 'word')

/** The words of terms, and those that are written as one in names: `tieout`, `cutoff`. */
const wordsOf = (terms: readonly string[]): Set<string> =>
  new Set(
    terms
      .map((term) => term.replace(/ \(.*\)/, ''))
      .flatMap((term) => [...term.split(/[ -]/), term.replaceAll(/[ -]/g, '')]),
  )

/** Words of models' names that are in no term, with the model. Names of findings are exception codes. */
const unexplained = (names: readonly string[], terms: readonly string[]): string[] => {
  const words = wordsOf(terms)
  return names
    .filter((name) => !Object.hasOwn(EXCEPTIONS, name.toUpperCase()))
    .flatMap((name) =>
      name
        .replace(/^pack_/, '')
        .split('_')
        .filter((word) => !words.has(word) && !JOINING.includes(word))
        .map((word) => `${word} (${name})`),
    )
}

test('each word in the name of a model is in the glossary', () => {
  const names = modelsIn(projectFiles('sql'))
    .filter(({ stage }) => stage !== 'checks')
    .map(({ name }) => name)
  expect(names.length).toBeGreaterThan(100)
  expect(unexplained(names, termsOf(glossary))).toEqual([])
})

test('the glossary has each term once', () => {
  const terms = termsOf(glossary)
  expect(terms.length).toBeGreaterThan(100)
  expect(terms.filter((term, at) => terms.indexOf(term) !== at)).toEqual([])
})

test('the check reports a word without an entry, and accepts another form of a term and a word of a code', () => {
  const terms = termsOf(
    '| word | meaning |\n|---|---|\n| cut-off | an end |\n| tie out, late | to agree |\n| day (of a bank) | x |',
  )
  expect(terms).toEqual(['cut-off', 'tie out', 'late', 'day (of a bank)'])
  const names = ['late_cutoff', 'tieout', 'pack_day', 'pending_stale', 'gap_by_day']
  expect(unexplained(names, terms)).toEqual(['gap (gap_by_day)'])
})
