/** `maintain`: keeps the lake small and quick, and copies it. */
import type { Command } from 'commander'
import { resolve } from 'node:path'
import { Failure } from '../domain/failure.ts'
import { MAINTENANCE_ID, type Maintained, type MaintenanceOrder } from '../domain/maintenance.ts'
import { withEngine } from '../workers/engine.ts'
import { readSettings, type Flags } from '../workers/settings.ts'
import { TASK_QUEUE } from '../workers/task-queue.ts'
import type { maintainLake } from '../workflows/maintain-lake.ts'
import type { Context } from './context.ts'

export function addMaintain(program: Command, context: Context): void {
  program
    .command('maintain')
    .description(
      'Merges small files of the lake, forgets old snapshots, removes what nothing names.',
    )
    .option('--backup <folder>', 'copies a local lake into a new folder instead')
    .action(async (flags: { backup?: string }) => {
      const { json, ...settable } = context.flagsOf(flags)
      const order = flags.backup === undefined ? {} : { backUpTo: resolve(flags.backup) }
      const done = await maintain(context, settable, order)
      if (json === true) context.terminal.print(JSON.stringify(done))
      else for (const line of linesOf(done)) context.terminal.print(line)
    })
}

/** Throws lake_locked where another maintenance or backup is under way. */
async function maintain(
  { terminal, signal }: Context,
  flags: Flags,
  order: MaintenanceOrder,
): Promise<Maintained> {
  const options = { owner: 'command', say: terminal.say, signal } as const
  const work = withEngine([readSettings(flags)], options, ({ client }) =>
    client.workflow.execute<typeof maintainLake>('maintainLake', {
      taskQueue: TASK_QUEUE,
      workflowId: MAINTENANCE_ID,
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

const number = (value: number) => value.toLocaleString('en')

function linesOf(done: Maintained): string[] {
  if ('folder' in done) {
    const { folder, files, bytes } = done
    return [
      `${number(files)} files of ${number(bytes)} bytes copied to ${folder}, which is a lake itself`,
    ]
  }
  const { files, bytes, snapshotsExpired, filesRemoved } = done
  return [
    `${number(files.before)} files of ${number(bytes.before)} bytes are now ${number(files.after)} of ${number(bytes.after)}`,
    `${number(snapshotsExpired)} snapshots forgotten, ${number(filesRemoved)} files removed`,
  ]
}
