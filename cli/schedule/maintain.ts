/** The command `maintain`: compacts the lake, copies it, or erases the identity of a cardholder. */
import type { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { MAINTENANCE_ID, type Maintained, type MaintenanceOrder } from '../../domain/maintenance.ts'
import { folderFault } from '../../workers/config/checked-folder.ts'
import type { Settings } from '../../domain/settings.ts'
import { withEngine, withLastingService } from '../../workers/engine.ts'
import { readSettings, type Flags } from '../../workers/config/settings.ts'
import { TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import type { maintainLake } from '../../workflows/maintain-lake.ts'
import { requiredActor, wordsOf } from '../decide/actor.ts'
import type { Context } from '../shell/context.ts'

interface MaintainFlags {
  backup?: string
  by?: string
  erase?: string
  reason?: string
}

export function addMaintain(program: Command, context: Context): void {
  program
    .command('maintain')
    .description('Merges small files of the lake, expires old snapshots and deletes unused files.')
    .option('--backup <folder>', 'copy a local lake into a new folder instead')
    .option(
      '--erase <transactionId>',
      "erase the cardholder's identity from all transactions of this card instead",
    )
    .option('--reason <text>', 'the reason for the erasure; stored in the audit trail')
    .option('--by <name>', 'your name (TIEOUT_ACTOR)')
    .action(async (flags: MaintainFlags) => {
      const { json, ...settable } = context.flagsOf(flags)
      const done = await maintain(context, settable, flags)
      if (json === true) context.terminal.print(JSON.stringify(done))
      else for (const line of linesOf(done)) context.terminal.print(line)
    })
}

/** Throws lake_locked while another maintenance or backup is running. */
async function maintain(
  { terminal, signal }: Context,
  settable: Flags,
  flags: MaintainFlags,
): Promise<Maintained> {
  const settings = readSettings(settable)
  const order = orderOf(flags, settings.account)
  const options = { owner: 'command', say: terminal.say, signal } as const
  const work = withEngine([settings], options, ({ client, isLasting }) =>
    client.workflow.execute<typeof maintainLake>('maintainLake', {
      taskQueue: TASK_QUEUE,
      workflowId: MAINTENANCE_ID,
      // If this command is alone, an open workflow is left over from an interrupted one.
      workflowIdConflictPolicy: isLasting ? 'FAIL' : 'TERMINATE_EXISTING',
      args: [order],
      staticSummary: 'Maintenance of the lake',
    }),
  )
  const { WorkflowExecutionAlreadyStartedError } = await import('@temporalio/common')
  const done = await work.catch(async (error: unknown) => {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null
    if (signal.aborted) await endMaintenance(settings)
    throw error
  })
  if (done !== null) return done
  throw new Failure('lake_locked', 'maintenance or a backup of the lake is running')
}

/** The longest wait for a step of the maintenance that takes notice of its end. */
const END_MS = 15_000

/** Ends the maintenance of an interrupted command in a worker that keeps running, so that the next one can start. */
async function endMaintenance(settings: Settings): Promise<void> {
  await withLastingService(settings, AbortSignal.timeout(END_MS), async (client) => {
    const handle = client.workflow.getHandle(MAINTENANCE_ID)
    await handle.cancel()
    await handle.result()
  }).catch(() => {})
}

/** Reads the flags. Throws usage, or config_missing if the actor of an erasure is missing. */
function orderOf({ backup, by, erase, reason }: MaintainFlags, account: string): MaintenanceOrder {
  if (erase === undefined) {
    if (by !== undefined || reason !== undefined) {
      throw new Failure('usage', '--reason and --by need --erase')
    }
    const fault = backup === undefined ? undefined : folderFault(backup)
    if (fault !== undefined) throw new Failure('usage', `--backup ${fault}`)
    return backup === undefined ? {} : { backUpTo: resolve(backup) }
  }
  if (backup !== undefined) throw new Failure('usage', 'maintain takes either --backup or --erase')
  if (!/^[1-9]\d{0,17}$/.test(erase)) throw new Failure('usage', `${erase} is not an id`)
  if (reason === undefined) throw new Failure('usage', '--erase needs a --reason')
  const author = { actor: requiredActor(by), reason: wordsOf('--reason', reason) }
  return { erase: { orderId: randomUUID(), account, transactionId: erase, ...author } }
}

const number = (value: number) => value.toLocaleString('en')

function linesOf(done: Maintained): string[] {
  if ('folder' in done) {
    const { folder, files, bytes } = done
    return [
      `${number(files)} files of ${number(bytes)} bytes copied to ${folder}, which is a complete lake`,
    ]
  }
  if ('versions' in done) {
    const { transactions, versions, seq } = done
    return [
      `${number(transactions)} transactions, in ${number(versions)} versions, no longer identify a cardholder; act ${seq} of the audit trail`,
      'later maintenance deletes the files that held the identity; packs do not change',
    ]
  }
  const { files, bytes, snapshotsExpired, filesRemoved } = done
  return [
    `${number(files.before)} files of ${number(bytes.before)} bytes are now ${number(files.after)} of ${number(bytes.after)}`,
    `${number(snapshotsExpired)} snapshots expired, ${number(filesRemoved)} files removed`,
  ]
}
