/** Columns of Parquet as fields. A typed column is used as it is, any other column by its text. */
import type { FieldKind } from '../../domain/record-fields.ts'
import { fromText, isUsualInstant, type FieldRules, type FieldSql, type Rule } from './field-sql.ts'

const INTEGER = /^U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/
const FLOATING = /^(?:FLOAT|DOUBLE)$/
const TIMESTAMP = /^TIMESTAMP/
const SCALE = /^DECIMAL\(\d+,(\d+)\)$/

/** True if values of such a column are numbers, so that their text can't hold personal data. */
export const isNumeric = (type: string): boolean =>
  INTEGER.test(type) || FLOATING.test(type) || SCALE.test(type)

/** True if the type of an amount's column shows whether it counts units or cents. */
export const saysItsUnit = (type: string, amounts: FieldRules['amounts']): boolean =>
  amounts === 'cents' ? INTEGER.test(type) || type === 'VARCHAR' : !INTEGER.test(type)

/**
 * Describes a column of a Parquet file as a field. `x` is the column as SQL, and `text` is its text in the documented
 * form.
 */
export function fromParquet(
  { x, type, text }: { x: string; type: string; text: string },
  rules: FieldRules,
): FieldSql {
  const typed = typedField(x, type, rules)
  if (typed === undefined) return fromText(text, rules)
  return {
    value: typed.value,
    clean: `case when ${x} is null then ${!rules.required} else coalesce(${typed.condition}, false) end`,
    text,
  }
}

/** Returns the field if its type states as much as its text would. Otherwise undefined. */
function typedField(x: string, type: string, rules: FieldRules): Rule | undefined {
  const { kind, amounts } = rules
  if ((kind === 'id' || kind === 'looseId') && INTEGER.test(type)) {
    return { value: `try_cast(${x} as bigint)`, condition: `try_cast(${x} as bigint) > 0` }
  }
  if (kind === 'instant' && TIMESTAMP.test(type)) {
    const value = `${x}::timestamp`
    return { value, condition: isUsualInstant(value) }
  }
  if (kind === 'flag' && type === 'BOOLEAN') return { value: x, condition: 'true' }
  if ((kind === 'amount' || kind === 'net') && isNumeric(type))
    return money(x, type, { kind, amounts })
  return undefined
}

type Money = Pick<FieldRules, 'amounts'> & { kind: 'amount' | 'net' }

function money(x: string, type: string, { kind, amounts }: Money): Rule | undefined {
  const least = kind === 'net' ? (limit: string) => `-${limit}` : () => '0'
  if (amounts === 'cents') {
    return {
      value: `try_cast(${x} as bigint)`,
      condition: `${x} between ${least('999999999999999')} and 999999999999999`,
    }
  }
  if (kind === 'amount' && FLOATING.test(type)) return roundedToCent(x)
  if (!SCALE.test(type)) return undefined
  const decimal = `try_cast(${x} as decimal(15, 2))`
  return {
    value: `try_cast(${decimal} * 100 as bigint)`,
    condition: `${decimal} = ${x} and ${x} between ${least('9999999999999.99')} and 9999999999999.99`,
  }
}

/**
 * A double that stands for a whole cent. Two kinds of doubles are judged one by one: those almost a millionth away
 * from a cent, and those too large for that precision.
 */
function roundedToCent(x: string): Rule {
  const double = `${x}::double`
  return {
    value: `try_cast(round(${double} * 100) as bigint)`,
    condition: `${double} >= 0 and ${double} < 1e6 and abs(${double} - round(${double} * 100) / 100) < 9e-7`,
  }
}

/** Returns SQL for the text of a column of any type. */
export function textOf(x: string, type: string, kind: FieldKind): string {
  if (type === 'VARCHAR') return x
  if (TIMESTAMP.test(type)) return `strftime(${x}::timestamp, '%Y-%m-%dT%H:%M:%S.%fZ')`
  if (FLOATING.test(type)) return floatingText(`${x}::double`, kind)
  return SCALE.test(type) ? decimalText(x, kind) : `${x}::varchar`
}

/** Restores an id that a program stored as a double. Some programs do so for columns with missing values. */
function floatingText(x: string, kind: FieldKind): string {
  if (kind !== 'id' && kind !== 'looseId') return `${x}::varchar`
  return `case when ${x} = trunc(${x}) and abs(${x}) <= 9007199254740991 then ${x}::bigint::varchar else ${x}::varchar end`
}

function decimalText(x: string, kind: FieldKind): string {
  const scale = kind === 'amount' ? 2 : kind === 'id' || kind === 'looseId' ? 0 : undefined
  if (scale === undefined) return `${x}::varchar`
  const exact = `try_cast(${x} as decimal(38, ${scale}))`
  return `case when ${exact} = ${x} then ${exact}::varchar else ${x}::varchar end`
}
