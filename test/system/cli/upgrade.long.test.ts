import { join } from 'node:path'
import { test } from 'vitest'
import { newPlace } from '../../support/built.ts'
import { nextVersion } from '../../support/next-version.ts'
import { expectSame, json, startService, upgradedAndBack } from './upgraded.ts'

test('a lake in a folder is upgraded, put back and restored as one in PostgreSQL and an object store is', async () => {
  const place = newPlace({ ...(await startService()), TIEOUT_METRICS: 'off' })
  const first = await upgradedAndBack(place, nextVersion())
  const backup = join(place.cwd, 'backup')
  await json(place, 'maintain', '--backup', backup)
  const elsewhere = newPlace(place.env)
  await json(elsewhere, 'maintain', '--restore', backup)
  await expectSame(elsewhere, first)
})
