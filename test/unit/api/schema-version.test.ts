/** Goal: the rules of records change with a new version only, so that quarantined records are judged again. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseJson } from '../../../api/json/json.ts'
import { holdsNothing } from '../../../api/record/field-checks.ts'
import { KINDS } from '../../../api/record/field-kinds.ts'
import { RULES, type FieldRule, type ObjectRule } from '../../../api/record/record-rules.ts'
import { SCHEMA_VERSION } from '../../../domain/schema-version.ts'

/** JSON of every type, on both sides of each limit of what is read. */
const VALUES = [
  ...['null', 'true', 'false', '{}', '[]', '["PPD"]', '["PPD","WEB"]', '[1]', '[null]', '[[]]'],
  ...[
    '0',
    '-0',
    '1',
    '-1',
    '1.0',
    '1.5',
    '12.30',
    '12.345',
    '1e3',
    '1e-2',
    '1e400',
    '0.1',
    '99999',
  ],
  ...['100000', '3.1234', '3.12345', '12.3000001', '12.300001', '9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '999999999999999', '10000000000000000'],
  ...['""', '" "', '"1"', '"0"', '"12.30"', '"12.3"', '"12"', '"12.345"', '"-12.30"', '"+1.00"'],
  ...[
    '"1,000.00"',
    '"01.00"',
    '".50"',
    '"1."',
    '"1e3"',
    '"9999999999999.99"',
    '"99999999999999.99"',
  ],
  ...[
    '"2026-03-01"',
    '"2026-03-01T10:00:00"',
    '"2026-03-01T10:00:00Z"',
    '"2026-03-01T10:00:00.5Z"',
  ],
  ...['"2026-03-01T10:00:00.123456789Z"', '"2026-03-01T10:00:00+02:00"', '"2026-02-30T10:00:00Z"'],
  ...['"2026-03-01T24:00:00Z"', '"2026-03-01T10:00:60Z"', '"0000-01-01T00:00:00Z"'],
  ...['"9999-12-31T23:59:59Z"', '"CHARGE"', '"charge"', '"=A1"', '"@x"', '"A B"', '"\\u0000"'],
  ...['"\\u202e"', '"\\ud800"', '"1111"', '"111"', '"x1111"', '"11112"', '"4111111111111111"'],
  ...[
    `"${'x'.repeat(64)}"`,
    `"${'x'.repeat(65)}"`,
    `"${'x'.repeat(65_537)}"`,
    `"${'é'.repeat(64)}"`,
  ],
]

const outcomes = ({ fields }: ObjectRule): unknown[] =>
  [...fields.values()].flatMap((field) => {
    const outcome = field.inner === undefined ? outcomesOf(field) : outcomes(field.inner)
    return outcome === undefined ? [] : [[field.name, outcome]]
  })

function outcomesOf({ kind, isRequired }: FieldRule): unknown {
  if (kind === undefined) return undefined
  const { check } = KINDS[kind]
  const checked = (value: unknown) => (!isRequired && holdsNothing(value) ? null : check(value))
  return [isRequired, VALUES.map((text) => checked(parseJson(text)))]
}

const shape = createHash('sha256')
  .update(JSON.stringify([RULES.transactions, RULES.settlements, RULES.terminals].map(outcomes)))
  .digest('hex')
  .slice(0, 16)

/** A hash of what each version reads and refuses. */
const SHAPES: Record<number, string> = {
  1: '8816cfa5d734c55d',
  2: '142178ce3766aa94',
  3: '693343640bf8da41',
}

test('a change of what is read or refused raises SCHEMA_VERSION and adds its hash here', () => {
  expect({ [SCHEMA_VERSION]: shape }).toEqual({ [SCHEMA_VERSION]: SHAPES[SCHEMA_VERSION] })
})

test('versions are numbered in sequence, and no two read alike', () => {
  const versions = Object.keys(SHAPES).map(Number)
  expect(versions).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, at) => at + 1))
  expect(new Set(Object.values(SHAPES)).size).toBe(versions.length)
})
