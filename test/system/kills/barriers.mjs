/**
 * Loaded before tieout by `node --import`. Gives a name to each operation that changes the lake or a file, writes the
 * names down, and kills the process at the one that is asked for. The product needs no seam for it.
 *
 * BARRIERS_FILE is the file for the names. KILL_AT is `before` or `after`, a number, and a name: `after 2 commit of …`.
 */
import { DuckDBConnection } from '@duckdb/node-api'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const { BARRIERS_FILE: file, KILL_AT: killAt } = process.env
const [, when, number, wanted] = /^(before|after) (\d+) (.+)$/.exec(killAt ?? '') ?? []
const log = file === undefined ? undefined : fs.openSync(file, 'a')
const root = process.cwd()
let met = 0

/** Runs one operation between its two barriers. Nested ones, such as those of `cp`, have barriers of their own. */
function pass(name, call) {
  if (log !== undefined) fs.writeSync(log, `${name}\n`)
  if (name === wanted) met += 1
  const isHere = name === wanted && met === Number(number)
  if (isHere && when === 'before') process.kill(process.pid, 'SIGKILL')
  const result = call()
  if (!isHere || when !== 'after') return result
  if (typeof result?.then !== 'function') process.kill(process.pid, 'SIGKILL')
  return result.then((value) => {
    process.kill(process.pid, 'SIGKILL')
    return value
  })
}

const WRITING =
  /\b(insert into|update|delete from|create table|call|copy|merge into|truncate|alter table|drop table)\s+(?:if (?:not )?exists\s+)?("?[\w.]+)/i

/** The last writing statement of each connection: the thing that its commit makes last. */
const written = new WeakMap()

function nameOf(connection, sql) {
  const text = String(sql).trim()
  if (/^commit\b/i.test(text)) {
    const what = written.get(connection)
    return what === undefined ? undefined : `commit of ${what}`
  }
  const [, verb, target] = WRITING.exec(text) ?? []
  if (verb === undefined || /^create (or replace )?temp/i.test(text)) return undefined
  const name = `${verb.toLowerCase()} ${plain(target)}`
  written.set(connection, name)
  return name
}

/** A name without numbers and hashes, which differ from run to run. */
const plain = (text) =>
  text.replaceAll(/[0-9a-f]*\d[0-9a-f-]*/gi, '*').replaceAll(/\*[*._-]*\*/g, '*')

function wrapStatements(method) {
  const call = DuckDBConnection.prototype[method]
  DuckDBConnection.prototype[method] = function wrapped(...args) {
    const name = nameOf(this, args[0])
    const run = () => Reflect.apply(call, this, args)
    return name === undefined ? run() : pass(name, run)
  }
}

const isInside = (path) =>
  typeof path === 'string' && (path.startsWith(`${root}/`) || !path.startsWith('/'))

/** Their second path is the one that comes into being. */
const TWO_PATHS = new Set([
  'rename',
  'renameSync',
  'copyFile',
  'copyFileSync',
  'cp',
  'link',
  'symlink',
])

function wrapFiles(target, method) {
  const call = target[method]
  target[method] = (...args) => {
    const run = () => Reflect.apply(call, target, args)
    const path = args[TWO_PATHS.has(method) ? 1 : 0]
    const isReading = method.startsWith('open') && !/[wa+x]/.test(String(args[1] ?? 'r'))
    if (!isInside(path) || isReading) return run()
    return pass(`${method} ${plain(basename(path))}`, run)
  }
}

if (isMainThread) {
  wrapStatements('run')
  wrapStatements('stream')
  for (const method of [
    'renameSync',
    'rmSync',
    'mkdirSync',
    'writeFileSync',
    'copyFileSync',
    'unlinkSync',
  ]) {
    wrapFiles(fs, method)
  }
  wrapFiles(fs, 'createWriteStream')
  for (const method of [
    'mkdir',
    'open',
    'rename',
    'rm',
    'symlink',
    'writeFile',
    'cp',
    'copyFile',
    'unlink',
    'link',
  ]) {
    wrapFiles(fs.promises, method)
  }
  syncBuiltinESMExports()
}
