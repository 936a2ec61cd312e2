/**
 * Explains a settlement's difference by trying every cause and every set of transactions. Written from,
 * alone; slow and plain on purpose. The attribution is given.
 */
import type { LakeRecords, LakeSettlement, LakeTransaction } from './bulk-lake.ts'

export interface Explained {
  verdict: string
  certificate: string
  explanation: string
  explained_by: string
  difference: number
  explained: number
  unexplained: number
  /** The sets of the smallest size that account for the difference, of at most four transactions, and their number. */
  sets: number
  candidates: string[]
}

/** A settlement with what is in it, and what could have been. */
interface Judged {
  settlement: LakeSettlement
  created: number
  difference: number
  members: LakeTransaction[]
  /** Unsettled transactions in the settlement's interval. */
  outsiders: LakeTransaction[]
  /** Unsettled transactions in the interval and three days around it. */
  around: LakeTransaction[]
  /** At each of its cut-offs, what is settled within two hours, and what it would add to the net to move it across. */
  edges: Edge[]
}

type Edge = readonly { id: number; change: number; isMember: boolean }[]

/** A single way to account for a difference. */
interface Cause {
  code: string
  ids: number[]
  effect: number
}

/** A transaction that is at the terminal of one settlement, and in the net of another. */
interface Strayed {
  holder: Judged
  taker: Judged
  id: number
}

const DAY_MS = 86_400_000
const NEAR_MS = 7_200_000
const PARTS = ['tip_cents', 'tax_cents', 'shipping_cents', 'surcharge_cents'] as const
/** The codes in the order of precedence. */
const CODES = [
  'COUNTED_TWICE',
  'REFUND_SIGN',
  'MISSING_TRANSACTION',
  'EXTRA_TRANSACTION',
  'COMPONENT_EXCLUDED',
]
const CLAIMED_BELOW = 0.01
/** The number of cents within 5.00 of an amount. */
const SPAN_CENTS = 1001

const msOf = (instant: string) => Date.parse(`${instant.replace(' ', 'T')}Z`)

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, cents) => total + cents, 0)

/** Every COMPLETE settlement, by id; `placed` is the settlement of each transaction. */
export function explainedByForce(
  records: LakeRecords,
  placed: ReadonlyMap<number, number>,
): Map<number, Explained> {
  const all = judgedIn(records, placed)
  const off = all.filter(({ difference }) => difference !== 0)
  const strayed = strayedAmong(off)
  const found = all.map((one) => ({
    of: one.settlement,
    said: one.difference === 0 ? told(one, undefined, []) : explained(one, strayed, off),
  }))
  const isDoubtful = (place: number) => {
    const { of, said } = found[place] ?? {}
    return (
      said?.verdict === 'EXPLAINED' &&
      (said.certificate === 'AMBIGUOUS' ||
        isSwappable(said, all[place]?.edges ?? []) ||
        [found[place - 1], found[place + 1]].some(
          (other) => other?.of.terminal_id === of?.terminal_id && other?.said.verdict === 'BREAK',
        ))
    )
  }
  // Two explanations by one transaction are both AMBIGUOUS if either of them is.
  const doubted = new Set(
    found.flatMap(({ said }, place) =>
      said.explanation === 'WRONG_TERMINAL' && isDoubtful(place) ? [said.explained_by] : [],
    ),
  )
  return new Map(
    found.map(({ of, said }, place) => [
      of.settlement_id,
      isDoubtful(place) || (said.explanation === 'WRONG_TERMINAL' && doubted.has(said.explained_by))
        ? { ...said, certificate: 'AMBIGUOUS' }
        : said,
    ]),
  )
}

/**
 * Whether two transactions can be swapped without a change of the net, and one of them is a named member. For components of
 * all members any two count, and any transaction of zero.
 */
