/** The runs and the schedule of each account, as a Temporal service reports them. */
import type { Client, WorkflowExecutionInfo } from '@temporalio/client'
import type { Settings } from '../../domain/settings.ts'
import { describedSchedule, nextOf, nightlyIdOf } from '../schedule/temporal-schedule.ts'
import { progressOf } from '../run/watch.ts'
import { reportOf } from '../shell/failures.ts'

export interface RunNow {
  workflowId: string
  startedAt: string
  /** The progress; empty if no worker answers. */
  progress: string
}

export interface EndedRun {
  workflowId: string
  endedAt: string | null
  status: string
  /** The error line of a failed run. */
  failure?: string
}

export interface AccountRuns {
  running: RunNow[]
  lastEnded: EndedRun | undefined
  /** Undefined if there is no schedule. */
  schedule: { paused: boolean; nextRun: string | null } | undefined
}

/** The search for an account's runs stops after this many. */
const MOST = 500

/** The longest wait for a busy or missing worker. */
const ANSWERS_MS = 3_000

export async function lookAt(
  client: Client,
  accounts: readonly Settings[],
): Promise<Map<string, AccountRuns>> {
  const running = await listed(client, `ExecutionStatus = 'Running'`)
  const ended = await listed(client, `WorkflowType = 'nightly' AND ExecutionStatus != 'Running'`)
  const found = accounts.map(async ({ account }): Promise<[string, AccountRuns]> => {
    const isOf = ({ workflowId }: WorkflowExecutionInfo) => isRunOf(workflowId, account)
    const last = ended.find(isOf)
    return [
      account,
      {
        running: await Promise.all(running.filter(isOf).map((one) => runNow(client, one))),
        lastEnded: last === undefined ? undefined : await endedRun(client, last),
        schedule: await scheduleOf(client, account),
      },
    ]
  })
  return new Map(await Promise.all(found))
}

/** Lists workflows, newest first, without child workflows, whose parents report the progress. */
async function listed(client: Client, query: string): Promise<WorkflowExecutionInfo[]> {
  const found: WorkflowExecutionInfo[] = []
  for await (const info of client.workflow.list({ query, pageSize: 100 })) {
    if (info.parentExecution === undefined) found.push(info)
    if (found.length === MOST) break
  }
  return found
}

/** A schedule appends the instant to its name; a command appends the account to its verb. */
function isRunOf(workflowId: string, account: string): boolean {
  const parts = workflowId.split('/')
  if (parts.length > 1) return parts[1] === account
  const scheduled = `${nightlyIdOf(account)}-`
  return (
    workflowId.startsWith(scheduled) && /^\d{4}-\d\d-\d\dT/.test(workflowId.slice(scheduled.length))
  )
}

async function runNow(
  client: Client,
  { workflowId, startTime }: WorkflowExecutionInfo,
): Promise<RunNow> {
  const handle = client.workflow.getHandle(workflowId)
  const answer = client.withDeadline(Date.now() + ANSWERS_MS, () => progressOf(client, handle))
  const progress = await answer.catch(() => '')
  return { workflowId, startedAt: startTime.toISOString(), progress }
}

async function endedRun(
  client: Client,
  { workflowId, runId, status, closeTime }: WorkflowExecutionInfo,
): Promise<EndedRun> {
  const ended = {
    workflowId,
    endedAt: closeTime?.toISOString() ?? null,
    status: status.name.toLowerCase(),
  }
  if (status.name === 'COMPLETED') return ended
  const handle = client.workflow.getHandle(workflowId, runId, { followRuns: false })
  const failure = await handle.result().then(
    () => '',
    (error: unknown) => reportOf(error).line,
  )
  return { ...ended, failure }
}

async function scheduleOf(client: Client, account: string): Promise<AccountRuns['schedule']> {
  const described = await describedSchedule(client, nightlyIdOf(account))
  if (described === undefined) return undefined
  const { paused } = described.state
  return { paused, nextRun: paused ? null : (nextOf(described) ?? null) }
}
