/** The steps that import a file into each program, with the mistakes that its users know. */
import type { AccountingProgram } from '../../domain/accounting.ts'

export interface Checklist {
  /** The program's own name. */
  name: string
  steps: readonly string[]
}

export const CHECKLISTS: Readonly<Record<AccountingProgram, Checklist>> = {
  quickbooks_online: {
    name: 'QuickBooks Online',
    steps: [
      'Create every account of the column AccountName first. The import creates none.',
      'Switch account numbers off (Settings, Advanced, Chart of accounts). The file has names.',
      'Import by Settings, Import data, Journal entries. The date format is MM/DD/YYYY.',
      'Map the columns on the screen. Do not save the file with another program before.',
      'Classes of terminals must exist, if the column Class is filled.',
      'A journal number that exists already stops the import, because that entry was imported before.',
    ],
  },
  quickbooks_desktop: {
    name: 'QuickBooks Desktop',
    steps: [
      'Back up the company file. An import can not be undone.',
      'Sign in as Admin, in single-user mode.',
      'Check that every account exists. The import may add an unknown name as a new account.',
      'Import by File, Utilities, Import, IIF files.',
      'Import the file once. QuickBooks Desktop finds no duplicate.',
      'A sales tax account may demand its agency as NAME (accounting.quickbooks_desktop.names).',
    ],
  },
  xero: {
    name: 'Xero',
    steps: [
      'Import with the adviser role, by Accounting, Manual journals, Import.',
      'Check that every account code exists, and is no bank or system account.',
      'Check that *TaxRate is the full name of a tax rate of your organisation.',
      'Tracking categories and options must exist, if their columns are filled.',
      'The import makes drafts. Compare their number with the entries above, then post them.',
      'Import each numbered file once. Xero finds no duplicate.',
    ],
  },
  netsuite: {
    name: 'NetSuite',
    steps: [
      'Import by Setup, Import/Export, Import CSV records: Transactions, Journal entry.',
      'The date format is MM/DD/YYYY. It must be that of your user preferences.',
      'With account numbers in use, an account is its number, or its number and name.',
      'OneWorld needs a subsidiary (accounting.netsuite.cells.Subsidiary).',
      'External ID gathers the lines of an entry. Choose Add, so that an entry comes once.',
    ],
  },
  sage_intacct: {
    name: 'Sage Intacct',
    steps: [
      'Compare the headings with the template that your company can download.',
      'The journal GJ must exist, or be another (accounting.sage_intacct.cells.JOURNAL).',
      'Import by Company, Setup, Import data, Journal entries. The date format is MM/DD/YYYY.',
      'Locations must exist, if the column LOCATION_ID is filled.',
      'Do not save the file as Excel or as CSV UTF-8. One bad entry rejects the file.',
      'Intacct finds no duplicate. Import the file once.',
    ],
  },
  business_central: {
    name: 'Business Central',
    steps: [
      'Import business-central.xlsx. Business Central takes no text file.',
      'Open the general journal GENERAL, batch DEFAULT, which must be empty.',
      'Choose Edit in Excel, paste the rows below its headings, and publish.',
      'Or paste them into a configuration package of table 81, Gen. Journal Line.',
      'Keep Force Doc. Balance on. Every document balances.',
      'The dimension value of each terminal must exist, if its column is filled.',
      'Preview the posting, compare the totals, then post.',
    ],
  },
}
