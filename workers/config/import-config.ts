/** Reads the `import` keys of the config file, and writes a reading in their form. */
import { stringify } from 'yaml'
import { z } from 'zod'
import {
  DEFAULT_READING,
  importFields,
  type ImportList,
  type ImportReading,
} from '../../domain/import.ts'
import { RECORD_FIELDS, wordsOf, type FieldKind } from '../../domain/record-fields.ts'
import { timeZoneNamed } from '../../domain/time-zone.ts'

const few = z.number().int().nonnegative().max(1000)
const PATTERN =
  /^(?=.*YY)(?=.*M)(?=.*D)(?:YYYY|YY|MMM|MM|M|DD|D|HH|H|hh|h|mm|ss|SSS|A|[^A-Za-z0-9%]|T|Z)+$/

const dates = z.strictObject({
  pattern: z.string().regex(PATTERN, 'is no pattern such as DD/MM/YYYY HH:mm:ss'),
  zone: z
    .string()
    .refine((zone) => timeZoneNamed(zone) !== undefined, 'is no IANA time zone')
    .transform((zone) => timeZoneNamed(zone) ?? zone),
})

/** Returns the schema for one list: columns by the service's names of the fields, and the form of the values. */
export const importReading = (list: ImportList) =>
  z
    .strictObject({
      columns: z
        .partialRecord(
          z.enum(Object.keys(RECORD_FIELDS[list])),
          z.string().regex(/^[^"\\]+$/, 'is no name of a column'),
        )
        .default({}),
      amounts: z.enum(['decimal', 'number', 'cents']).default('decimal'),
      delimiter: z.string().length(1).default(','),
      encoding: z.enum(['utf-8', 'windows-1252']).default('utf-8'),
      title_lines: few.default(0),
      total_lines: few.default(0),
      decimal_mark: z.enum(['.', ',']).default('.'),
      thousands_mark: z.enum(['', '.', ',', "'", ' ']).default(''),
      currency_marks: z
        .array(
          z.string().regex(/^[^0-9.,'()\s-]{1,8}\.?$/, 'is no mark of a currency such as $ or USD'),
        )
        .default([]),
      negative_refunds: z.boolean().default(false),
      dates: dates.optional(),
      words: wordsFor(list),
    })
    .refine(({ decimal_mark, thousands_mark }) => decimal_mark !== thousands_mark, {
      path: ['thousands_mark'],
      message: 'is the decimal mark as well',
    })
    .prefault({})

/** The fields whose words may be given a meaning. */
export const wordFields = (list: ImportList): string[] =>
  importFields(list).flatMap(([field, { kind }]) => (meaningOf(kind) === undefined ? [] : [field]))

/** Returns the schema of `words`: for each field of words or flags, the meanings that a word of the file may have. */
function wordsFor(list: ImportList) {
  const known = wordsOf(list)
  const shape: Record<string, z.ZodType<Record<string, string> | undefined>> = {}
  for (const [field, { kind }] of importFields(list)) {
    const meaning = meaningOf(kind, known[field])
    if (meaning !== undefined) shape[field] = z.record(z.string().min(1), meaning).optional()
  }
  return z.strictObject(shape).prefault({})
}

function meaningOf(kind: FieldKind, words?: readonly string[]): z.ZodType<string> | undefined {
  if (kind === 'flag') return z.union([z.boolean(), z.enum(['true', 'false'])]).transform(String)
  if (kind !== 'word' && kind !== 'optionalWord') return undefined
  return words === undefined ? z.string().min(1) : z.enum(words)
}

type Configured = z.infer<ReturnType<typeof importReading>>

/** Converts the config keys to a reading. Absent columns and words are left out. */
export function readingOf({ columns, words, dates: given, ...more }: Configured): ImportReading {
  return {
    columns: named(columns),
    words: named(words),
    ...{ amounts: more.amounts, delimiter: more.delimiter, encoding: more.encoding },
    ...{ titleLines: more.title_lines, totalLines: more.total_lines },
    ...{ decimalMark: more.decimal_mark, thousandsMark: more.thousands_mark },
    ...{ currencyMarks: more.currency_marks, negativeRefunds: more.negative_refunds },
    ...(given && { dates: given }),
  }
}

const named = <T>(entries: Readonly<Record<string, T | undefined>>): Record<string, T> =>
  Object.fromEntries(
    Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )

/** Returns a reading as lines of the config file. Keys with their default are left out. */
export function readingYaml(list: ImportList, reading: ImportReading): string {
  const usual = keysOf(DEFAULT_READING)
  const given = Object.entries(keysOf(reading)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(usual[key]),
  )
  return stringify({ import: { [list]: Object.fromEntries(given) } }).trimEnd()
}

const keysOf = (reading: ImportReading): Readonly<Record<string, unknown>> => ({
  ...{ encoding: reading.encoding, delimiter: reading.delimiter },
  ...{ title_lines: reading.titleLines, total_lines: reading.totalLines },
  ...{ amounts: reading.amounts, decimal_mark: reading.decimalMark },
  ...{ thousands_mark: reading.thousandsMark, currency_marks: reading.currencyMarks },
  ...{ negative_refunds: reading.negativeRefunds, dates: reading.dates },
  ...{ columns: reading.columns, words: reading.words },
})
