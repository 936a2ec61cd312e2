/**
 * Formats sql/: sql-formatter lays it out, then what fits on a line goes back on one line, because a
 * model that breaks after every keyword no longer fits on a screen.
 * Usage: node test/house/format-sql.mjs --check | --write [file...]
 */
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'sql-formatter'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const WIDTH = 100
const INDENT = 4
const OPTIONS = {
  language: 'duckdb',
  keywordCase: 'lower',
  functionCase: 'lower',
  dataTypeCase: 'lower',
  tabWidth: INDENT,
  expressionWidth: 80,
}
/** Clauses that stand on one line with all that belongs to them, if it fits. */
const CLAUSES = new Set([
  ...['select', 'select distinct', 'from', 'where', 'having', 'qualify', 'limit', 'set', 'values'],
  ...['insert into', 'group by', 'order by', 'partition by'],
])

/** The one layout of a model. Throws if anything but white space and case would change. */
export function formatSql(text) {
  const laidOut = format(text, OPTIONS)
    // The formatter takes macros and newer functions for names, and a sign for an operator.
    .replaceAll(
      /\b(getvariable|business_date|money|instant|guard|lag|lead|try_cast|first_value|last_value) \(/g,
      '$1(',
    )
    .replaceAll(/(\bthen|\belse|[(,]) - (?=[\w(])/g, '$1 -')
  const result = `${render(tree(laidOut.split('\n').filter((line) => line.trim() !== '')), 0).join('\n')}\n`
  const spaced = separate(text, result)
  if (bare(spaced) !== bare(text)) throw new Error('formatting would change more than white space')
  return spaced
}

const bare = (text) => text.replaceAll(/\s/g, '').toLowerCase()

/** Statements of a migration stay apart by an empty line. */
function separate(text, result) {
  return text.includes(';') ? result.replaceAll(/;\n(?=.)/g, ';\n\n') : result
}

/** Lines to nodes: what is indented deeper belongs to the line above. */
function tree(lines) {
  const root = []
  const open = [{ depth: -1, children: root }]
  for (const line of lines) {
    const depth = (line.length - line.trimStart().length) / INDENT
    while (open.at(-1).depth >= depth) open.pop()
    const node = { text: line.trim(), depth, children: [] }
    open.at(-1).children.push(node)
    open.push(node)
  }
  return root
}

function render(nodes, depth) {
  const lines = []
  for (let at = 0; at < nodes.length; at += 1) {
    const { text, children, taken } = joined(nodes, at, depth)
    lines.push(' '.repeat(depth * INDENT) + text, ...render(children, depth + 1))
    at += taken - 1
  }
  return lines
}

/** The longest run of siblings from `at` that shares one line: `taken` of them, then the children of the last. */
function joined(nodes, at, depth) {
  const room = WIDTH - depth * INDENT
  if (nodes[at].text === 'union all' && nodes[at + 1]?.text === 'by name') {
    return { text: 'union all by name', children: [], taken: 2 }
  }
  const condition = flatCondition(nodes, at)
  if (condition.taken > 1 && condition.text.length <= room) return { ...condition, children: [] }
  const clause = flatClause(nodes[at])
  if (clause !== undefined && clause.length <= room) return { text: clause, children: [], taken: 1 }
  const columns = flatColumns(nodes, at, room)
  if (columns.taken > 1) return columns
  return flatParens(nodes, at, room)
}

/** `when a and b then c`, which the formatter breaks before each `and`. */
function flatCondition(nodes, at) {
  if (!nodes[at].text.startsWith('when ')) return { taken: 0 }
  const parts = []
  for (let next = at; next < nodes.length; next += 1) {
    const { text, children } = nodes[next]
    const mine = next === at || /^(and|or) /.test(text)
    if (!mine || children.length > 0 || isComment(text)) return { taken: 0 }
    parts.push(text)
    if (/\bthen\b/.test(text)) return { text: parts.join(' '), taken: parts.length }
  }
  return { taken: 0 }
}

/**
 * `f(...) over (...) as x`: an opening line, its content and the closing line, again and again, as
 * far as there is room. The text may end with a bracket that stays open: then `children` are inside.
 */
function flatParens(nodes, at, room) {
  let { text } = nodes[at]
  let next = at
  // A named step keeps its own lines, so that it can be found.
  while (text.endsWith('(') && !/\bas (materialized )?\($/.test(text)) {
    const inside = flatAll(nodes[next].children)
    const closing = nodes[next + 1]?.text ?? ''
    const longer = `${text}${inside ?? ''}${closing}`
    if (inside === undefined || !closing.startsWith(')') || longer.length > room) break
    text = longer
    next += 1
  }
  const choice = flatCase(nodes, next, text)
  if (choice !== undefined && choice.length <= room) {
    return { text: choice, children: [], taken: next - at + 2 }
  }
  return { text, children: nodes[next].children, taken: next - at + 1 }
}

/** Names of columns that a select only hands on, as many as fit. */
function flatColumns(nodes, at, room) {
  let text = ''
  let next = at
  for (; next < nodes.length; next += 1) {
    const node = nodes[next]
    const isName =
      /^(?:(?:\d+ as )?[\w.]+|[\w.]+ as \w+|"[^"]+"|\*),?$/.test(node.text) &&
      node.children.length === 0
    const longer = text === '' ? node.text : `${text} ${node.text}`
    const follows = next === at || nodes[next - 1].text.endsWith(',')
    if (!isName || !follows || longer.length > room) break
    text = longer
  }
  return { text, children: [], taken: next - at }
}

/** `case when a then b else c end`, with one condition. */
function flatCase(nodes, at, text) {
  const { children } = nodes[at]
  const end = nodes[at + 1]
  if (!/(^|\s|\()case$/.test(text) || end === undefined || !/^end\b/.test(end.text))
    return undefined
  if (end.children.length > 0 || end.text.endsWith('(')) return undefined
  const inside = flatAll(children)
  return inside === undefined || (inside.match(/\bwhen\b/g) ?? []).length > 1
    ? undefined
    : `${text} ${inside} ${end.text}`
}

function flatClause(node) {
  if (node.children.length === 0 || !CLAUSES.has(node.text)) return undefined
  const content = flatAll(node.children)
  return content === undefined ? undefined : `${node.text} ${content}`
}

/** Everything on one line, or undefined where a line of its own is needed. */
function flatAll(nodes) {
  const parts = []
  for (let at = 0; at < nodes.length; at += 1) {
    const { text, children, taken } = flatParens(nodes, at, WIDTH)
    if (isComment(text) || /^case\b/.test(text) || text.endsWith('(')) return undefined
    const below = flatAll(children)
    if (below === undefined) return undefined
    parts.push(below === '' ? text : `${text} ${below}`)
    at += taken - 1
  }
  return parts.join(' ')
}

const isComment = (text) => text.includes('--') || text.includes('/*')

function main(args) {
  const write = args.includes('--write')
  if (write === args.includes('--check')) {
    process.stderr.write('usage: node test/house/format-sql.mjs --check | --write [file...]\n')
    return 2
  }
  const named = args.filter((arg) => !arg.startsWith('--'))
  const all = readdirSync(join(ROOT, 'sql'), { recursive: true, encoding: 'utf8' })
  const files =
    named.length > 0
      ? named
      : all.filter((file) => file.endsWith('.sql')).map((file) => join(ROOT, 'sql', file))
  let off = 0
  for (const file of files.sort()) {
    const text = readFileSync(file, 'utf8')
    const formatted = formatSql(text)
    if (formatted === text) continue
    off += 1
    if (write) writeFileSync(file, formatted)
    process.stdout.write(`${write ? 'formatted' : 'not formatted'}: ${relative(ROOT, file)}\n`)
  }
  return off > 0 && !write ? 1 : 0
}

if (
  process.argv[1] !== undefined &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
) {
  process.exitCode = main(process.argv.slice(2))
}