const isSwappable = ({ explanation, explained_by }: Explained, edges: readonly Edge[]): boolean =>
  edges.some((edge) =>
    edge.some((one, place) =>
      explanation === 'COMPONENT_EXCLUDED'
        ? one.change === 0 || edge.slice(place + 1).some((other) => other.change === -one.change)
        : one.isMember &&
          explained_by.split(';').includes(String(one.id)) &&
          edge.some((other) => other !== one && other.change === -one.change),
    ),
  )

/**
 * The settled transactions around a cut-off, in order of time. The cut-off comes after the last one that is in this
 * settlement or an earlier one.
 */
function edgesOf(
  settled: readonly LakeTransaction[],
  placeOf: (one: LakeTransaction) => number,
  place: number,
): Edge[] {
  return [place, place - 1].flatMap((at) => {
    const last = settled.findLast((one) => placeOf(one) <= at)
    if (last === undefined) return []
    return [
      settled
        .filter((one) => Math.abs(msOf(one.created) - msOf(last.created)) <= NEAR_MS)
        .map((one) => {
          const isMember = placeOf(one) === place
          const change = isMember ? -one.signed_cents : one.signed_cents
          return { id: one.transaction_id, change, isMember }
        }),
    ]
  })
}

function judgedIn({ settlements, transactions }: LakeRecords, placed: ReadonlyMap<number, number>) {
  const byTerminal = grouped(transactions, ({ terminal_id }) => terminal_id)
  const inOrder = grouped(
    [...settlements].sort((a, b) => msOf(a.created) - msOf(b.created)),
    ({ terminal_id }) => terminal_id,
  )
  return [...inOrder].flatMap(([terminal, ofTerminal]) => {
    const own = byTerminal.get(terminal) ?? []
    const open = own.filter(
      (one) => one.settled === false && one.signed_cents !== 0 && !placed.has(one.transaction_id),
    )
    const settled = own
      .filter((one) => placed.has(one.transaction_id) && one.settled !== false)
      .sort((a, b) => msOf(a.created) - msOf(b.created) || a.transaction_id - b.transaction_id)
    const places = new Map(ofTerminal.map(({ settlement_id }, place) => [settlement_id, place]))
    const placeOf = ({ transaction_id }: LakeTransaction) =>
      places.get(placed.get(transaction_id) ?? 0) ?? Infinity
    return ofTerminal.flatMap((settlement, place) => {
      if (settlement.status === 'PENDING') return []
      const created = msOf(settlement.created)
      const before = ofTerminal[place - 1]
      const begins = before === undefined ? created - DAY_MS : msOf(before.created)
      const within = (more_ms: number) =>
        open.filter(
          (one) => msOf(one.created) > begins - more_ms && msOf(one.created) <= created + more_ms,
        )
      const members = own.filter(
        (one) => placed.get(one.transaction_id) === settlement.settlement_id,
      )
      const difference = sum(members.map(({ signed_cents }) => signed_cents)) - settlement.net_cents
      return [
        {
          settlement,
          created,
          difference,
          members: members.filter(({ signed_cents }) => signed_cents !== 0),
          outsiders: within(0),
          around: within(3 * DAY_MS),
          edges: edgesOf(settled, placeOf, place),
        },
      ]
    })
  })
}

/** Every transaction that two settlements of different terminals, off by opposite amounts, could have between them. */
function strayedAmong(off: readonly Judged[]): Strayed[] {
  const byDifference = grouped(off, ({ difference }) => difference)
  return off.flatMap((holder) =>
    (byDifference.get(-holder.difference) ?? [])
      .filter((taker) => isElsewhere(holder, taker))
      .flatMap((taker) =>
        holder.members
          .filter(({ signed_cents }) => signed_cents === holder.difference)
          .map(({ transaction_id }) => ({ holder, taker, id: transaction_id })),
      ),
  )
}

const isElsewhere = (one: Judged, other: Judged) =>
  one.settlement.terminal_id !== other.settlement.terminal_id &&
  Math.abs(one.created - other.created) <= 3 * DAY_MS

const touches = ({ holder, taker }: Strayed, one: Judged) => holder === one || taker === one

