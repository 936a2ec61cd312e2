/**
 * Goal: every rule of landing, sweep, pack, audit trail, locks and codec is tested. Method: a list of modules, each
 * made wrong in one place, with the test that must fail.
 */
import { AUDIT } from './audit.ts'
import { LANDING } from './landing.ts'
import { LOCKS } from './locks.ts'
import type { Mutant } from './mutant.ts'
import { PACK } from './pack.ts'
import { SWEEP } from './sweep.ts'

export const MUTANTS: readonly Mutant[] = [...LANDING, ...SWEEP, ...PACK, ...AUDIT, ...LOCKS]
