/** Writes accounts of the chart into the config file, whose comments and other keys stay. */
import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isMap, parseDocument } from 'yaml'
import type { ChartKey } from '../../domain/chart.ts'
import { Failure } from '../../domain/failure.ts'
import { reasonOf } from '../../domain/reason.ts'
import { readConfigFile } from './read-config-file.ts'
import { starterConfig } from './starter-config.ts'

export type ChartAccount = Readonly<{ account: string; name: string }>
export type ChartChanges = ReadonlyMap<ChartKey, ChartAccount>

/**
 * Sets accounts of the chart for all accounts of the file, or for the listed account `of`. A file that is absent begins
 * as `tieout init` writes it. Throws config_invalid for a file that can't be read, and usage for one that can't be
 * written.
 */
export function writeChart(file: string, changes: ChartChanges, of?: string): void {
  const isThere = existsSync(file)
  const place = isThere ? realpathSync(file) : file
  const before = isThere ? readConfigFile(file).accounts : []
  const document = parseDocument(isThere ? readFileSync(place, 'utf8') : starterConfig())
  const listed = before.findIndex(({ name }) => name === of)
  const path = [...(listed === -1 ? [] : ['accounts', listed]), 'chart_of_accounts']
  for (const [key, { account, name }] of changes) {
    if (isMap(document.getIn([...path, key]))) {
      document.setIn([...path, key, 'account'], account)
      document.setIn([...path, key, 'name'], name)
    } else {
      document.setIn([...path, key], document.createNode({ account, name }, { flow: true }))
    }
  }
  replace(place, document.toString({ lineWidth: 0 }))
}

/** A reader sees the old text or the new one, never a part. */
function replace(file: string, text: string): void {
  const scratch = `${file}.${process.pid}.new`
  try {
    const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o644
    writeFileSync(scratch, text, { flag: 'wx', mode })
    // A text that the strict reader refuses never replaces the file.
    readConfigFile(scratch)
    renameSync(scratch, file)
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new Failure('usage', `the config file ${file} can't be written: ${reasonOf(cause)}`, {
      cause,
    })
  }
}
