/** The commands of a tutorial page, with the answers that it shows. */

export interface Step {
  /** Lines of a shell. */
  commands: string
  /** The exit code that the text after it states; 0 if it states none. */
  exitCode: number
  /** The answer on the page; undefined if the page shows none. `...` stands for any lines. */
  answer: string | undefined
  /** Column names and the cells that a person fills into each row of a file, before these commands. */
  filled: Readonly<Record<string, string>>
}

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm

/** Reads the steps of a page in their order. */
export function stepsIn(page: string): Step[] {
  const steps: Step[] = []
  const blocks = [...page.matchAll(FENCE)]
  let filled: Record<string, string> = {}
  for (const [at, { 1: language, 2: text = '', 0: whole, index }] of blocks.entries()) {
    const end = index + whole.length
    const prose = page.slice(end, blocks[at + 1]?.index ?? page.length)
    const last = steps.at(-1)
    if (language === 'csv') filled = cellsIn(text)
    if (language === 'sh') {
      steps.push({ commands: text, exitCode: 0, answer: undefined, filled })
      filled = {}
    }
    if (language === 'text' && last !== undefined) last.answer = text
    const stated = /exit code (\d+)/.exec(prose)?.[1]
    const now = steps.at(-1)
    if (stated !== undefined && now !== undefined) now.exitCode = Number(stated)
  }
  return steps
}

function cellsIn(text: string): Record<string, string> {
  const [head = [], cells = []] = text.split('\n').map((line) => line.split(','))
  return Object.fromEntries(head.map((name, at) => [name, cells[at] ?? '']))
}

/**
 * Replaces line ends of CSV, the commands of a checkout by those of a package, and what differs from run to run. The
 * latter are ids of runs, hashes, sizes, times of this day, and the folder.
 */
export const normalized = (text: string, folder: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll('npx --no-install tieout', 'tieout')
    .replaceAll(folder, '/home/ann')
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{8}/g, '20261124T090000Z-0a1b2c3d')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '0123456789abcdef'.repeat(4))
    .replaceAll(/(act \d+ of the audit trail, \S+, )[0-9a-f]+/g, '$10a1b2c3d')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
      time.startsWith('2026-11-20T04:15') ? time : '2026-11-24T09:00:00.000Z',
    )
    .replaceAll(/[\d,]+ bytes/g, '1,234,567 bytes')

/** Whether the answer has the lines of the page in their order; `...` stands for any number of lines. */
export function agrees(shown: string, answer: string): boolean {
  const pattern = shown
    .split('\n')
    .map((line) => (line.trim() === '...' ? '(?:.*\n)*?' : `${escapedLine(line)}\n`))
    .join('')
    .replace(/\n$/, '')
  return new RegExp(`^${pattern}$`).test(answer)
}

const escapedLine = (line: string) => line.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The answer as the page shows it: as many lines before and after its `...` as the page has now. */
export function shortened(shown: string, answer: string): string {
  const lines = shown.trimEnd().split('\n')
  const gap = lines.findIndex((line) => line.trim() === '...')
  if (gap === -1) return answer
  const all = answer.trimEnd().split('\n')
  const after = lines.length - gap - 1
  return `${[...all.slice(0, gap), '...', ...all.slice(all.length - after)].join('\n')}\n`
}

/** The page with other answers, in the order of its steps. */
export function withAnswers(page: string, answers: readonly string[]): string {
  let at = -1
  return page.replaceAll(FENCE, (whole, language: string) => {
    if (language === 'sh') at += 1
    return language === 'text' ? `\`\`\`text\n${answers[at] ?? ''}\`\`\`` : whole
  })
}
