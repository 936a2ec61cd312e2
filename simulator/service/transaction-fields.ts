/** Writes a transaction field by field. Fields without a value are absent. */
import { CANARY_INVOICE, CANARY_MESSAGE } from '../world/canaries.ts'
import { type Card, cardAt, type CardPool, payerAt } from '../world/cards.ts'
import { INVOICE, MALFORMED } from '../world/draft.ts'
import {
  isSettledAt,
  lastModifiedAt,
  type Moment,
  statusAt,
  transactionId,
} from '../world/moment.ts'
import { at, hash32, itemAt } from '../world/random.ts'
import type { Terminal } from '../world/terminals.ts'
import { instantText } from '../world/time.ts'
import { moneyText } from './money-fields.ts'

/** The actions, in the order of their numbers. */
const ACTIONS = ['CHARGE', 'REFUND', 'VERIFY'] as const
const DECLINES = [
  ['05', 'DO NOT HONOR'],
  ['51', 'INSUFFICIENT FUNDS'],
  ['54', 'EXPIRED CARD'],
] as const
const AVS = ['ZIP', 'ADDRESS', 'ADDRESS_AND_ZIP'] as const

interface Subject {
  moment: Moment
  row: number
  terminal: Terminal
  card: Card
  /** A number below the limit that belongs to this record and purpose. */
  draw: (purpose: number, limit: number) => number
}

/**
 * Returns the JSON text; `origin` is the base address of the service. The text is assembled by hand, because ids may
 * not fit a double, and a page of a thousand should take milliseconds.
 */
export function transactionJson(moment: Moment, row: number, origin: string): string {
  const { world } = moment
  const id = transactionId(world, row)
  const terminal = itemAt(world.terminals, at(world.tx.terminal, row))
  const card = cardAt(world.cards, at(world.tx.card, row))
  const draw = (purpose: number, limit: number) => hash32(world.options.seed, row, purpose) % limit
  const subject = { moment, row, terminal, card, draw }
  return (
    `{"transactionId":${id},"uri":"${origin}/transactions/${id}","terminalId":${terminal.id}` +
    saleText(subject) +
    stateText(subject) +
    responseText(subject) +
    payerText(subject)
  )
}

