/** Decisions about exceptions: the form, and the act that a command would make of it. */
import type { Context } from 'hono'
import type { FC } from 'hono/jsx'
import {
  actOf,
  type DecisionWords,
  DECISION_PARTS,
  type Verb,
} from '../../domain/decision-words.ts'
import { Failure } from '../../domain/failure.ts'
import { actorOf, backOf, commandLine, flagOf, type Form, type Order } from '../parts/acts.tsx'
import { refuseDecided } from '../parts/earlier-acts.ts'
import type { Console } from '../parts/console.tsx'
import type { Env } from '../parts/guard.ts'
import { LABELS } from '../parts/labels.ts'

const VERBS: readonly Verb[] = ['assign', 'waive', 'resolve', 'reopen']

/** Reads the form about one or several exceptions. Throws usage. */
export async function decisionOrder(
  context: Context<Env>,
  { settings, reader }: Console,
  form: Form,
): Promise<Order> {
  const verb = VERBS.find((one) => one === form.text('verb'))
  const ids = [...new Set(form.all('exceptionId'))]
  if (verb === undefined) throw new Failure('usage', 'choose what to do')
  if (ids.length === 0) throw new Failure('usage', 'choose at least one exception')
  const { account } = settings
  await refuseDecided(reader, { account, subjects: ids, form })
  const words = wordsFor(verb, form)
  const actor = actorOf(context)
  const acts = ids.map((exceptionId) => actOf(settings, { verb, exceptionId, actor }, words))
  const [only] = acts
  return {
    act:
      acts.length === 1 && only !== undefined ? only : { kind: 'exceptions', account, actor, acts },
    line: commandLine('exceptions', verb, ...ids, ...flagsFor(words)),
    back: backOf(form),
  }
}

/** Reads all fields: one that the decision does not take is refused later. Throws usage for a field that it needs. */
function wordsFor(verb: Verb, form: Form): DecisionWords {
  if (verb === 'assign') needed(form, 'to', 'a person to assign to')
  if (verb === 'waive') needed(form, 'until', 'the last day of the waiver')
  const given = DECISION_PARTS.flatMap((part) => {
    const value = form.given(part)
    return value === undefined ? [] : [[part, value] as const]
  })
  const reason = form.given('reason') ?? (verb === 'assign' ? 'to be worked on' : '')
  return { reason, ...Object.fromEntries(given) }
}

function needed(form: Form, name: string, title: string): void {
  if (form.given(name) === undefined) throw new Failure('usage', `name ${title}`)
}

const flagsFor = ({ reason, to, until, clearTo, date }: DecisionWords): string[] =>
  Object.entries({ to, until, 'clear-to': clearTo, date, reason }).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : flagOf(`--${name}`, value),
  )

/** The fields of a decision about the ticked exceptions. */
export const Decision: FC = () => (
  <fieldset class="decision">
    <legend>Decide about the chosen exceptions</legend>
    <label>
      What to do
      <select name="verb" required>
        <option value="assign">assign to a person</option>
        <option value="waive">waive until a day</option>
        <option value="resolve">resolve</option>
        <option value="reopen">withdraw the last decision</option>
      </select>
    </label>
    <label>
      {LABELS.to}
      <input name="to" maxlength={200} />
    </label>
    <label>
      {LABELS.until}
      <input name="until" type="date" />
    </label>
    <label>
      {LABELS.clearTo}
      <input name="clearTo" maxlength={200} />
    </label>
    <label>
      {LABELS.date}
      <input name="date" type="date" />
    </label>
    <label>
      {LABELS.reason}
      <input name="reason" maxlength={200} />
    </label>
    <button type="submit">Decide</button>
  </fieldset>
)
