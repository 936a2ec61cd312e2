/** Finds the prose of the project, cuts it into sentences, and counts those that break a rule of plain English. */

/** Words that a sentence may hold at most. */
export const LONGEST_SENTENCE_WORDS = 25

const REFUSED =
  /\b(told|kept|quiet(er|ly)?|loud(er|ly)?|spoken|doubt\w*|sought|met|held|whoever|somebody|nobody|com(e|es|ing) to rest|stretch(es)?|flip(s|ped)?|islands?|seal(s|ed|ing)?)\b|\b(the|an|each|every) asked\b|\b(the|a|each|every) near\b(?=[.,;:]|$)/gi

const OPENERS = new Set('what which whoever of where how as in by it one'.split(' '))

/** A heading or a cell of fewer words is a name, not a sentence. */
const FEWEST_WORDS = 4

export interface Count {
  long: number
  refused: number
  openers: number
}

/** A sentence that breaks a rule, and the rule. */
export interface Complaint {
  rule: keyof Count
  sentence: string
}

const wordsOf = (sentence: string): string[] =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))

/** The sentences of a passage. Code and addresses count as one word each. */
export function sentencesOf(passage: string): string[] {
  const plain = passage
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, 'CODE')
    .replaceAll(/https?:\/\/\S+/g, 'ADDRESS')
    .replaceAll(/\*\*|(?<!\w)[*_](?=\w)|(?<=[\w.])[*_](?!\w)/g, '')
    .replaceAll(/\s+/g, ' ')
  return plain
    .split(/(?<=[.!?]["')]*) (?=["'(]*[\p{Lu}\p{N}<{-])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

/** Each rule that a sentence breaks, a refused word as often as it stands there. */
export function complaintsOn(sentence: string): Complaint[] {
  const words = wordsOf(sentence)
  const rules: (keyof Count)[] = []
  if (words.length > LONGEST_SENTENCE_WORDS) rules.push('long')
  for (const _ of sentence.matchAll(REFUSED)) rules.push('refused')
  const first = words[0]?.toLowerCase().replaceAll(/[^\p{L}]/gu, '') ?? ''
  const isQuestion = sentence.endsWith('?')
  if (words.length >= FEWEST_WORDS && OPENERS.has(first) && !isQuestion) rules.push('openers')
  return rules.map((rule) => ({ rule, sentence }))
}

export const complaintsIn = (passages: readonly string[]): Complaint[] =>
  passages.flatMap((passage) => sentencesOf(passage).flatMap(complaintsOn))

/** How often each rule is broken. */
export function count(complaints: readonly Complaint[]): Count {
  const of = (rule: keyof Count) => complaints.filter((complaint) => complaint.rule === rule).length
  return { long: of('long'), refused: of('refused'), openers: of('openers') }
}

/** Lines joined to passages; `isOwn` lines begin a passage and an empty line ends one. */
function joined(lines: readonly string[], isOwn: (line: string) => boolean): string[] {
  const passages: string[] = []
  let open = false
  for (const line of lines) {
    const text = line.trim()
    if (text === '') open = false
    else if (!open || isOwn(line)) {
      passages.push(text)
      open = true
    } else passages.push(`${passages.pop() ?? ''} ${text}`)
  }
  return passages
}

/** Paragraphs, headings, list items and cells of a Markdown page; neither code nor figures that a bench wrote. */
export function passagesOfMarkdown(text: string): string[] {
  const lines = text
    .replaceAll(/<!-- figures[^]*?<!-- end of the figures[^>]*-->/g, '')
    .replaceAll(/^ *(```|~~~)[^]*?^ *\1 *$/gm, '')
    .replaceAll(/<[^>\n]*>/g, '')
    .split('\n')
  const cells = lines
    .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
    .flatMap((line) => line.split('|').map((cell) => cell.trim()))
  const prose = lines.flatMap((line) => {
    if (line.startsWith('|')) return ['']
    if (line.startsWith('#')) return ['', line.replace(/^#+\s*(?:(?:R|a)-\d+|\d{4})?/, ''), '']
    return [line.replace(/^(\s*)(?:[-*]|\d+\.)\s+/, '$1\u0001')]
  })
  const isItem = (line: string) => line.trimStart().startsWith('\u0001')
  return [...joined(prose, isItem), ...cells]
    .map((passage) => passage.replaceAll('\u0001', ''))
    .filter((passage) => passage !== '')
}

/** Comments that stand on lines of their own, one passage for each block or paragraph. */
export function passagesOfTypeScript(text: string): string[] {
  const lines = text.split('\n').map((line) => {
    const comment = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))(.*)$/.exec(line)?.[1]
    return comment?.replace(/\*\/\s*$/, '').replace(/^\s*@\w+/, '') ?? ''
  })
  return joined(lines, () => false)
}

/** Comments of SQL; each key of a model's header is a passage of its own. A grain is `one row per …` by convention. */
export function passagesOfSql(text: string): string[] {
  const isKey = (line: string) => /^[a-z_]+ {2,}\S/.test(line)
  const lines = text.split('\n').map((line) => /^\s*-- ?(.*)$/.exec(line)?.[1] ?? '')
  return joined(lines, isKey).map((passage) =>
    passage.replace(/^grain +one /, 'a ').replace(/^[a-z_]+ {2,}/, ''),
  )
}

/** Descriptions of a help page. A semicolon ends an item of a list there. */
export function passagesOfHelp(text: string): string[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('Usage:'))
    .map((line) =>
      /^ {2}\S/.test(line) ? `\u0001${line.split(/ {2,}/).slice(2).join(' ')}` : line,
    )
  return joined(lines, (line) => line.startsWith('\u0001')).flatMap((passage) =>
    passage.replaceAll('\u0001', '').split(';'),
  )
}

/** Titles of tests and of groups of tests. */
export const passagesOfTests = (text: string): string[] =>
  [
    ...text.matchAll(
      /\b(?:test|it|describe)(?:\.\w+)*(?:\((?:[^()'"`]|\([^()]*\))*\))?\(\s*(['"`])(.+?)(?<!\\)\1/g,
    ),
  ].map(([, , title = '']) => title)

/** Texts of four words or more between quotes, without the holes of a template. A small letter goes on with a sentence. */
export const passagesOfStrings = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !/^\s*(\/\/|\/\*|\*|import )/.test(line))
    .flatMap((line) => [...line.matchAll(/'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`/g)])
    .map(([, single, double, template]) => single ?? double ?? template ?? '')
    .map((literal) => literal.replaceAll(/\$\{[^}]*\}/g, '7').replaceAll(/<[^>]*>/g, ''))
    .filter((literal) => (literal.match(/\b[a-z]{2,}/g) ?? []).length >= FEWEST_WORDS)
    .map((literal) => (/^[a-z]/.test(literal) ? `7 ${literal}` : literal))

/** Messages of failures, without the holes of a template. */
export const passagesOfFailures = (text: string): string[] =>
  [...text.matchAll(/\bnew Failure\(\s*'\w+',\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g)].map(
    ([, single, double, template]) =>
      (single ?? double ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, '7'),
  )