/** Returns a text field, or an empty text without a value. The world's short texts need no escape. */
const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`

function saleText(subject: Subject): string {
  const { moment, row, terminal, draw } = subject
  return (
    field('action', itemAt(ACTIONS, at(moment.world.tx.action, row))) +
    field('achType', achTypeOf(subject)) +
    amountsText(subject) +
    surchargeText(subject) +
    field('invoiceNumber', invoiceOf(subject)) +
    field('purchaseOrderNumber', draw(800, 12) === 0 ? `PO-${draw(801, 900_000)}` : undefined) +
    field('method', methodOf(subject)) +
    field('service', 'API') +
    field('signatureStatus', terminal.tips && draw(802, 3) === 0 ? 'SIGNED' : undefined)
  )
}

function stateText({ moment, row }: Subject): string {
  const { tx } = moment.world
  const created = instantText(at(tx.created, row))
  const moved = lastModifiedAt(moment, row)
  return (
    field('status', statusAt(moment, row)) +
    field('created', at(tx.malformed, row) === MALFORMED.created ? created.slice(0, -1) : created) +
    field('lastModified', moved === at(tx.created, row) ? created : instantText(moved)) +
    `,"settlement":{"settled":${isSettledAt(moment, row)}}`
  )
}

function payerText(subject: Subject): string {
  const { terminal, card } = subject
  const contact = contactText(subject)
  const shipping = contact !== '' && terminal.ships ? `,"shipping":${contact}` : ''
  return (
    `,"vault":{"type":"${card.type}","accountType":"${card.accountType}"` +
    `${field('lastFour', card.lastFour)}${field('achRoutingNumber', card.achRoutingNumber)}}` +
    `${billingText(subject, contact)}${shipping}}`
  )
}

/** The JSON of each payer, made once, because contacts are half the work of a page. */
const contacts = new WeakMap<CardPool, Map<number, string>>()

/** Returns an empty text for a payer who never gives a name. */
function contactText({ moment, row }: Subject): string {
  const { cards, tx } = moment.world
  const known = contacts.get(cards) ?? new Map<number, string>()
  contacts.set(cards, known)
  const card = at(tx.card, row)
  const text = known.get(card) ?? JSON.stringify(payerAt(cards, card) ?? '')
  known.set(card, text)
  return text === '""' ? '' : text
}

/** Writes a payer's name in varying forms: sometimes in capitals, sometimes with an extra blank. */
function billingText({ moment, row, draw }: Subject, contact: string): string {
  if (contact === '') return ''
  const manner = draw(809, 32)
  if (manner > 1) return `,"billing":${contact}`
  const { cards, tx } = moment.world
  const payer = payerAt(cards, at(tx.card, row))
  const { lastName = '', address } = payer ?? {}
  const other =
    manner === 0 || address === undefined
      ? { ...payer, lastName: lastName.toUpperCase() }
      : { ...payer, address: { ...address, zip: `${address.zip} ` } }
  return `,"billing":${JSON.stringify(other)}`
}

/** Shows parts that are zero for cards only; bank transfers have neither tip nor shipping. */
function amountsText({ moment, row, card }: Subject): string {
  const { tx } = moment.world
  const money = (cents: number) =>
    cents === 0 && card.type === 'ACH' ? undefined : moneyText(cents)
  const total = moneyText(at(tx.total, row))
  return (
    field('amountBase', moneyText(at(tx.base, row))) +
    field('amountTax', moneyText(at(tx.tax, row))) +
    field('amountShipping', money(at(tx.shipping, row))) +
    field('amountTip', money(at(tx.tip, row))) +
    field('amountSurcharge', money(at(tx.surcharge, row))) +
    field('amountTotal', at(tx.malformed, row) === MALFORMED.total ? withComma(total) : total)
  )
}

const withComma = (total: string): string => total.replace(/(\d{3}\.\d{2})$/, ',$1')

function surchargeText({ moment, row, terminal }: Subject): string {
  const shown = moment.options.apiVersion >= '2023-05-16' && at(moment.world.tx.surcharge, row) > 0
  const percentage = terminal.surcharge_bp / 100
  return shown ? `,"surcharge":{"percentage":${percentage},"status":"APPLIED"}` : ''
}

function invoiceOf({ moment, row }: Subject): string | undefined {
  const kind = at(moment.world.tx.invoice, row)
  if (kind === INVOICE.none) return undefined
  return kind === INVOICE.canary ? CANARY_INVOICE : `INV-${100_000 + row}`
}

/** Returns the ACH type. The holder of a bank account always pays in the same way. */
function achTypeOf({ moment, row, terminal }: Subject): string | undefined {
  const { acceptance } = terminal
  if (acceptance.length === 0) return undefined
  return acceptance[at(moment.world.tx.card, row) % acceptance.length]
}

function methodOf(subject: Subject): string | undefined {
  if (subject.card.type === 'CARD') return 'KEYED'
  return achTypeOf(subject) === 'WEB' ? 'BANKLINK' : undefined
}

function responseText({ moment, row, card, draw }: Subject): string {
  const { tx } = moment.world
  const approved = at(tx.approved, row) === 1
  const [code, message] = approved
    ? ['00', 'APPROVED']
    : itemAt(DECLINES, draw(803, DECLINES.length))
  const canary = at(tx.invoice, row) === INVOICE.canary
  return (
    `,"response":{"approved":${approved},"code":"${code}"` +
    field('message', canary ? CANARY_MESSAGE : message) +
    `${card.type === 'CARD' ? processorText(approved, draw) : ''}}`
  )
}

function processorText(approved: boolean, draw: Subject['draw']): string {
  const approval = approved ? String(100_000 + draw(808, 900_000)) : undefined
  const requested = draw(804, 2) === 0 ? itemAt(AVS, draw(805, AVS.length)) : undefined
  const match = `{"ZIP":${draw(806, 20) > 0},"ADDRESS":${draw(807, 20) > 0}}`
  const avs = `,"avs":{"status":"REQUESTED"${field('requested', requested)},"match":${match}}`
  return (
    `,"processor":{"authorized":${approved}${field('approvalCode', approval)}` +
    `${requested === undefined ? '' : avs},"cvv":{"status":"NOT_REQUESTED"}}`
  )
}
