/** The command `prove`: recomputes a pack from the lake and compares it byte for byte. */
import { provePack, type Proof } from '../../queries/prove-pack.ts'
import type { PackManifest } from '../../reports/pack/read-manifest.ts'
import { verifyPackAt } from '../../reports/open-pack.ts'
import { objectStore } from '../../workers/config/object-store.ts'
import { aborted } from '../../workers/temporal/aborted.ts'
import { readSettings, type Flags } from '../../workers/config/settings.ts'
import type { Context } from '../shell/context.ts'
import { knownAtFlag } from '../shell/instant-flag.ts'
import { flagsOfPack } from './pack-account.ts'

export type ProveFlags = Flags & { knownAt?: string }

export async function proveCommand(
  context: Context,
  pack: string,
  flags: ProveFlags,
): Promise<void> {
  const { json, ...settable } = context.flagsOf(flags)
  const known = flags.knownAt === undefined ? {} : { knownAt: knownAtFlag(flags.knownAt) }
  const proving = async () => {
    const verified = await verifyPackAt(pack, objectStore)
    const settings = readSettings(flagsOfPack(settable, verified.manifest))
    const proof = await provePack(settings, { ...verified, ...known }, context.terminal.say)
    return { proof, ...verified }
  }
  const { proof, manifest, folder } = await Promise.race([proving(), aborted(context.signal)])
  const { runId, knownAt } = manifest
  if (json === true) {
    context.terminal.print(JSON.stringify({ pack: folder, runId, knownAt, ...proof }))
  } else for (const line of linesOf(manifest, proof)) context.terminal.print(line)
}

function linesOf({ runId, account, knownAt }: PackManifest, proof: Proof): string[] {
  const { agreeing, differing, madeBy, provedBy } = proof
  const files = agreeing.length + differing.length
  const head = `pack ${runId} of ${account}, known at ${knownAt}`
  if (madeBy === provedBy) {
    return [`${head}: recomputed, ${files} files agree byte for byte`]
  }
  return [
    `${head}: made by code version ${madeBy}, recomputed by ${provedBy}`,
    `${agreeing.length} of ${files} files agree; another code version may give other numbers`,
    ...differing.map((name) => `  differs: ${name}`),
  ]
}
