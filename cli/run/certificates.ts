/** The certificates by the names that flags take. */
import type { Certificate } from '../../domain/run.ts'

export const CERTIFICATES: Record<string, Certificate> = {
  snapshot: 'SNAPSHOT',
  contiguous: 'CONTIGUOUS',
  'best-effort': 'BEST_EFFORT',
}
