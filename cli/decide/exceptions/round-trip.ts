/** `exceptions export` and `exceptions apply`: decisions on many exceptions by way of a spreadsheet, all or nothing. */
import { writeFile } from 'node:fs/promises'
import type { ExceptionAct } from '../../../domain/books.ts'
import { csvLine } from '../../../domain/csv-text.ts'
import { Failure } from '../../../domain/failure.ts'
import { countedNoun } from '../../../domain/headline.ts'
import { reasonOf } from '../../../domain/reason.ts'
import type { Settings } from '../../../domain/settings.ts'
import { listExceptions, type ListedException } from '../../../queries/list-exceptions.ts'
import { readCsvRows, type CsvRows } from '../../../queries/csv-rows.ts'
import { guarded } from '../../../reports/accounting/harmless-text.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { aborted } from '../../../workers/temporal/aborted.ts'
import type { Context } from '../../shell/context.ts'
import { requiredActor } from '../actor.ts'
import { actLine } from '../decide.ts'
import { decideMany, recordedWords } from './decision.ts'
import { actOf, type DecisionWords, type Verb } from '../../../domain/decision-words.ts'
import { filterOf, type FilterFlags } from './filter-flags.ts'

/** Columns that a person fills in; the others say what the row is about. */
const FILLED = ['decision', 'to', 'until', 'clearTo', 'date', 'reason'] as const
const SHOWN = [
  ...['code', 'severity', 'subjectType', 'subjectId', 'terminalName'],
  ...['amount', 'ageDays', 'state', 'assignee', 'cause'],
] as const satisfies readonly (keyof ListedException)[]
const COLUMNS = ['exceptionId', ...SHOWN, ...FILLED]

const VERBS: readonly Verb[] = ['assign', 'waive', 'resolve', 'reopen']

/** Marks ids as text, because a spreadsheet reads 12e4 as a number. `apply` takes them with it and without. */
const MARK = '#'

export async function exportCommand(
  context: Context,
  flags: FilterFlags & { output?: string },
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const listing = listExceptions(readSettings(settable), filterOf(flags))
  const exceptions = await Promise.race([listing, aborted(context.signal)])
  const text = [COLUMNS, ...exceptions.map(cellsOf)].map(csvLine).join('')
  const { output } = flags
  if (output === undefined) {
    context.terminal.print(text.replace(/\r\n$/, ''))
    return
  }
  await writeNew(output, text)
  if (json === true) {
    context.terminal.print(JSON.stringify({ file: output, exceptions: exceptions.length }))
  } else context.terminal.say(`${countedNoun(exceptions.length, 'exception')} in ${output}`)
}

/** A byte order mark tells spreadsheets that the file is UTF-8. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, `\uFEFF${text}`, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    throw new Failure('would_overwrite', `${file} can't be written: ${reasonOf(cause)}`, {
      cause,
      remedy: 'choose another --output',
    })
  }
}

const cellsOf = (one: ListedException): string[] => [
  `${MARK}${one.exceptionId}`,
  ...SHOWN.map((name) => {
    const text = String(one[name] ?? '')
    return name === 'amount' ? text : guarded(text)
  }),
  ...FILLED.map(() => ''),
]

export async function applyCommand(
  context: Context,
  file: string,
  flags: { by?: string },
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const settings = readSettings(settable)
  const actor = requiredActor(flags.by)
  const acts = actsIn(settings, actor, await readCsvRows(file))
  if (acts.length === 0) {
    throw new Failure('usage', `${file} has no row with a decision`, {
      remedy: `fill the column decision with ${VERBS.join(', ')}`,
    })
  }
  const acted = await decideMany(context, settings, acts)
  if (json === true) {
    const { account } = settings
    context.terminal.print(JSON.stringify({ account, decisions: acts.length, ...acted }))
    return
  }
  context.terminal.print(`${file}: ${recordedWords(acts.length, acted)}`)
  context.terminal.print(actLine(acted))
}

/** The acts of the rows with a decision. Throws usage with the row and the column. */
function actsIn(settings: Settings, actor: string, { names, rows }: CsvRows): ExceptionAct[] {
  const missing = ['exceptionId', ...FILLED].find((name) => !names.includes(name))
  if (missing !== undefined) {
    throw new Failure('usage', `row 1 names no column ${missing}`, {
      remedy: 'keep row 1 as tieout exceptions export wrote it',
    })
  }
  const seen = new Map<string, number>()
  return rows.flatMap(({ row, cells }) => {
    const cell = (name: string) => cells[name] ?? ''
    const decision = cell('decision').toLowerCase()
    if (decision === '') {
      refuseFilled(row, cell)
      return []
    }
    const verb = VERBS.find((one) => one === decision)
    if (verb === undefined) {
      const remedy = `write one of ${VERBS.join(', ')}, or leave the cell empty`
      throw new Failure('usage', `row ${row}, decision: ${decision} is no decision`, { remedy })
    }
    const exceptionId = cell('exceptionId').replace(MARK, '')
    const before = seen.get(exceptionId)
    if (before !== undefined) {
      const what = `row ${before} decides about the same exception`
      throw new Failure('usage', `row ${row}, exceptionId: ${what}`, {
        remedy: 'leave the decision of one of the two rows empty',
      })
    }
    seen.set(exceptionId, row)
    const act = actOf(settings, { verb, exceptionId, actor, row }, wordsIn({ verb, row }, cell))
    const inRow = { amount: cell('amount'), code: cell('code'), subjectId: cell('subjectId') }
    return [{ ...act, inRow }]
  })
}

/** Refuses a row of which a person has filled a column and forgotten the decision. Throws usage. */
function refuseFilled(row: number, cell: (name: string) => string): void {
  const filled = FILLED.find((name) => cell(name) !== '')
  if (filled === undefined) return
  const what = `the cell is empty, and the column ${filled} is filled`
  throw new Failure('usage', `row ${row}, decision: ${what}`, {
    remedy: `fill the column decision of that row, or empty its column ${filled}`,
  })
}

const NEEDED: Readonly<Record<Verb, readonly string[]>> = {
  assign: ['to'],
  waive: ['until', 'reason'],
  resolve: ['reason'],
  reopen: ['reason'],
}

function wordsIn(
  { verb, row }: { verb: Verb; row: number },
  cell: (name: string) => string,
): DecisionWords {
  const empty = NEEDED[verb].find((name) => cell(name) === '')
  if (empty !== undefined) {
    throw new Failure('usage', `row ${row}, ${empty}: the cell is empty, and ${verb} needs it`, {
      remedy: `fill the column ${empty} of that row`,
    })
  }
  const given = Object.fromEntries(
    FILLED.filter((name) => name !== 'decision' && cell(name) !== '').map((name) => [
      name,
      cell(name),
    ]),
  )
  return { reason: 'to be worked on', ...given }
}
