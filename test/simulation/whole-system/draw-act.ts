/** Draws the decision of a person from what a person can see: the packs, and the records of the service. */
import { join } from 'node:path'
import type { BooksAct } from '../../../domain/books.ts'
import { verifyPack } from '../../../reports/verify-pack.ts'
import type { Random } from '../../../simulator/world/random.ts'
import { ACCOUNT, type Deployment } from './deployment.ts'
import { readCsv } from './rows.ts'

export interface Published {
  runId: string
  pack: string
}

const PEOPLE = ['Ada', 'Ben', 'Cleo']
const KINDS = [
  'approve',
  'approve',
  'close',
  'reopen',
  'exception',
  'exception',
  'attribute',
] as const

/** Some of them will be refused: Ben prepared the packs, and a period may be open or closed already. */
export async function drawAct(
  random: Random,
  { simulator }: Deployment,
  published: readonly Published[],
): Promise<BooksAct> {
  const { runId, pack } = random.pick(published)
  const person = { account: ACCOUNT, actor: random.pick(PEOPLE), reason: 'after review' }
  const kind = random.pick(KINDS)
  if (kind === 'approve') {
    const { sha256 } = await verifyPack(pack)
    return {
      ...person,
      kind,
      runId,
      manifestSha256: sha256,
      preparedBy: 'Ben',
      acceptsLater: true,
    }
  }
  if (kind === 'close' || kind === 'reopen') {
    const period = random.pick(['2026-10', '2026-11'])
    return {
      ...person,
      kind,
      period,
      ...(kind === 'close' ? { acceptOpen: 'a drawn reason' } : {}),
    }
  }
  const exceptions = readCsv(join(pack, 'exceptions.csv'))
  if (kind === 'exception' && exceptions.length > 0) {
    const { exceptionId = '', code } = random.pick(exceptions)
    const act = random.pick(['assign', 'waive', 'resolve', 'reopen'] as const)
    return {
      ...{ ...person, kind: `exception.${act}`, exceptionId },
      ...(act === 'assign' ? { to: 'Cleo' } : {}),
      ...(act === 'waive' ? { until: '2026-12-31' } : {}),
      ...(act === 'resolve' && code === 'AMOUNT_MISMATCH'
        ? { clear: { to: 'refunds', date: random.pick(['2026-10-31', '2026-11-30']) } }
        : {}),
    }
  }
  const { settlementId, members } = random.pick(
    simulator.truth().settlements.filter((settlement) => settlement.members.length > 0),
  )
  const transactionId = random.pick(members)
  if (random.unit() < 0.2) return { ...person, kind: 'transaction.release', transactionId }
  return { ...person, kind: 'transaction.attribute', transactionId, settlement: settlementId }
}
