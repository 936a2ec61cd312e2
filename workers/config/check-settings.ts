/** Checks the settings as the start of a run does, and gathers the faults. */
import { existsSync } from 'node:fs'
import { Failure } from '../../domain/failure.ts'
import { chosen, type Flags } from './options.ts'
import { faultsOf } from './read-config-file.ts'
import { readAccounts } from './settings.ts'

export interface CheckedSettings {
  /** The names of the accounts; none if the settings can't be read. */
  accounts: string[]
  faults: Failure[]
}

/**
 * Returns every fault of the config file. If the file has none, returns the fault that concerns all accounts, or else
 * the first fault of each account. With `fileOnly`, variables count as absent, and their absence is no fault.
 */
export function checkedSettings(flags: Flags, fileOnly: boolean): CheckedSettings {
  const file = chosen('config', { flags, env: process.env }).value
  const isThere = existsSync(file)
  try {
    if (fileOnly && !isThere) {
      throw new Failure('config_missing', `there is no config file ${file}`, {
        remedy: 'name one with --config, or write one with tieout init',
      })
    }
    const faults = isThere ? faultsOf(file) : []
    if (faults.length > 0) return { accounts: [], faults }
    const read = fileOnly
      ? readAccounts({ ...flags, config: file }, 'lake', {})
      : readAccounts(flags, 'source')
    return {
      accounts: read.map(({ account }) => account),
      faults: read.flatMap(({ trouble }) =>
        trouble === undefined || isAbsent(trouble, fileOnly) ? [] : [trouble],
      ),
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (isThere && isAbsent(error, fileOnly)) return { accounts: [], faults: [] }
    return { accounts: [], faults: [error] }
  }
}

const isAbsent = ({ code }: Failure, fileOnly: boolean) => fileOnly && code === 'config_missing'
