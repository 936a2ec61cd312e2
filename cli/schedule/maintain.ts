/** `maintain`: keeps the lake small and quick, copies it, and erases whom a transaction stands for. */
import type { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { MAINTENANCE_ID, type Maintained, type MaintenanceOrder } from '../../domain/maintenance.ts'
import { folderFault } from '../../workers/config/checked-folder.ts'
import { withEngine } from '../../workers/engine.ts'
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
    .description(
      'Merges small files of the lake, forgets old snapshots, removes what nothing names.',
    )
    .option('--backup <folder>', 'copies a local lake into a new folder instead')
    .option(
      '--erase <transactionId>',
      'cuts all transactions of its cardholder loose from whom they stand for instead',
    )
    .option('--reason <text>', 'why somebody is erased; kept in the audit trail')
    .option('--by <name>', 'who erases (TIEOUT_ACTOR)')
    .action(async (flags: MaintainFlags) => {
      const { json, ...settable } = context.flagsOf(flags)
      const done = await maintain(context, settable, flags)
      if (json === true) context.terminal.print(JSON.stringify(done))
      else for (const line of linesOf(done)) context.terminal.print(line)
    })
}

/** Throws lake_locked where another maintenance or backup is under way. */
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
      // Where nobody but this command works in the lake, what is open was left by one that was interrupted.
      workflowIdConflictPolicy: isLasting ? 'FAIL' : 'TERMINATE_EXISTING',
      args: [order],
      staticSummary: 'Maintenance of the lake',
    }),
  )
  const { WorkflowExecutionAlreadyStartedError } = await import('@temporalio/common')
  const done = await work.catch((error: unknown) => {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null
    throw error
  })
  if (done !== null) return done
  throw new Failure('lake_locked', 'maintenance of the lake, or a copy of it, is under way')
}

/** Reads the flags. Throws usage, and config_missing where nobody says who erases. */
function orderOf({ backup, by, erase, reason }: MaintainFlags, account: string): MaintenanceOrder {
  if (erase === undefined) {
    if (by !== undefined || reason !== undefined) {
      throw new Failure('usage', '--reason and --by go with --erase')
    }
    const fault = backup === undefined ? undefined : folderFault(backup)
    if (fault !== undefined) throw new Failure('usage', `--backup ${fault}`)
    return backup === undefined ? {} : { backUpTo: resolve(backup) }
  }
  if (backup !== undefined) throw new Failure('usage', 'maintain takes either --backup or --erase')
  if (!/^[1-9]\d{0,17}$/.test(erase)) throw new Failure('usage', `${erase} is no id`)
  if (reason === undefined) throw new Failure('usage', '--erase takes a --reason')
  const told = { actor: requiredActor(by), reason: wordsOf('--reason', reason) }
  return { erase: { orderId: randomUUID(), account, transactionId: erase, ...told } }
}

const number = (value: number) => value.toLocaleString('en')

function linesOf(done: Maintained): string[] {
  if ('folder' in done) {
    const { folder, files, bytes } = done
    return [
      `${number(files)} files of ${number(bytes)} bytes copied to ${folder}, which is a lake itself`,
    ]
  }
  if ('versions' in done) {
    const { transactions, versions, seq } = done
    return [
      `${number(transactions)} transactions, in ${number(versions)} versions, stand for nobody any more; act ${seq} of the audit trail`,
      'files that held them go with the nights that are maintained from now on; packs are not touched',
    ]
  }
  const { files, bytes, snapshotsExpired, filesRemoved } = done
  return [
    `${number(files.before)} files of ${number(bytes.before)} bytes are now ${number(files.after)} of ${number(bytes.after)}`,
    `${number(snapshotsExpired)} snapshots forgotten, ${number(filesRemoved)} files removed`,
  ]
}
