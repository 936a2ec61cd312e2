/** Makes the packs of a world with a build of tieout, by its command line alone, so that any version can be run. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ACCOUNTING_PROGRAMS } from '../../../domain/accounting.ts'
import { surroundings } from '../../support/surroundings.ts'
import { startPackService } from './altered-service.ts'
import { packContents, type PackContents } from './pack-contents.ts'
import type { PackWorld } from './worlds.ts'

const run = promisify(execFile)

/** Every program makes its files. Earlier versions read these keys, too. */
const CONFIG = `accounting: { ${ACCOUNTING_PROGRAMS.map((program) => `${program}: {}`).join(', ')} }\n`

/**
 * Runs each night of the world with `<project>/bin/tieout.mjs` in a new folder.
 * Answers with the contents of each night's pack, by its instant. Throws where a command ends with another exit than 0.
 */
export async function makePacks(
  project: string,
  world: PackWorld,
): Promise<Record<string, PackContents>> {
  const service = await startPackService(world)
  const cwd = mkdtempSync(join(tmpdir(), 'tieout-packs-'))
  writeFileSync(join(cwd, 'tieout.yaml'), CONFIG)
  const env = { ...surroundings(), ...service.env, TIEOUT_HASH_KEY: 'a key for comparing packs' }
  try {
    const packs: Record<string, PackContents> = {}
    for (const [night, asOf] of world.nights.entries()) {
      service.begin(night)
      const args = [join(project, 'bin', 'tieout.mjs'), 'run', '--as-of', asOf, '--json']
      const { stdout } = await run(process.execPath, args, { cwd, env })
      const { pack }: { pack: string } = JSON.parse(stdout)
      packs[asOf] = packContents(pack)
    }
    return packs
  } finally {
    await service.stop()
    if (process.env['TIEOUT_KEEP_PACKS'] === undefined) {
      rmSync(cwd, { recursive: true, force: true, maxRetries: 5 })
    } else {
      process.stderr.write(`${project} ${world.name}: ${cwd}\n`)
    }
  }
}
