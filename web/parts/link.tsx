/** Addresses of the console. With several accounts, the pages of each stand below an address of its own. */
import { type Child, createContext, type FC, useContext } from 'hono/jsx'

/** The account of a page, as its addresses and commands name it. */
export interface Branch {
  /** Stands before each path; empty if the console has one account. */
  base: string
  /** The flags by which a command names the account; empty if the console has one account. */
  accountFlags: readonly string[]
}

export const ONLY: Branch = { base: '', accountFlags: [] }

export const branchOf = (account: string): Branch => ({
  base: `/accounts/${encodeURIComponent(account)}`,
  accountFlags: ['--account', account],
})

export const BranchContext = createContext(ONLY)

/** The address of a page of this account. */
export const useAddress = (path: string): string => addressIn(useContext(BranchContext), path)

export const addressIn = ({ base }: Branch, path: string): string =>
  base !== '' && path === '/' ? base : `${base}${path}`

/** A link to a page of this account. */
export const Link: FC<{
  href: string
  children?: Child
  rel?: string
  'aria-current'?: 'page'
}> = ({ href, children, ...more }) => (
  <a href={useAddress(href)} {...more}>
    {children}
  </a>
)