/** The number of amounts that differ from the wanted one by up to 5.00, per cent of that span. */
const density = (amounts: readonly number[], wanted: number) =>
  new Set(amounts.filter((cents) => cents !== wanted && Math.abs(cents - wanted) <= 500)).size /
  SPAN_CENTS

/** Whether an amount ends in the same cents as the wanted one, and is another. */
const isAlike = (cents: number, wanted: number) => cents !== wanted && (cents - wanted) % 100 === 0

/** Whether so many single causes end in the cents of the difference that one in a hundred such amounts is among them. */
function isAPrice(causes: readonly Cause[], wanted: number): boolean {
  const effects = causes
    .map(({ effect }) => effect)
    .filter((effect) => Math.sign(effect) === Math.sign(wanted))
  const alike = new Set(effects.filter((effect) => isAlike(effect, wanted))).size
  const possible = Math.floor((Math.max(...effects) - Math.min(...effects)) / 100) + 1
  return alike >= 5 && alike / possible >= CLAIMED_BELOW
}

function explained(one: Judged, strayed: readonly Strayed[], off: readonly Judged[]): Explained {
  const own = strayed.filter((stray) => touches(stray, one))
  const [first] = own
  if (first !== undefined) return explainedElsewhere({ one, own, first }, strayed, off)
  const causes = causesOf(one)
  const bySingle = density(
    causes.map(({ effect }) => effect),
    one.difference,
  )
  const hits = causes.filter(({ effect }) => effect === one.difference)
  if (hits.length === 0) return explainedByMany(one, bySingle)
  return orByChance(explainedBySingle(one, hits, bySingle), isAPrice(causes, one.difference))
}

const orByChance = (said: Explained, isByChance: boolean): Explained =>
  said.verdict === 'EXPLAINED' && isByChance ? { ...said, certificate: 'AMBIGUOUS' } : said

function explainedElsewhere(
  { one, own, first }: { one: Judged; own: readonly Strayed[]; first: Strayed },
  strayed: readonly Strayed[],
  off: readonly Judged[],
): Explained {
  const { holder, taker, id } = first
  const isOnly =
    strayed.filter((stray) => touches(stray, holder) || touches(stray, taker)).length === 1
  const chance =
    density(
      off.filter((other) => isElsewhere(holder, other)).map(({ difference }) => -difference),
      holder.difference,
    ) *
    density(
      holder.members.map(({ signed_cents }) => signed_cents),
      holder.difference,
    )
  const claim = isOnly && chance < CLAIMED_BELOW ? { code: 'WRONG_TERMINAL', ids: [id] } : undefined
  const partner = (stray: Strayed) => (stray.holder === one ? stray.taker : stray.holder)
  return told(
    one,
    claim,
    own.map(
      (stray) => `WRONG_TERMINAL ${stray.id} with ${partner(stray).settlement.settlement_id}`,
    ),
  )
}

/** The table of R-29, cause by cause. */
function causesOf({ members, outsiders }: Judged): Cause[] {
  const single = members.flatMap(({ transaction_id, signed_cents }) => {
    const ids = [transaction_id]
    const refund =
      signed_cents < 0
        ? [1, 2].map((times) => ({ code: 'REFUND_SIGN', ids, effect: times * signed_cents }))
        : []
    return [
      { code: 'COUNTED_TWICE', ids, effect: -signed_cents },
      ...refund,
      { code: 'EXTRA_TRANSACTION', ids, effect: signed_cents },
    ]
  })
  const missing = outsiders.map(({ transaction_id, signed_cents }) => ({
    code: 'MISSING_TRANSACTION',
    ids: [transaction_id],
    effect: -signed_cents,
  }))
  const components = PARTS.flatMap((part) => {
    const holding = members.filter((member) => (member[part] ?? 0) !== 0)
    const effect = sum(holding.map((one) => Math.sign(one.signed_cents) * (one[part] ?? 0)))
    const ids = holding.map(({ transaction_id }) => transaction_id)
    return ids.length === 0 ? [] : [{ code: 'COMPONENT_EXCLUDED', ids, effect }]
  })
  return [...single, ...missing, ...components]
}

