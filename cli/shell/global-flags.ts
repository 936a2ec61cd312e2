import type { Flags } from '../../workers/config/settings.ts'

/** The global flags of a command, for another command. */
export const globalFlags = ({ config, account, lake }: Flags): string[] =>
  Object.entries({ config, account, lake }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  )
