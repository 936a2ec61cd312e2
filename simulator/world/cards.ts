/**
 * The payers: cards and bank accounts with their holders. None is stored; each is a function of its
 * number.
 */
import { hash32, itemAt } from './random.ts'

export interface Contact {
  firstName?: string
  middleName?: string
  lastName?: string
  companyName?: string
  email?: string
  phone?: string
  phone2?: string
  jobTitle?: string
  identifier?: string
  website?: string
  address?: { address: string; city: string; state: string; country: string; zip: string }
}

export interface Card {
  type: 'CARD' | 'ACH'
  /** Brand of a card, kind of a bank account. */
  accountType: string
  lastFour: string
  achRoutingNumber?: string
}

/** A card for a planted discrepancy. */
export interface SpecialCard extends Card {
  billing: Contact
}

/**
 * Numbers below `cards` are cards, the next `accounts` are bank accounts, then come the special
 * ones.
 */
export interface CardPool {
  seed: number
  cards: number
  accounts: number
  special: SpecialCard[]
}

const FIRST = [
  'Ada Ben Carla Diego Elena Farid Grace Hugo Ines Jonas Kira Liam Mona',
  'Nils Olga Priya Quentin Rosa Samir Tilda Uma Viktor Wanda Yusuf Zoë Anaïs',
].flatMap((names) => names.split(' '))
const LAST = [
  "Abbott Becker Castillo Dahl Evans Fischer Garcia Huang Ivanov Jensen Kowalski Müller O'Brien",
  'Lopez Nakamura Petrov Quinn Rossi Schmidt Tanaka Ueda Vargas Weber Xu Young Zimmer Nguyen',
  'Haddad Okafor Lindqvist',
].flatMap((names) => names.split(' '))
const STREET = [
  'Oak Street',
  'Mill Road',
  'Harbor Way',
  'Station Avenue',
  'Garden Lane',
  'Second Street',
  'Hill Court',
]
const TOWN = [
  'Austin,TX',
  'Boise,ID',
  'Denver,CO',
  'Fargo,ND',
  'Macon,GA',
  'Provo,UT',
  'Salem,OR',
  'Tampa,FL',
]
const BRANDS = [
  'VISA',
  'VISA',
  'VISA',
  'VISA',
  'VISA',
  'MASTERCARD',
  'MASTERCARD',
  'MASTERCARD',
  'AMEX',
  'DISCOVER',
]

/** Sizes the pool so that a card is used about eight times. */
export function cardPool(seed: number, transactions: number): CardPool {
  const cards = Math.max(64, Math.floor(transactions / 8))
  const accounts = Math.max(32, Math.floor(transactions / 40))
  return { seed, cards, accounts, special: [] }
}

/** The card of a number. Special cards have the last fours below 1000. */
export function cardAt(pool: CardPool, number: number): Card {
  if (number >= pool.cards + pool.accounts) {
    return itemAt(pool.special, number - pool.cards - pool.accounts)
  }
  const draw = (purpose: number, limit: number) => hash32(pool.seed, number, purpose) % limit
  const ach = number >= pool.cards
  const card: Card = {
    type: ach ? 'ACH' : 'CARD',
    accountType: ach ? (draw(21, 3) === 0 ? 'SAVINGS' : 'CHECKING') : itemAt(BRANDS, draw(22, 10)),
    lastFour: String(1000 + draw(23, 9000)),
  }
  if (ach) card.achRoutingNumber = `0${10_000_000 + draw(24, 80_000_000)}`
  return card
}

/** The payer with the card of a number; undefined for the few who never give a name. */
export function payerAt(pool: CardPool, number: number): Contact | undefined {
  if (number >= pool.cards + pool.accounts) {
    return itemAt(pool.special, number - pool.cards - pool.accounts).billing
  }
  const silent = number < pool.cards && hash32(pool.seed, number, 25) % 33 === 0
  return silent ? undefined : contactOf(pool, number)
}

/** Adds a special card and returns its number. */
export function addCard(pool: CardPool, card: SpecialCard): number {
  pool.special.push(card)
  return pool.cards + pool.accounts + pool.special.length - 1
}

function contactOf(pool: CardPool, number: number): Contact {
  const draw = (purpose: number, limit: number) => hash32(pool.seed, number, purpose) % limit
  const firstName = itemAt(FIRST, draw(31, FIRST.length))
  const lastName = itemAt(LAST, draw(32, LAST.length))
  const [city = '', state = ''] = itemAt(TOWN, draw(33, TOWN.length)).split(',')
  const contact: Contact = {
    firstName,
    lastName,
    email: `customer${number}@mail.example`,
    phone: `555${String(draw(34, 10_000_000)).padStart(7, '0')}`,
    identifier: `C-${number}`,
    address: {
      address: `${1 + draw(35, 999)} ${itemAt(STREET, draw(36, STREET.length))}`,
      city,
      state,
      country: 'US',
      zip: String(10_000 + draw(37, 89_999)),
    },
  }
  if (draw(38, 4) === 0) contact.middleName = itemAt(FIRST, draw(39, FIRST.length))
  if (number >= pool.cards || draw(40, 6) === 0) contact.companyName = `${lastName} & Partners`
  if (draw(41, 12) === 0) contact.phone2 = `555${String(draw(42, 10_000_000)).padStart(7, '0')}`
  if (draw(43, 10) === 0) contact.jobTitle = 'Buyer'
  if (draw(44, 20) === 0) contact.website = `https://www.customer${number}.example`
  return contact
}
