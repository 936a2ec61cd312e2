/** The evidence for the end of a settlement and for its members, in the words of `explain`. */
import type { FC } from 'hono/jsx'
import { reasonSentences } from '../../cli/inspect/certificate-reasons.ts'
import type { Explanation } from '../../queries/explanation.ts'
import { type Column, instant, Table } from './frame.tsx'
import { rowsOf, settlementLink } from './settlement-rows.ts'

const TRIED: readonly Column[] = [
  { name: 'at', title: 'Last transaction, UTC', as: 'instant' },
  { name: 'computedNet', title: 'Computed', as: 'money' },
  { name: 'difference', title: 'Difference', as: 'off' },
  { name: 'isChosen', title: 'Chosen' },
]
const REASONS: readonly Column[] = [
  { name: 'sentence', title: 'Reason' },
  { name: 'otherSettlement', title: 'Other settlement', link: (row) => settlementLink(row) },
]
const RIVALS: readonly Column[] = [
  { name: 'from', title: 'First transaction, UTC', as: 'instant' },
  { name: 'until', title: 'Last transaction, UTC', as: 'instant' },
]
const SWAPS: readonly Column[] = [
  { name: 'leave', title: 'Without' },
  { name: 'join', title: 'With' },
]
const SEEN: readonly Column[] = [
  { name: 'at', title: 'At, UTC', as: 'instant' },
  { name: 'what', title: 'Seen' },
]

export const CutOff: FC<{ explanation: Explanation }> = ({ explanation }) => (
  <>
    <p>
      {explanation.endsAt === ''
        ? 'No cut-off was found.'
        : `After the transaction of ${instant(explanation.endsAt)} UTC, ordered by ${explanation.clock}. Placed by ${explanation.method}.`}
    </p>
    <Reach explanation={explanation} />
    <Table caption="Cut-offs that were tried" columns={TRIED} rows={rowsOf(explanation.cutOffs)} />
    {explanation.certificateReasons.length === 0 ? null : (
      <Table
        caption="Reasons why another set is possible"
        columns={REASONS}
        rows={reasonRows(explanation)}
      />
    )}
    {explanation.rivalStretches.length === 0 ? null : (
      <Table
        caption="Other intervals with the same net"
        columns={RIVALS}
        rows={rowsOf(explanation.rivalStretches)}
      />
    )}
    {explanation.swaps.length === 0 ? null : (
      <Table
        caption="Other sets of transactions with the same net"
        columns={SWAPS}
        rows={rowsOf(explanation.swaps)}
      />
    )}
  </>
)

const reasonRows = (explanation: Explanation) => {
  const sentences = reasonSentences(explanation)
  return rowsOf(
    explanation.certificateReasons.map(({ otherSettlement }, at) => ({
      ...{ otherSettlement, sentence: sentences[at] },
    })),
  )
}

/** The usual place of a cut-off, and how far from it one was looked for. */
const Reach: FC<{ explanation: Explanation }> = ({
  explanation: { usualLag, usualSpread, reachHours },
}) => (
  <p class="note">
    {usualLag === ''
      ? ''
      : `Usually ${usualLag} before created, give or take ${usualSpread} (h:mm). `}
    {reachHours > 0 ? `Searched up to ${reachHours} hours before created.` : ''}
  </p>
)

/** The times at which sweeps saw each fact. */
export const Observed: FC<{ explanation: Explanation }> = ({ explanation: { observed } }) => (
  <>
    <h2>Seen by sweeps</h2>
    <Table
      caption="Facts that sweeps have seen"
      columns={SEEN}
      rows={rowsOf(observed)}
      empty="Nothing."
    />
  </>
)
