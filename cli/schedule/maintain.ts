/** The command `maintain`: compacts, copies or restores the lake, erases a cardholder's identity, or rotates a hash key. */
import { countedNoun } from '../../domain/headline.ts'
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { Failure } from '../../domain/failure.ts'
import { ringIdOf } from '../../domain/key-ring.ts'
import {
  MAINTENANCE_ID,
  type Maintained,
  type MaintenanceOrder,
  type Restored,
  type Rotated,
} from '../../domain/maintenance.ts'
import { folderFault } from '../../workers/config/checked-folder.ts'
import type { Settings } from '../../domain/settings.ts'
import { withEngine, withLastingService } from '../../workers/engine.ts'
import { ensureHashKeys, readAccounts, readSettings } from '../../workers/config/settings.ts'
import { TASK_QUEUE } from '../../workers/temporal/task-queue.ts'
import type { maintainLake } from '../../workflows/maintain-lake.ts'
import { requiredActor } from '../decide/actor.ts'
import { wordsOf } from '../../domain/decision-words.ts'
import type { Context } from '../shell/context.ts'
import { openWorkflow } from '../shell/goes-on.ts'
import { restoredLines, restoreLake } from './restore.ts'

export interface MaintainFlags {
  backup?: string
  by?: string
  erase?: string
  reason?: string
  restore?: string
  rotateKey?: boolean
}

export async function maintainCommand(context: Context, flags: MaintainFlags): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  // An act is about one account. All else is about the lake, which the accounts share.
  const isAct = flags.erase !== undefined || flags.rotateKey === true
  const accounts: Accounts = isAct ? [readSettings(settable)] : readAccounts(settable)
  const order = orderOf(flags, accounts[0])
  const done =
    flags.restore === undefined
      ? await maintain(context, accounts, order)
      : await restoreLake(context, accounts[0], flags.restore)
  if (json === true) context.terminal.print(JSON.stringify(done))
  else for (const line of linesOf(done)) context.terminal.print(line)
}

type Accounts = readonly [Settings, ...Settings[]]

/** Throws lake_locked while another maintenance or backup is running, and payload_refused if a stranger has its id. */
async function maintain(
  { terminal, signal }: Context,
  accounts: Accounts,
  order: MaintenanceOrder,
): Promise<Maintained> {
  const isMine = (id: string) => id === MAINTENANCE_ID
  const options = { owner: 'command', say: terminal.say, signal, isMine } as const
  const done = await withEngine(accounts, options, async ({ client, isLasting }) => {
    if (isLasting) await openWorkflow(client, 'maintainLake', MAINTENANCE_ID)
    return client.workflow.execute<typeof maintainLake>('maintainLake', {
      taskQueue: TASK_QUEUE,
      workflowId: MAINTENANCE_ID,
      // If this command is alone, an open workflow is left over from an interrupted one.
      workflowIdConflictPolicy: isLasting ? 'FAIL' : 'TERMINATE_EXISTING',
      args: [order],
      staticSummary: 'Maintenance of the lake',
    })
  }).catch(async (error: unknown) => {
    // Loaded here: while it loads, nothing would hear of a failure of the work.
    const { WorkflowExecutionAlreadyStartedError } = await import('@temporalio/common')
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null
    if (signal.aborted) await endMaintenance(accounts[0])
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

/** Reads the flags. Throws usage, or config_missing if the actor of an act is missing. */
function orderOf(flags: MaintainFlags, settings: Settings): MaintenanceOrder {
  const { backup, by, erase, reason, restore, rotateKey } = flags
  const jobs = [backup, erase, restore, rotateKey].filter((job) => job !== undefined)
  if (jobs.length > 1) {
    throw new Failure(
      'usage',
      'maintain takes one of --backup, --restore, --erase and --rotate-key',
    )
  }
  if (erase === undefined && rotateKey === undefined) {
    if (by !== undefined || reason !== undefined) {
      throw new Failure('usage', '--reason and --by need --erase or --rotate-key')
    }
    const fault = backup === undefined ? undefined : folderFault(backup)
    if (fault !== undefined) throw new Failure('usage', `--backup ${fault}`)
    return backup === undefined ? {} : { backUpTo: resolve(backup) }
  }
  return actOf(flags, settings)
}

/** The order of an act that the audit trail records. */
function actOf({ by, erase, reason }: MaintainFlags, settings: Settings): MaintenanceOrder {
  if (erase !== undefined && !/^[1-9]\d{0,17}$/.test(erase)) {
    throw new Failure('usage', `${erase} is not an id`)
  }
  if (reason === undefined) {
    throw new Failure('usage', `--${erase === undefined ? 'rotate-key' : 'erase'} needs a --reason`)
  }
  const author = { actor: requiredActor(by), reason: wordsOf('--reason', reason) }
  const act = { orderId: randomUUID(), account: settings.account, ...author }
  if (erase !== undefined) return { erase: { ...act, transactionId: erase } }
  return { rotateKey: { ...act, keyId: ringIdOf(ensureHashKeys(settings)) } }
}

const number = (value: number) => value.toLocaleString('en')

function linesOf(done: Maintained | Restored): string[] {
  if ('backup' in done) return restoredLines(done)
  if ('folder' in done) {
    const { folder, files, bytes, otherKeyOf } = done
    return [
      ...(otherKeyOf === undefined
        ? []
        : [
            `warning: the hashes of account ${otherKeyOf} were made with another key than this one; keep the key of an earlier backup`,
          ]),
      `${countedNoun(files, 'file')} of ${number(bytes)} bytes copied to ${folder}, which is a complete lake`,
    ]
  }
  if ('keys' in done) return [rotationLine(done)]
  if ('versions' in done) {
    const { transactions, versions, seq } = done
    return [
      `${countedNoun(transactions, 'transaction')}, in ${countedNoun(versions, 'version')}, no longer ${transactions === 1 ? 'identifies' : 'identify'} a cardholder; act ${seq} of the audit trail`,
      'later maintenance deletes the files that held the identity; packs do not change',
    ]
  }
  const { files, bytes, snapshotsExpired, filesRemoved } = done
  return [
    `${countedNoun(files.before, 'file')} of ${number(bytes.before)} bytes ${files.before === 1 ? 'is' : 'are'} now ${number(files.after)} of ${number(bytes.after)}`,
    `${countedNoun(snapshotsExpired, 'snapshot')} expired, ${countedNoun(filesRemoved, 'file')} removed`,
  ]
}

function rotationLine({ keys, versions, seq }: Rotated): string {
  if (keys === 0) return 'nothing to rotate: the lake has no records of this account'
  const made = keys === 1 ? 'the only key of the secret' : `the ${keys} keys of the secret`
  return seq === undefined
    ? `nothing to rotate: the hashes of this account already use ${made}`
    : `the hashes of ${countedNoun(versions, 'version')} now use ${made}; act ${seq} of the audit trail`
}
