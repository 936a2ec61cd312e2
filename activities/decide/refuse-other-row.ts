/** Compares a row of a decided file with the exception that its id names, because a spreadsheet may have moved cells. */
import type { ExceptionAct } from '../../domain/books.ts'
import { formatCents } from '../../domain/cents.ts'
import { Failure } from '../../domain/failure.ts'
import type { KnownException } from '../../lake/results/exception-history.ts'

/**
 * A decision is for the code, the subject and the amount that the person saw. Throws usage if the row has
 * others. An empty cell says nothing.
 */
export function refuseOtherRow(act: ExceptionAct, exception: KnownException): void {
  const { amountCents, code, exceptionId, subjectId } = exception
  const { amount = '', code: rowCode = '', subjectId: rowSubject = '' } = act.inRow ?? {}
  const refuse = (column: string, cell: string, now: string) => {
    throw new Failure(
      'usage',
      `row ${act.row}, ${column}: the file says ${cell}, and the exception ${exceptionId} has ${now}`,
      { remedy: 'export the exceptions again, and decide about what they are now' },
    )
  }
  if (rowCode !== '' && rowCode !== code) refuse('code', rowCode, `the code ${code}`)
  if (rowSubject !== '' && !isId(rowSubject, subjectId)) {
    refuse('subjectId', rowSubject, `the subject ${subjectId}`)
  }
  if (amount !== '' && !readingsOf(amount).includes(amountCents)) {
    const now =
      amountCents === null ? 'no amount' : `the amount ${formatCents(BigInt(amountCents))}`
    refuse('amount', amount, now)
  }
}

/** True for an id as a spreadsheet may show it: without zeros at its beginning, or as a power of ten. */
function isId(cell: string, id: string): boolean {
  const text = cell.replace(/^'/, '').replace(',', '.')
  const [isPower, decimals = ''] = /^\d(?:\.(\d+))?E\+?\d+$/i.exec(text) ?? []
  if (isPower !== undefined) {
    return Number(text) === Number(Number(id).toExponential(decimals.length))
  }
  return text.replace(/^0+/, '') === id.replace(/^'?0*/, '')
}

/** The cents of a cell that a spreadsheet may have rewritten: with a comma, without zeros at the end, or in groups. */
function readingsOf(cell: string): (string | null)[] {
  const text = cell.replaceAll(/[\s'’]/g, '').replace('−', '-')
  return ['.', ','].flatMap((mark) => {
    const [, sign = '', whole = '', fraction = ''] = (mark === '.' ? DOT : COMMA).exec(text) ?? []
    if (whole === '') return []
    const digits = whole.replaceAll(/[.,]/g, '') + fraction.slice(0, 2).padEnd(2, '0')
    return [BigInt(sign + digits).toString()]
  })
}

/** An amount with decimals after a point, or after a comma, and with or without groups of thousands. */
const DOT = /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}0*))?$/
const COMMA = /^(-?)(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}0*))?$/
