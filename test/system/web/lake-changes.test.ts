/**
 * Goal: a console that stays open never shows another lake than the one in its folder. Method: requests while the lake
 * is moved away, replaced, or changed by a newer version.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newPlaceWithLake, startTieout } from '../../support/built.ts'
import { openConsole } from '../../support/console.ts'
import { lakeSettingsIn } from '../../support/temp-lake.ts'
import { openLake } from '../../../lake/connection/open.ts'

test('a lake that is moved away or replaced is noticed at the next page', async () => {
  const place = newPlaceWithLake({ TIEOUT_ACTOR: 'Ann' })
  const [lake, away] = ['data', 'away'].map((name) => join(place.cwd, name))
  const { get, post } = await openConsole(place)
  expect((await get('/settlements')).status).toBe(200)
  renameSync(lake ?? '', away ?? '')
  const gone = await get('/settlements')
  expect([gone.status, gone.text]).toEqual([503, expect.stringContaining('there is no lake in')])
  expect((await post('/', '/runs', { what: 'run' })).status).toBe(403)
  cpSync(away ?? '', lake ?? '', { recursive: true })
  expect((await get('/settlements')).status).toBe(200)
})

test('tables of a newer version are not read', async () => {
  const place = newPlaceWithLake({ TIEOUT_ACTOR: 'Ann' })
  const { get } = await openConsole(place)
  expect((await get('/')).status).toBe(200)
  const lake = await openLake(lakeSettingsIn(join(place.cwd, 'data')))
  const connection = await lake.connect()
  await connection.run(
    "insert into lake.main.migration select version + 1, 'later', 'another', applied_at from lake.main.migration",
  )
  connection.closeSync()
  lake.close()
  const page = await get('/')
  expect([page.status, page.text]).toEqual([503, expect.stringContaining('schema version 2')])
})

test('the token stands in no argument of the browser, but in a file of this user', async () => {
  const place = newPlaceWithLake({ TIEOUT_ACTOR: 'Ann' })
  const [bin, said] = ['bin', 'said'].map((name) => join(place.cwd, name))
  mkdirSync(bin ?? '')
  const script = `#!/bin/sh\n{ echo "$@"; stat -c %a "$1"; cat "$1"; } > ${said}.part; mv ${said}.part ${said}\n`
  writeFileSync(join(bin ?? '', 'xdg-open'), script, { mode: 0o755 })
  const path = `${bin}:${process.env['PATH']}`
  const opened = startTieout(['open'], { ...place, env: { ...place.env, PATH: path } })
  const [, token = ''] = /token=(\S+)/.exec(await opened.says('token=')) ?? []
  while (!existsSync(said ?? '')) await setTimeout(50)
  const [args = '', mode, page] = readFileSync(said ?? '', 'utf8').split('\n')
  expect(args).not.toContain(token)
  expect([mode, page]).toEqual(['600', expect.stringContaining(token)])
  opened.kill('SIGINT')
  await opened.ended
  expect(existsSync(args)).toBe(false)
})
