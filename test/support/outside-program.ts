/** Outside programs that some tests need. The test of an absent program is skipped with a message. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../house/project-files.ts'

/** A version of Node that `.ci/run` installs beside the one that runs the tests. */
export const nodeProgram = (version: '20.19' | '22' | '24' | '26') =>
  join(ROOT, '.cache', `node-${version}`, 'node_modules', '.bin', 'node')

/** The words before a command that run it as a user without rights, which root alone may do. */
export const AS_ANOTHER_USER = [
  'setpriv',
  '--reuid=65534',
  '--regid=65534',
  '--clear-groups',
  '--',
] as const

/** The command by which each program shows that it is installed; `.ci/run` installs them, kubernetes-validate beside helm. */
const PROBES = {
  openpyxl: ['python3', '-c', 'import openpyxl'],
  pyarrow: ['python3', '-c', 'import pyarrow'],
  polars: ['python3', '-c', 'import polars'],
  matplotlib: ['python3', '-c', 'import matplotlib'],
  dbt: ['python3', '-c', 'import dbt.adapters.duckdb'],
  hledger: ['hledger', '--version'],
  ledger: ['ledger', '--version'],
  beancount: ['bean-check', '--version'],
  chromium: ['chromium', '--version'],
  libreoffice: ['soffice', '--version'],
  postgresql: ['sh', '-c', 'ls /usr/lib/postgresql/*/bin/initdb'],
  promtool: ['promtool', '--version'],
  moto: ['moto_server', '--help'],
  zsh: ['zsh', '--version'],
  fish: ['fish', '--version'],
  openssl: ['openssl', 'version'],
  'kubernetes-validate': ['kubernetes-validate', '--version'],
  mount: ['sh', '-c', 'mount -t tmpfs -o size=1m none /mnt && umount -l /mnt'],
  'another user': [...AS_ANOTHER_USER, process.execPath, '--version'],
  'node-20.19': [nodeProgram('20.19'), '--version'],
  'node-22': [nodeProgram('22'), '--version'],
  'node-24': [nodeProgram('24'), '--version'],
  'node-26': [nodeProgram('26'), '--version'],
} as const

export type OutsideProgram = keyof typeof PROBES

/**
 * Skips the running test, with the reason, where the program is absent; with TIEOUT_TEST_REQUIRE=all
 * that is a failure instead. Call it first: `requireProgram(context, 'openpyxl')`.
 */
export function requireProgram(
  context: { skip: (note: string) => never },
  program: OutsideProgram,
): void {
  if (!needs(program)) context.skip(`${program} is not installed, or not allowed`)
}

/** True if the program is there. Throws if it is not, and TIEOUT_TEST_REQUIRE=all forbids a skip. */
export function needs(program: OutsideProgram): boolean {
  const [command, ...args] = PROBES[program]
  if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return true
  if (process.env['TIEOUT_TEST_REQUIRE'] === 'all') {
    throw new Error(
      `${program} is not installed or not allowed, and TIEOUT_TEST_REQUIRE=all allows no skip`,
    )
  }
  return false
}
