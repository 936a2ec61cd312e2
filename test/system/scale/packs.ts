/** The packs that a command printed with --json, to compare them file by file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { RunResult } from '../../../domain/run.ts'
import type { Ended } from '../../support/built.ts'

/** The results, a line for each account. */
export const packsOf = ({ stdout }: Ended): RunResult[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line): RunResult => JSON.parse(line))

interface Manifest {
  files: { name: string; sha256: string }[]
}

/** Name and hash of each file of all packs but the summaries, which name the run, and those that are left out. */
export function filesOf(end: Ended, leftOut = /^summary\./): string[] {
  expect(end, end.stderr).toMatchObject({ code: 0 })
  return packsOf(end).flatMap(({ account, pack }) => {
    const { files }: Manifest = JSON.parse(readFileSync(join(pack, 'manifest.json'), 'utf8'))
    const compared = files.filter(({ name }) => !leftOut.test(name))
    return compared.map(({ name, sha256 }) => `${account} ${name} ${sha256}`)
  })
}
