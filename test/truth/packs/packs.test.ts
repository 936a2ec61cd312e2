import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtProject } from '../../support/built.ts'
import { makePacks } from './make-packs.ts'
import type { PackContents } from './pack-contents.ts'
import { PACK_WORLDS } from './worlds.ts'

const REFERENCE: Record<string, Record<string, PackContents>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'reference.json'), 'utf8'),
)

test.concurrent.each(PACK_WORLDS)(
  'every file of the packs of $name is as committed',
  async (world) => {
    const made = await makePacks(builtProject(), world)
    expect(Object.values(made).every((pack) => Object.keys(pack).length > 25)).toBe(true)
    expect(made).toEqual(REFERENCE[world.name])
  },
)
