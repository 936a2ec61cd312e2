/** Examples for the help page of the program (the empty name), and of each group and command. A house test reads every line as the program would. */
import type { Command } from 'commander'
import { typed } from './typed-command.ts'

export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': [
    'tieout demo',
    'tieout init',
    'tieout doctor',
    'tieout run --from 2026-10-01 --to 2026-11-01',
    'tieout explain 81044176',
    'tieout open',
  ],
  run: [
    'tieout run --from 2026-10-01 --to 2026-11-01',
    'tieout run --dry-run',
    'tieout run --fail-on error --min-certificate contiguous',
  ],
  reconcile: ['tieout reconcile --from 2026-10-01 --to 2026-11-01 --known-at 2026-11-03T06:00:00Z'],
  report: ['tieout report --from 2026-10-01 --to 2026-11-01'],
  backfill: [
    'tieout backfill --from 2025-01-01 --to 2026-01-01 --plan',
    'tieout backfill --from 2025-01-01 --to 2026-01-01 --by "Ann Lee" --reason "first load"',
  ],
  'backfill status': ['tieout backfill status'],
  'backfill pause': ['tieout backfill pause'],
  'backfill resume': ['tieout backfill resume 2025-01-01..2026-01-01'],
  'backfill slow': ['tieout backfill slow 2'],
  'backfill cancel': ['tieout backfill cancel --by "Ann Lee"'],
  import: [
    'tieout import october.csv --check',
    'tieout import october.csv november.csv --list transactions --yes',
  ],
  worker: ['tieout worker', 'tieout worker --metrics 127.0.0.1:9464'],
  schedule: ['tieout schedule apply', 'tieout schedule show'],
  'schedule apply': ['tieout schedule apply'],
  'schedule show': ['tieout schedule show --json'],
  'schedule pause': ['tieout schedule pause --account acme'],
  'schedule resume': ['tieout schedule resume --account acme'],
  'schedule trigger': ['tieout schedule trigger'],
  status: ['tieout status', 'tieout status --max-age 26'],
  open: ['tieout open', 'tieout open --port 8780 --no-browser'],
  explain: ['tieout explain 81044176'],
  verify: ['tieout verify out/default/latest'],
  diff: [
    'tieout diff out/default/2026-10-01_2026-11-01/20261102T041502Z-0a1b2c3d out/default/latest',
  ],
  prove: ['tieout prove out/default/latest'],
  periods: [
    'tieout periods list',
    'tieout periods close 2026-10 --by "Ann Lee" --reason "month end"',
  ],
  'periods list': ['tieout periods list'],
  'periods close': ['tieout periods close 2026-10 --by "Ann Lee" --reason "month end"'],
  'periods reopen': ['tieout periods reopen 2026-10 --by "Ann Lee" --reason "late file"'],
  approve: ['tieout approve out/default/latest --by "Ben Ode"'],
  query: [
    `tieout query "select settlementId, difference from settlements where verdict = 'BREAK'"`,
    'tieout query --file aged.sql --format parquet --output aged.parquet',
  ],
  exceptions: [
    'tieout exceptions list --new --severity error',
    'tieout exceptions show 3f9a1c2b4d5e6f70',
    'tieout exceptions resolve 3f9a1c2b4d5e6f70 --by "Ann Lee" --reason "paid on 2026-11-20"',
  ],
  'exceptions list': [
    'tieout exceptions list --code AMOUNT_MISMATCH --sort amount',
    'tieout exceptions list --new --severity error --json',
  ],
  'exceptions show': ['tieout exceptions show 3f9a1c2b4d5e6f70'],
  'exceptions assign': ['tieout exceptions assign 3f9a1c2b4d5e6f70 --to "Ann Lee" --by "Ben Ode"'],
  'exceptions waive': [
    'tieout exceptions waive --code DUPLICATE_CHARGE --terminal 1001 --until 2026-12-31 --by "Ann Lee" --reason "test card"',
  ],
  'exceptions resolve': [
    'tieout exceptions resolve 3f9a1c2b4d5e6f70 --by "Ann Lee" --reason "paid on 2026-11-20"',
  ],
  'exceptions reopen': [
    'tieout exceptions reopen 3f9a1c2b4d5e6f70 --by "Ann Lee" --reason "not paid"',
  ],
  'exceptions export': ['tieout exceptions export --output decisions.csv'],
  'exceptions apply': ['tieout exceptions apply decisions.csv --by "Ann Lee"'],
  attribute: [
    'tieout attribute 52001234 --to 81044176 --by "Ann Lee" --reason "the operator says so"',
    'tieout attribute 52001234 --undo --by "Ann Lee" --reason "the operator was wrong"',
  ],
  maintain: ['tieout maintain', 'tieout maintain --backup /backups/tieout'],
  upgrade: ['tieout upgrade'],
  rollback: ['tieout rollback', 'tieout rollback --discard-newer'],
  init: ['tieout init', 'tieout init --output -'],
  config: ['tieout config show', 'tieout config validate'],
  'config show': ['tieout config show', 'tieout config show --account acme --json'],
  'config validate': ['tieout config validate', 'tieout config validate --file-only'],
  'config schema': [
    'tieout config schema > tieout.schema.json',
    'tieout config schema manifest',
    'tieout config schema "exceptions list"',
  ],
  chart: ['tieout chart', 'tieout chart --set sales=4000:Sales --set clearing=1190:Clearing'],
  doctor: ['tieout doctor', 'tieout doctor --source'],
  demo: ['tieout demo', 'tieout demo --transactions 20000'],
  simulate: ['tieout simulate --terminals 3 --transactions 5000 --port 8080'],
  completion: [
    'tieout completion bash > ~/.local/share/bash-completion/completions/tieout',
    'tieout completion zsh > ~/.zfunc/_tieout',
    'tieout completion fish > ~/.config/fish/completions/tieout.fish',
  ],
}

/** Adds the examples below the help of the program, and of each group and command. */
export function addExamples(command: Command, words: readonly string[] = []): void {
  const lines = EXAMPLES[words.join(' ')] ?? []
  if (lines.length > 0) {
    command.addHelpText(
      'after',
      typed(['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n')),
    )
  }
  for (const inner of command.commands) addExamples(inner, [...words, inner.name()])
}
