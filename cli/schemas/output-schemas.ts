/**
 * The forms of the manifest and of the JSON that commands print. Names only grow, so that each object may have more
 * keys than stand here. Counts are numbers; ids and money are text.
 */
import { z } from 'zod'
import { MANIFEST_VERSION } from '../../reports/pack/manifest.ts'
import {
  CERTIFICATE_NAMES,
  count,
  date,
  error,
  headline,
  id,
  instant,
  money,
  object,
  optional,
  sha256,
  text,
} from './words.ts'
import { doctor, doctorSource, status } from './state-schemas.ts'
import { webhook } from './webhook-schema.ts'

const window = object({ from: date, to: date })
/** The act of the audit trail that a decision made. */
const act = { seq: id, sha256, actor: text, actedAt: instant, wasSo: z.boolean() }
const account = { account: text }
const range = { from: date, to: date }
const counts = z.record(z.string(), count)

const run = object({
  ...{ ...account, runId: text, window, asOf: instant, knownAt: id, pack: text, headline },
  ...{ certificate: CERTIFICATE_NAMES, exceptions: counts, openErrors: count, openWarnings: count },
  ...{ isAsOfSweep: optional(z.boolean()), latest: optional(text), webhookFailed: optional(text) },
  foreignLatest: optional(text),
  unknownNames: optional(z.record(z.string(), counts)),
})

const exception = {
  ...{ exceptionId: text, code: text, severity: z.enum(['error', 'warning']) },
  ...{ certainty: text.nullable(), subjectType: text, subjectId: text, terminalId: id.nullable() },
  ...{ amount: money.nullable(), detail: text.nullable(), firstSeen: instant, lastSeen: instant },
  ...{ ageDays: count.nullable(), state: text, stateBy: text.nullable() },
  ...{ stateReason: text.nullable(), assignee: text.nullable() },
}

/** A decision about one exception, or about several of them. */
const decision = z.union([
  object({
    ...{ ...account, exceptionId: text, decision: text, ...act },
    clearing: optional(object({ amount: money, to: text, date })),
  }),
  object({
    ...{ ...account, exceptionIds: z.array(text), decision: text, ...act },
    recorded: optional(count),
  }),
])

const hold = object({ since: instant, by: optional(text), failure: optional(z.unknown()) })

const progress = object({
  ...{ ...account, window, runId: text, startedAt: instant, chunks: count, chunksDone: count },
  ...{ stage: z.enum(['starting', 'reading', 'judging', 'done']), hold: optional(hold) },
  ...{ perSecond: optional(z.number()), requests: count, newVersions: count, headline },
})

const imported = { newVersions: count, quarantined: count, differing: count, older: count }

const reading = object({
  ...{ rows: count, quarantined: count, differing: count, rejects: z.array(z.unknown()) },
  ...{ refusal: optional(text), columns: z.record(z.string(), text), unknownWords: counts },
  ...{ unusedColumns: z.array(text), absentFields: z.array(text) },
})

const schedule = object({
  ...{ scheduleId: text, timezone: text, paused: z.boolean(), nextRun: instant.nullable() },
  nextMaintenance: instant.nullable(),
  recentRuns: z.array(object({ scheduledFor: instant, startedAt: instant, workflowId: text })),
})

const origin = z.enum(['flag', 'environment', 'file', 'default'])

const differences = object({
  ...{ added: z.array(z.unknown()), removed: z.array(z.unknown()), changed: z.array(z.unknown()) },
  unchanged: count,
})

const explain = object({
  ...{ settlementId: id, terminalId: id, created: instant, status: text, verdict: text },
  ...{ reportedNet: money.nullable(), computedNet: money.nullable(), difference: money.nullable() },
  ...{ method: text.nullable(), certificate: text.nullable(), explanation: text.nullable() },
  ...{ cause: text.nullable(), nextStep: text.nullable() },
  ...{ explainedAmount: money.nullable(), unexplainedAmount: money.nullable() },
  ...{ runId: text.nullable(), asOf: instant.nullable(), rivals: count },
  transactions: z.array(
    object({
      ...{ transactionId: id, created: instant, action: text, status: text },
      ...{ amountTotal: money, signedAmount: money, inside: z.boolean() },
    }),
  ),
  exceptions: z.array(object({ code: text, subjectType: text, subjectId: text, state: text })),
})

const manifest = object({
  schemaVersion: optional(z.literal(MANIFEST_VERSION)),
  ...{ runId: text, ...account, ...range, asOf: instant, knownAt: id, codeVersion: text },
  ...{ configHash: sha256, parameters: z.record(z.string(), z.unknown()) },
  ...{ certificate: CERTIFICATE_NAMES, csvProfile: z.enum(['machine', 'excel']) },
  preparedBy: optional(text),
  ...{ counts, unknownNames: z.record(z.string(), counts) },
  emptyValues: optional(z.record(z.string(), z.unknown())),
  controlTotals: z.array(
    object({
      ...{ check: text, expected: text.nullable(), actual: text.nullable() },
      ...{ difference: text.nullable(), pass: z.enum(['true', 'false']) },
    }),
  ),
  guards: object({ note: text, columns: z.record(z.string(), z.array(text)) }),
  files: z.array(object({ name: text, rows: count, bytes: count, sha256 })),
  manifestSha256: sha256,
})

