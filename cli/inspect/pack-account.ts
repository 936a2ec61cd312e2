/** The account of a pack, which its manifest names. */
import { Failure } from '../../domain/failure.ts'
import type { Flags } from '../../workers/config/settings.ts'

/** The flags with the account of the pack. Throws usage if --account names another one. */
export function flagsOfPack(flags: Flags, { account }: { account: string }): Flags {
  if (flags.account === undefined || flags.account === account) return { ...flags, account }
  throw new Failure(
    'usage',
    `the pack is of account ${account}, and --account names ${flags.account}`,
    { remedy: `leave --account out, or name a pack of ${flags.account}` },
  )
}
