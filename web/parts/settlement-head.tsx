/** The verdict and the numbers of one settlement, with their meaning in words. */
import type { FC } from 'hono/jsx'
import { grouped } from '../../domain/cents.ts'
import type { Explanation } from '../../queries/explanation.ts'
import { MEANINGS } from '../../reports/pack/summary-words.ts'
import { Facts, instant, Word } from './frame.tsx'
import { Link } from './link.tsx'

export const SettlementHead: FC<{ explanation: Explanation }> = ({ explanation }) => (
  <>
    <Summary explanation={explanation} />
    <Meaning explanation={explanation} />
  </>
)

const Summary: FC<{ explanation: Explanation }> = ({ explanation }) => (
  <Facts
    facts={[
      ['Verdict', <Word text={explanation.verdict} />],
      ['Certificate', explanation.certificate],
      ['Reported net', grouped(explanation.reportedNet)],
      ['Computed net', grouped(explanation.computedNet)],
      ['Difference', grouped(explanation.difference)],
      ['Explained', grouped(explanation.explainedAmount)],
      ['Unexplained', grouped(explanation.unexplainedAmount)],
      ['Explanation', explanation.explanation],
      ['Status', explanation.status],
      ['Created, UTC', instant(explanation.created)],
      [
        'Terminal',
        <Link
          href={`/terminals/${explanation.terminalId}`}
        >{`${explanation.terminalId} ${explanation.terminalName}`}</Link>,
      ],
      ['Source', explanation.runId === '' ? 'computed now' : `run ${explanation.runId}`],
    ]}
  />
)

/** The cause, the next step and the certificate in words. */
const Meaning: FC<{ explanation: Explanation }> = ({
  explanation: { cause, nextStep, certificate },
}) => {
  const meaning = MEANINGS[certificate]
  return (
    <>
      {cause === '' ? null : <p>{`${cause}. ${nextStep}.`}</p>}
      {meaning === undefined ? null : <p class="note">{`${certificate}: ${meaning}`}</p>}
    </>
  )
}
