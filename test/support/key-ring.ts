/** A key ring of a test, oldest key first. */
import { keyRingOf } from '../../domain/key-ring.ts'
import type { KeyRing } from '../../domain/settings.ts'

export const ringOf = (...keys: string[]): KeyRing => keyRingOf(keys.join('\n'), 'the test')
