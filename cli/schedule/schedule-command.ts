/** The flags and the help of `schedule`. */
import type { Command } from 'commander'
import type { Context } from '../shell/context.ts'
import type { ScheduleVerb } from './schedule.ts'

export function addSchedule(program: Command, context: Context): void {
  const group = program.command('schedule').description('Manages the schedule of the nightly run.')
  const add = (verb: ScheduleVerb, description: string) => {
    group
      .command(verb)
      .description(description)
      .action(async (flags: object) => {
        const { scheduleCommand } = await import('./schedule.ts')
        context.exit(await scheduleCommand(context, verb, flags))
      })
  }
  add('apply', 'Creates or updates the schedule.')
  add('show', 'Shows the next run and the last ones.')
  add('pause', 'Pauses the schedule.')
  add('resume', 'Resumes the schedule.')
  add('trigger', "Starts a nightly run now, for today's business date.")
}
