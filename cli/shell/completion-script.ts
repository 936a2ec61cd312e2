/** Scripts that complete the command line in a shell, made from the tree of commands. */
import type { Command, Option } from 'commander'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

interface Word {
  word: string
  text: string
}

/** A place of the command line: the words of a command, and what may follow them. */
interface Place {
  /** Such as ` exceptions list`; empty for the program itself. */
  at: string
  words: Word[]
  /** Flags that take a value, each with its choices. Without choices a value may be a file. */
  values: { flag: string; choices: readonly string[] }[]
}

/** Returns the script that a shell reads. */
export const completionScript = (program: Command, shell: Shell): string =>
  SCRIPTS[shell](placesOf(program, program.options))

function placesOf(command: Command, shared: readonly Option[], at = ''): Place[] {
  const options = [...new Set([...command.options, ...shared])].filter(({ long }) => long)
  const flags = options.map(({ long, description }) => ({ word: long ?? '', text: description }))
  const commands = command.commands.map((one) => ({ word: one.name(), text: one.description() }))
  const place: Place = {
    at,
    words: [...commands, ...argumentsOf(command), ...flags, { word: '--help', text: 'show help' }],
    values: options
      .filter(({ required, optional }) => required || optional)
      .map(({ long, argChoices }) => ({ flag: long ?? '', choices: argChoices ?? [] })),
  }
  return [place, ...command.commands.flatMap((one) => placesOf(one, shared, `${at} ${one.name()}`))]
}

const argumentsOf = (command: Command): Word[] =>
  command.registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((word) => ({ word, text: description })),
  )

const SCRIPTS: Record<Shell, (places: readonly Place[]) => string> = {
  bash: (places) => `_tieout() {
  local at='' word words='' cur=\${COMP_WORDS[COMP_CWORD]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$at $word" in
      ${commandsOf(places)}) at="$at $word" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${valuesOf(places, (choices) => `COMPREPLY=($(compgen -W '${choices}' -- "$cur")); return`, 'COMPREPLY=(); return')}
  esac
  case "$at" in
${places.map(({ at, words }) => `    '${at}') words='${words.map(({ word }) => word).join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _tieout tieout
`,
  zsh: (places) => `#compdef tieout
_tieout() {
  local at='' word
  local -a known
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${commandsOf(places)}) at="$at $word" ;;
    esac
  done
  case "$at $words[CURRENT-1]" in
${valuesOf(places, (choices) => `compadd -- ${choices}; return`, '_files; return')}
  esac
  case "$at" in
${places.map(({ at, words }) => `    '${at}') known=(${words.map(described).join(' ')}) ;;`).join('\n')}
  esac
  _describe 'tieout' known
  [[ -n $at ]] && _files
}
if [[ $funcstack[1] == _tieout ]]; then _tieout; else compdef _tieout tieout; fi
`,
  fish: (places) => `function __tieout_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${commandsOf(places).replaceAll('|', ' ')}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
${places.flatMap(fishLines).join('\n')}
`,
}

/** The words of every command, as a pattern of a shell. */
const commandsOf = (places: readonly Place[]): string =>
  places.flatMap(({ at }) => (at === '' ? [] : [`'${at}'`])).join('|')

/** The branches for flags with a value: those with choices, then all others. */
function valuesOf(
  places: readonly Place[],
  chosen: (choices: string) => string,
  other: string,
): string {
  const all = places.flatMap(({ at, values }) => values.map((value) => ({ at, ...value })))
  const branches = all
    .filter(({ choices }) => choices.length > 0)
    .map(({ at, flag, choices }) => `    '${at} ${flag}') ${chosen(choices.join(' '))} ;;`)
  const free = all.filter(({ choices }) => choices.length === 0)
  const pattern = free.map(({ at, flag }) => `'${at} ${flag}'`).join('|')
  return [...branches, `    ${pattern}) ${other} ;;`].join('\n')
}

/** A word with its text for zsh, which takes the first colon as the border between them. */
const described = ({ word, text }: Word): string => quoted(`${word}:${text.replaceAll(':', ' -')}`)

function fishLines({ at, words, values }: Place): string[] {
  const isHere = `complete -c tieout -n "__tieout_at '${at}'"`
  return words.map(({ word, text }) => {
    if (!word.startsWith('--')) return `${isHere} -f -a ${word} -d ${fishText(text)}`
    const value = values.find(({ flag }) => flag === word)
    const choices = value?.choices ?? []
    const takes = value === undefined ? '' : choices.length === 0 ? ' -r -F' : ' -x'
    const among = choices.length === 0 ? '' : ` -a '${choices.join(' ')}'`
    return `${isHere} -l ${word.slice(2)}${takes}${among} -d ${fishText(text)}`
  })
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const fishText = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
