/** `verify`: a delivered pack is what was published, proved from its files alone. */
import type { Command } from 'commander'
import { aborted } from '../workers/engine.ts'
import { verifyPack, type VerifiedPack } from '../reports/verify-pack.ts'
import type { Context } from './context.ts'

export function addVerify(program: Command, context: Context): void {
  program
    .command('verify')
    .description('Re-hashes a delivered pack and takes its control totals again; needs no lake.')
    .argument('<pack>', 'folder of the pack')
    .action(async (pack: string, flags: object) => {
      const { json } = context.flagsOf(flags)
      const verified = await Promise.race([verifyPack(pack), aborted(context.signal)])
      if (json === true) context.terminal.print(JSON.stringify(answerOf(verified)))
      else for (const line of linesOf(verified)) context.terminal.print(line)
    })
}

function answerOf({ folder, manifest, sha256, files, bytes, proved }: VerifiedPack) {
  const { runId, account, from, to, controlTotals } = manifest
  return {
    ...{ pack: folder, runId, account, from, to, manifestSha256: sha256, files, bytes },
    controlTotals: controlTotals.length,
    proved,
  }
}

function linesOf({ manifest, sha256, files, bytes, proved }: VerifiedPack): string[] {
  const { runId, account, from, to, controlTotals } = manifest
  return [
    `pack ${runId} of ${account}, ${from} to ${to}: as it was published`,
    `${files} files, ${bytes.toLocaleString('en')} bytes, manifest ${sha256}`,
    `${controlTotals.length} control totals pass; ${proved.length} of them taken again from the files`,
  ]
}