const nameOf = (ids: readonly number[]) => [...ids].sort((a, b) => a - b).join(';')

function explainedBySingle(one: Judged, hits: readonly Cause[], chance: number): Explained {
  const least = Math.min(...hits.map(({ ids }) => ids.length))
  const smallest = hits
    .filter(({ ids }) => ids.length === least)
    .sort((a, b) => CODES.indexOf(a.code) - CODES.indexOf(b.code))
  const sets = grouped(smallest, ({ ids }) => nameOf(ids))
  const [best] = smallest
  const claim = sets.size === 1 && chance < CLAIMED_BELOW ? best : undefined
  return told(
    one,
    claim,
    [...sets].map(([name, causes]) => `${causes[0]?.code} ${name}`),
  )
}

/** All sets of so many of the pieces, by places. */
function* setsOf(size: number, pieces: number, from = 0): Generator<number[]> {
  if (size === 0) {
    yield []
    return
  }
  for (let place = from; place <= pieces - size; place += 1) {
    for (const rest of setsOf(size - 1, pieces, place + 1)) yield [place, ...rest]
  }
}

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)

/** Sets of two, three, then four, as long as chance would hardly match: by an even spread, and by the amounts close by. */
function explainedByMany(one: Judged, bySingle: number): Explained {
  const pieces = [
    ...one.members.map((member) => ({ id: member.transaction_id, effect: member.signed_cents })),
    ...one.around.map((other) => ({ id: other.transaction_id, effect: -other.signed_cents })),
  ]
  const effects = pieces.map(({ effect }) => effect)
  const spread = Math.max(...effects) - Math.min(...effects) + 1
  let [bySpread, near] = [0, 0]
  for (const size of [2, 3, 4]) {
    bySpread += choose(pieces.length, size) / spread
    if (bySpread >= CLAIMED_BELOW || near >= CLAIMED_BELOW) break
    const sums = [...setsOf(size, pieces.length)].map((places) => ({
      places,
      cents: sum(places.map((place) => effects[place] ?? 0)),
    }))
    near += density(
      sums.map(({ cents }) => cents),
      one.difference,
    )
    const found = sums.filter(({ cents }) => cents === one.difference).map(({ places }) => places)
    const [first] = found.map((places) => places.map((place) => pieces[place]?.id ?? 0))
    if (first === undefined) continue
    const isOnly = found.length === 1 && bySingle + Math.max(bySpread, near) < CLAIMED_BELOW
    const claim = isOnly ? { code: 'COMBINATION', ids: first } : undefined
    const said = told(
      one,
      claim,
      found.map((places) => `COMBINATION ${nameOf(places.map((place) => pieces[place]?.id ?? 0))}`),
    )
    const isNearAlike = ({ cents }: { cents: number }) =>
      isAlike(cents, one.difference) && Math.abs(cents - one.difference) <= 500
    return orByChance(said, sums.some(isNearAlike))
  }
  return told(one, undefined, [])
}

function told(
  { difference }: Judged,
  claim: { code: string; ids: number[] } | undefined,
  candidates: string[],
): Explained {
  const verdict = difference === 0 ? 'TIED' : claim === undefined ? 'BREAK' : 'EXPLAINED'
  const unexplained = verdict === 'BREAK' ? difference : 0
  return {
    verdict,
    certificate: verdict === 'EXPLAINED' ? 'UNIQUE' : verdict === 'BREAK' ? 'UNSOLVED' : '',
    explanation: claim?.code ?? (verdict === 'BREAK' ? 'UNEXPLAINED' : ''),
    explained_by: claim === undefined ? '' : nameOf(claim.ids),
    difference,
    explained: difference - unexplained,
    unexplained,
    sets: candidates.length,
    candidates: verdict === 'BREAK' ? candidates.sort() : [],
  }
}
