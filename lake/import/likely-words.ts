/** Translates the words of payment gateways into the words of the interface. */
import type { ImportList, ImportReading } from '../../domain/import.ts'
import type { Spellings } from './documented-text.ts'

type Words = Readonly<Record<string, Readonly<Record<string, string>>>>

const meaning = (entries: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([meant, words]) =>
      words.split(' ').map((word) => [word, meant]),
    ),
  )

const MEANT: Record<ImportList, Words> = {
  transactions: {
    action: meaning({
      CHARGE: 'sale sales charge payment purchase debit capture',
      REFUND: 'refund refunds credit return',
      VERIFY: 'verify verification verified',
    }),
    status: meaning({
      CAPTURE:
        'capture captured settled complete completed success successful succeeded approved paid declined failed',
      HOLD: 'hold held authorized authorised pending',
      VOID: 'void voided cancelled canceled',
    }),
  },
  settlements: {
    status: meaning({
      COMPLETE: 'complete completed settled paid closed',
      PENDING: 'pending open',
    }),
  },
}

const SETTLED = new Set(['settled'])
const DECLINED = new Set(['declined', 'failed'])

export interface WordForm {
  words: Words
  /** Columns that stand for more than one field, by field. */
  columns: Readonly<Record<string, string>>
}

interface Column {
  name: string
  values: readonly string[]
}

/** Returns the probable meaning of the words that the interface does not have. */
export function wordForm(
  list: ImportList,
  columns: ReadonlyMap<string, Column>,
  { reading, spellings }: { reading: ImportReading; spellings: Spellings },
): WordForm {
  const words: Record<string, Record<string, string>> = {}
  for (const [field, meant] of Object.entries(MEANT[list])) {
    const known = [...(spellings[field] ?? []), ...Object.keys(reading.words[field] ?? {})].map(
      lower,
    )
    const strange = distinct(columns.get(field)?.values ?? []).filter(
      (word) => !known.includes(lower(word)),
    )
    const found = strange.flatMap((word) => {
      const one = meant[lower(word)]
      return one === undefined || one === word.toUpperCase() ? [] : [[word, one] as const]
    })
    if (found.length > 0) words[field] = { ...reading.words[field], ...Object.fromEntries(found) }
  }
  if (list === 'settlements' || words['status'] === undefined) return { words, columns: {} }
  const known = [...(spellings['status'] ?? []), ...Object.keys(words['status'])].map(lower)
  return flagsOf(columns, words, known)
}

/** Derives settled and approved from the status: a gateway often has one column for all three. */
function flagsOf(
  columns: ReadonlyMap<string, Column>,
  words: Record<string, Record<string, string>>,
  known: readonly string[],
): WordForm {
  const status = columns.get('status')
  const said: Record<string, string> = {}
  const values = distinct(status?.values ?? []).filter((word) => known.includes(lower(word)))
  const flags = [
    ['settlement.settled', SETTLED, 'true', 'false'],
    ['response.approved', DECLINED, 'false', 'true'],
  ] as const
  for (const [field, those, ifSo, else_] of flags) {
    if (columns.has(field) || !values.some((word) => those.has(lower(word)))) continue
    said[field] = status?.name ?? ''
    words[field] = Object.fromEntries(
      values.map((word) => [word, those.has(lower(word)) ? ifSo : else_]),
    )
  }
  return { words, columns: said }
}

const lower = (text: string) => text.toLowerCase()
const distinct = (values: readonly string[]) =>
  [...new Set(values.filter((value) => value !== ''))].slice(0, 50)
