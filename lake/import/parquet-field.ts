/** Columns of Parquet as fields: a typed column is taken as it is, any other by its text. */
import type { FieldKind } from '../../domain/record-fields.ts'
import { fromText, isUsualInstant, type FieldRules, type FieldSql } from './field-sql.ts'

const INTEGER = /^U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$/
const FLOATING = /^(?:FLOAT|DOUBLE)$/
const TIMESTAMP = /^TIMESTAMP/
const SCALE = /^DECIMAL\(\d+,(\d+)\)$/

/** True where the text of such a column is a number and not somebody's text. */
export const isNumeric = (type: string): boolean =>
  INTEGER.test(type) || FLOATING.test(type) || SCALE.test(type)

/** True where an amount in such a column says how many decimals it has. */
export const saysItsUnit = (type: string, amounts: FieldRules['amounts']): boolean =>
  amounts === 'cents' ? INTEGER.test(type) || type === 'VARCHAR' : !INTEGER.test(type)

/** A column of a Parquet file as a field. `x` is the column as SQL, `text` its text as the documented form has it. */
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

interface Typed {
  value: string
  condition: string
}

/** The fields whose type says all that their text would say. */
function typedField(x: string, type: string, rules: FieldRules): Typed | undefined {
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

function money(x: string, type: string, { kind, amounts }: Money): Typed | undefined {
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
 * A double that stands for a whole cent. Those at the edge of a millionth, and those so large that a double is no finer
 * than that, are judged one by one.
 */
function roundedToCent(x: string): Typed {
  const double = `${x}::double`
  return {
    value: `try_cast(round(${double} * 100) as bigint)`,
    condition: `${double} >= 0 and ${double} < 1e6 and abs(${double} - round(${double} * 100) / 100) < 9e-7`,
  }
}

/** The text of a column, whatever its type. */
export function textOf(x: string, type: string, kind: FieldKind): string {
  if (type === 'VARCHAR') return x
  if (TIMESTAMP.test(type)) return `strftime(${x}::timestamp, '%Y-%m-%dT%H:%M:%S.%fZ')`
  if (FLOATING.test(type)) return floatingText(`${x}::double`, kind)
  return SCALE.test(type) ? decimalText(x, kind) : `${x}::varchar`
}

/** An id that was made a double on its way, for the sake of missing ones, is that id again. */
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
