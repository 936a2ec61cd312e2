import { test } from 'vitest'
import { checkWorld } from '../../support/ground-truth.ts'
import { OTHERS, SMALL } from './switches.ts'

test.each(OTHERS)(
  'the truth is found: %s',
  (_name, switches, goal) => checkWorld({ ...SMALL, ...switches }, goal),
  1_800_000,
)
