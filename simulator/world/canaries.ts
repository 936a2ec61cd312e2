/** Recognisable personal strings in a few records, which may never appear in any output. */
import type { Contact, SpecialCard } from './cards.ts'

/** A full card number that a person typed into the invoice number. */
export const CANARY_INVOICE = '4111111111111111'
export const CANARY_MESSAGE = 'APPROVED FOR ZYXCANARY-MESSAGE'

const CANARY_CONTACT: Contact = {
  firstName: 'Zyxcanaryfirst',
  middleName: 'Zyxcanarymiddle',
  lastName: 'Zyxcanarylast',
  companyName: 'Zyxcanary Company',
  email: 'zyxcanary.mail@zyxcanary.example',
  phone: '555018273645',
  phone2: '555019283746',
  jobTitle: 'Zyxcanary Job',
  identifier: 'zyxcanary-identifier',
  website: 'https://zyxcanary.example/site',
  address: {
    address: '7 Zyxcanary Street',
    city: 'Zyxcanaryville',
    state: 'Zyxcanarystate',
    country: 'Zyxcanaryland',
    zip: 'ZYX 9Q7C',
  },
}

export const CANARY_CARD: SpecialCard = {
  type: 'CARD',
  accountType: 'VISA',
  lastFour: '0990',
  billing: CANARY_CONTACT,
}

const { address, ...named } = CANARY_CONTACT

/** Every planted string; `Zyxcanary` in any letter case betrays most of them. */
export const CANARIES: readonly string[] = [
  'Zyxcanary',
  'zyxcanary',
  'ZYXCANARY',
  ...Object.values(named),
  ...Object.values(address ?? {}),
  CANARY_INVOICE,
  CANARY_MESSAGE,
]