/** The file manifest.json, the message of the webhook, the error of each command, and the result of each command that has one form. */
export const OUTPUTS = {
  manifest,
  error: object({ error }),
  run,
  'run --dry-run': object({
    ...{ ...account, window, lists: z.array(text), since: instant.nullable() },
    ...{ requests: count.nullable(), perSecond: z.number(), paceOf: text },
    ...{ seconds: z.number().nullable(), out: text },
  }),
  reconcile: run,
  report: run,
  demo: run,
  backfill: object({
    ...{ ...account, window, runId: text, chunks: count, requests: count, newVersions: count },
    ...{ headline, pack: text, latest: optional(text) },
  }),
  'backfill --plan': object({
    ...{ ...account, window, since: instant.nullable(), requests: count.nullable() },
    ...{ perSecond: z.number(), paceOf: text, chunks: z.array(window) },
    seconds: z.number().nullable(),
  }),
  'backfill --detach': object({ ...account, workflowId: text }),
  'backfill status': object({
    ...{ ...account, open: z.array(z.unknown()), recorded: z.array(z.unknown()) },
    waiting: z.array(text),
  }),
  'backfill pause': progress,
  'backfill resume': progress,
  'backfill slow': progress,
  'backfill cancel': progress,
  import: object({
    files: z.array(
      object({ file: text, sweepId: text, landed: z.boolean(), rows: count, ...imported }),
    ),
    ...{ rows: count, ...imported },
  }),
  'import --check': object({
    files: z.array(
      object({
        ...{
          file: text,
          format: text,
          form: text,
          confirmed: reading,
          proposed: optional(reading),
        },
        ...{ understood: z.array(text), questions: z.array(text), config: text.nullable() },
        next: text,
      }),
    ),
  }),
  'schedule apply': schedule,
  'schedule show': schedule,
  'schedule pause': schedule,
  'schedule resume': schedule,
  'schedule trigger': schedule,
  status,
  explain,
  verify: object({
    ...{ pack: text, runId: text, ...account, ...range, manifestSha256: sha256, files: count },
    ...{ bytes: count, controlTotals: count, proved: z.array(text), acts: optional(count) },
    approval: optional(object({ by: text, at: instant, seq: id, preparedBy: optional(text) })),
  }),
  diff: object({
    ...{ ...account, ...range, packs: z.array(object({ runId: text, ...range, knownAt: id })) },
    ...{ settlements: differences, exceptions: differences, journal: differences },
  }),
  prove: object({
    ...{ pack: text, runId: text, knownAt: id, agreeing: z.array(text) },
    ...{ differing: z.array(z.unknown()), madeBy: text, provedBy: text },
  }),
  'periods list': z.array(
    object({ period: text, state: text, by: text, at: instant, reason: text }),
  ),
  'periods close': object({
    ...{ ...account, period: text, state: text, ...act },
    checklist: z.array(
      object({ name: text, isBlocker: z.boolean(), number: count, amount: money.nullable() }),
    ),
  }),
  'periods reopen': object({ ...account, period: text, state: text, ...act }),
  approve: object({
    ...{ ...account, runId: text, manifestSha256: sha256, preparedBy: text, ...act },
    entries: optional(count),
  }),
  'approve --refuse': object({ ...account, runId: text, manifestSha256: sha256, ...act }),
  'exceptions list': z.array(object(exception)),
  'exceptions show': object({
    ...exception,
    history: z.array(
      object({ at: instant, what: text, by: text.nullable(), reason: text.nullable() }),
    ),
  }),
  'exceptions assign': decision,
  'exceptions waive': decision,
  'exceptions resolve': decision,
  'exceptions reopen': decision,
  'exceptions export': object({ file: text, exceptions: count }),
  'exceptions apply': object({ ...account, decisions: count, recorded: optional(count), ...act }),
  attribute: object({ ...account, transactionId: id, settlement: text.nullable(), ...act }),
  maintain: object({
    files: object({ before: count, after: count }),
    bytes: object({ before: count, after: count }),
    ...{ snapshotsExpired: count, filesRemoved: count },
  }),
  'maintain --backup': object({
    ...{ folder: text, files: count, bytes: count },
    otherKeyOf: optional(text),
  }),
  'maintain --restore': object({
    ...{ folder: text, files: count, bytes: count, backup: text },
    before: text.optional(),
    lost: object({
      ...{ acts: count, approvals: count, closes: count, decisions: count, erasures: count },
    })
      .nullable()
      .optional(),
  }),
  'maintain --erase': object({ transactions: count, versions: count, seq: id }),
  'maintain --rotate-key': object({ keys: count, versions: count, seq: optional(id) }),
  upgrade: object({
    ...{ program: text, from: count, to: count, applied: z.array(text) },
    ...{ files: optional(count), bytes: optional(count) },
  }),
  rollback: object({
    ...{ from: count, to: count, files: count, bytes: count },
    discarded: object({
      ...{ landings: count, sweeps: count, runs: count, packs: count, acts: count },
      ...{ approvals: count, erasures: count, backfillEvents: count },
    }),
  }),
  init: object({ file: text }),
  'config show': object({
    accounts: z.array(
      object({
        ...account,
        settings: z.array(object({ key: text, value: text, from: origin, name: text })),
      }),
    ),
    error: optional(error),
  }),
  'config validate': object({
    ...{ valid: z.boolean(), accounts: z.array(z.unknown()), errors: z.array(error) },
    error: optional(error),
  }),
  chart: object({
    ...{ file: text, changed: z.array(text) },
    chart: z.record(z.string(), object({ account: text, name: text })),
  }),
  doctor,
  'doctor --source': doctorSource,
  completion: object({ shell: text, text }),
  webhook,
} as const satisfies Record<string, z.ZodType>
