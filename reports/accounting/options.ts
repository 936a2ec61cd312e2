/** The settings and facts behind the accounting files. */
import type { AccountingSettings } from '../../domain/accounting.ts'
import { DEFAULT_CHART } from '../../domain/chart.ts'
import type { PackAbout } from '../pack/pack-source.ts'
import type { Chart } from './entry.ts'

export interface AccountingOptions {
  about: Pick<PackAbout, 'account' | 'window' | 'asOf'>
  chart: Chart
  currency: string
  accounting: AccountingSettings
}

/** Returns the options from the facts of a run. Absent parameters get their defaults. */
export function accountingOptions(
  about: AccountingOptions['about'] & Pick<PackAbout, 'parameters'>,
): AccountingOptions {
  const { chartOfAccounts, accounting, currency } = about.parameters
  return {
    about,
    chart: (chartOfAccounts ?? DEFAULT_CHART) as Chart,
    currency,
    // Both were validated with the configuration; `programFormats` checks headings and fields.
    accounting: accounting ?? {},
  }
}
