/** The files for accounting programs: the programs, and the ways in which their entries are gathered. */

export const ACCOUNTING_GROUPS = ['entry', 'day', 'settlement', 'month'] as const
export type AccountingGroup = (typeof ACCOUNTING_GROUPS)[number]

/** The keys of the programs in the configuration, in the order of their files. */
export const ACCOUNTING_PROGRAMS = [
  'quickbooks_online',
  'quickbooks_desktop',
  'xero',
  'netsuite',
  'sage_intacct',
  'business_central',
] as const
export type AccountingProgram = (typeof ACCOUNTING_PROGRAMS)[number]

/** The section `accounting` of the configuration. */
export type AccountingSettings = Readonly<
  {
    group?: AccountingGroup | undefined
    by_terminal?: boolean | undefined
    programs?: readonly AccountingProgram[] | undefined
  } & Partial<Record<AccountingProgram | 'plain_text', object | undefined>>
>

export const DEFAULT_GATHERING = { group: 'day', by_terminal: false } as const satisfies Pick<
  AccountingSettings,
  'group' | 'by_terminal'
>

/** Returns the way in which entries are gathered, with the defaults of absent keys. */
export function gatheringOf(accounting: AccountingSettings): {
  group: AccountingGroup
  byTerminal: boolean
} {
  const { group = DEFAULT_GATHERING.group, by_terminal = DEFAULT_GATHERING.by_terminal } =
    accounting
  return { group, byTerminal: by_terminal }
}

/** The programs that get files: those that `programs` lists, else those that are configured. */
export function programsOf(accounting: AccountingSettings): readonly AccountingProgram[] {
  const { programs } = accounting
  return ACCOUNTING_PROGRAMS.filter((program) =>
    programs === undefined ? accounting[program] !== undefined : programs.includes(program),
  )
}
