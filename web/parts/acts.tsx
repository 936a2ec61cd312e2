/** The decisions of a page: fields of a form become the act that a command would make, and the receipt is shown. */
import { hash } from 'node:crypto'
import type { Context } from 'hono'
import type { BooksAct, BooksActed } from '../../domain/books.ts'
import { wordsOf } from '../../domain/decision-words.ts'
import { shellWord } from '../../cli/shell/shell-word.ts'
import { typed } from '../../cli/shell/typed-command.ts'
import { Failure } from '../../domain/failure.ts'
import { type Console, pageOf, refusalPage } from './console.tsx'
import { CommandLine, Page } from './frame.tsx'
import type { Env } from './guard.ts'
import { Link } from './link.tsx'

/** The fields of a form; a field that was given several times has all its values. */
export interface Form {
  text(name: string): string
  /** Undefined for an empty field. */
  given(name: string): string | undefined
  all(name: string): string[]
  /** The same for each sending of the same page with the same fields. */
  orderId: string
}

export async function formOf(context: Context<Env>): Promise<Form> {
  const fields = await context.req.parseBody({ all: true })
  const all = (name: string) => {
    const value = fields[name]
    return [value].flat().filter((one): one is string => typeof one === 'string' && one !== '')
  }
  const given = (name: string) => all(name)[0]
  const content = JSON.stringify([context.req.path, Object.entries(fields)])
  return { all, given, text: (name) => given(name) ?? '', orderId: hash('sha256', content) }
}

/** The person who acts: the name of the session, never a field. Throws config_missing. */
export function actorOf(context: Context<Env>): string {
  const { name } = context.get('person')
  if (name !== '') return wordsOf('--by', name)
  throw new Failure('config_missing', 'TIEOUT_ACTOR is not set, and a decision needs your name', {
    remedy: 'start tieout open with your name in TIEOUT_ACTOR',
  })
}

export interface Order {
  act: BooksAct
  /** The command that does the same. */
  line: string
  /** The page to return to. */
  back: string
  done?: (acted: BooksActed) => Promise<void>
}

/**
 * Performs an order and shows its receipt. A refusal is shown with its remedy, and nothing was done. The console
 * performs one order at a time, so that each sees the decision before it.
 */
export async function perform(
  context: Context<Env>,
  console: Console,
  order: (form: Form) => Promise<Order>,
): Promise<Response> {
  try {
    const { line, back, acted } = await console.inTurn(async () => {
      // The decision before this one has changed the lake.
      await console.reader.check()
      const form = await formOf(context)
      const { act, done, ...rest } = await order(form)
      // A form that a browser sends twice gets the receipt of its first time.
      const recorded = await console.decide({ ...act, orderId: form.orderId })
      await done?.(recorded)
      return { ...rest, acted: recorded }
    })
    const { seq, actor, actedAt, wasSo } = acted
    const receipt = wasSo
      ? `This was decided already, by ${actor} at ${actedAt}: act ${seq} of the audit trail. Nothing was added.`
      : `Done: act ${seq} of the audit trail, by ${actor} at ${actedAt}.`
    return await context.html(
      <Page {...pageOf(context, console)} title={wasSo ? 'Decided already' : 'Done'} at="">
        <p class="message">{receipt}</p>
        <CommandLine line={line} />
        <p>
          <Link href={back}>Back</Link>
        </p>
      </Page>,
    )
  } catch (error) {
    return refusalPage(context, console, error)
  }
}

/** A local address to return to; everything else leads to the first page. */
export const backOf = (form: Form): string => {
  const back = form.text('back')
  return /^\/[\w/?=&.%+*-]*$/.test(back) && !back.startsWith('//') ? back : '/'
}

/** A flag with a text that a person typed. Only behind an equals sign is `--json` a text and no other flag. */
export const flagOf = (flag: string, text: string): string[] =>
  text.startsWith('-') ? [`${flag}=${text}`] : [flag, text]

export const commandLine = (...words: readonly (string | undefined)[]): string =>
  typed(
    ['tieout', ...words.flatMap((word) => (word === undefined ? [] : [shellWord(word)]))].join(' '),
  )
