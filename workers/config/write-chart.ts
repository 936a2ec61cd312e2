/** Writes accounts of the chart into the config file, whose comments and other keys stay. */
import {
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { Document, isMap, parseDocument } from 'yaml'
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
  const text = isThere ? readFileSync(place, 'utf8') : starterConfig()
  const document = parseDocument(text)
  const listed = before.findIndex(({ name }) => name === of)
  const hasChart = document.has('chart_of_accounts')
  if (listed === -1 && !hasChart && !(isMap(document.contents) && document.contents.flow)) {
    // A key that is added to the document would stand among the comments of the key before it.
    replace(place, `${text.trimEnd()}\n\n${chartText(changes)}`)
    return
  }
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

function chartText(changes: ChartChanges): string {
  const document = new Document({ chart_of_accounts: Object.fromEntries(changes) })
  for (const key of changes.keys()) {
    const node = document.getIn(['chart_of_accounts', key], true)
    if (isMap(node)) node.flow = true
  }
  return document.toString({ lineWidth: 0 })
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
  } finally {
    rmSync(scratch, { force: true })
  }
}
