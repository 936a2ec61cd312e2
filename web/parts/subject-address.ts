import type { Cells } from './reader.ts'

/** The page of a subject of an exception. */
export function subjectAddress({ subjectType, subjectId }: Cells): string | undefined {
  if (!/^\d+$/.test(subjectId ?? '')) return undefined
  if (subjectType === 'settlement') return `/settlements/${subjectId}`
  if (subjectType === 'terminal') return `/terminals/${subjectId}`
  return subjectType === 'transaction' ? `/transactions?id=${subjectId}` : undefined
}
