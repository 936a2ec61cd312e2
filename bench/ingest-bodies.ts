/** Makes pages of transactions for measurements, with every field of the interface. */

export interface ListOptions {
  /** Records of the whole list. */
  records: number
  /**
   * `native`: a double represents every number exactly. `text`: each record has numbers for which this is not true.
   */
  numbers: 'native' | 'text'
}

/** The address of the list. */
export const LIST_URL = 'https://api.example.test/v1/transactions'
const FIRST_ID = 9_000_000_000
/** These ids have more than fifteen digits, so that only their text tells them apart. */
const FIRST_LONG_ID = 7_000_000_000_000_000_000n
const FIRST_CREATED_MS = Date.UTC(2026, 0, 1)
const FIRST_NAMES = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Alan', 'Jean']
const BRANDS = ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER']

/** Returns the body of the page that begins at `offset`. The last page names no next one. */
export function bodyAt(
  { records, numbers }: ListOptions,
  { offset, limit }: { offset: number; limit: number },
): Buffer {
  const end = Math.min(records, offset + limit)
  const count = Math.max(0, end - offset)
  const results = Array.from({ length: count }, (_, n) => transaction(offset + n, numbers))
  const next = end < records ? `,"next":"${LIST_URL}?offset=${end}&limit=${limit}"` : ''
  return Buffer.from(`{"results":[${results.join(',')}]${next}}`)
}

/** Returns the JSON text of one transaction, always the same for the same number. */
function transaction(n: number, numbers: ListOptions['numbers']): string {
  const draw = mixed(n)
  const id = numbers === 'native' ? String(FIRST_ID + n) : String(FIRST_LONG_ID + BigInt(n))
  const base = 100 + (draw % 30_000)
  const tax = Math.floor(base * 0.0825)
  const tip = draw % 5 === 0 ? Math.floor(base * 0.18) : 0
  const created = instantOf(n)
  return JSON.stringify({
    transactionId: 0,
    uri: `${LIST_URL}/${id}`,
    terminalId: 1000 + (n % 400),
    action: draw % 20 === 0 ? 'REFUND' : 'CHARGE',
    amountBase: money(base),
    amountTax: money(tax),
    amountShipping: '0.00',
    amountTip: money(tip),
    amountSurcharge: '0.00',
    amountTotal: money(base + tax + tip),
    surcharge: { percentage: 3.5, status: 'APPLIED' },
    invoiceNumber: `INV-${n}`,
    method: 'KEYED',
    service: 'API',
    status: draw % 50 === 0 ? 'VOID' : 'CAPTURE',
    created,
    lastModified: created,
    response: responseOf(n),
    settlement: { settled: draw % 10 !== 0 },
    vault: {
      type: 'CARD',
      accountType: BRANDS[draw % BRANDS.length],
      lastFour: String(1000 + (draw % 9000)),
    },
    ...payer(draw),
  }).replace('"transactionId":0', `"transactionId":${id}`)
}

function responseOf(n: number) {
  return {
    approved: true,
    code: '00',
    message: 'Approved',
    processor: {
      authorized: true,
      approvalCode: `A${n % 99_999}`,
      avs: { status: 'REQUESTED', requested: 'ZIP', match: { ZIP: true, ADDRESS: false } },
      cvv: { status: 'NOT_REQUESTED' },
    },
  }
}

/** Returns one of 20,000 people, each of whom pays more than once. */
function payer(draw: number) {
  const who = draw % 20_000
  const address = {
    address: `${who % 999} Main Street`,
    city: 'Springfield',
    state: 'IL',
    country: 'USA',
    zip: String(10_000 + who),
  }
  const name = { firstName: FIRST_NAMES[who % FIRST_NAMES.length], lastName: `Byron${who}` }
  const billing = { ...name, email: `payer${who}@example.test`, phone: '5555550100', address }
  return { billing, shipping: { ...name, address } }
}

const money = (cents: number) => (cents / 100).toFixed(2)

/** A transaction every 15 seconds: two months of them are some 340,000. */
const instantOf = (n: number) =>
  `${new Date(FIRST_CREATED_MS + n * 15_000).toISOString().slice(0, 19)}Z`

function mixed(n: number): number {
  const once = Math.imul(n ^ (n >>> 16), 0x45d9f3b)
  return (once ^ (once >>> 15)) >>> 0
}
