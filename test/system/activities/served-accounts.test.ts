import { expect, test } from 'vitest'
import { ServedAccounts } from '../../../activities/runtime/served-accounts.ts'
import { readSettings } from '../../../workers/config/settings.ts'
import { LAST_PAGE, answer, refusal, scripted } from '../../unit/api/scripted-server.ts'
import { ringOf } from '../../support/key-ring.ts'

test('a worker whose credentials were refused one night tries them once in the next', async () => {
  const no = refusal('403 Forbidden', '')
  const service = await scripted([no, no, answer(LAST_PAGE)])
  const settings = readSettings({}, 'source', {
    TIEOUT_BASE_URL: service.url,
    TIEOUT_API_USER: 'u',
    TIEOUT_API_PASSWORD: 'p',
    TIEOUT_APPLICATION_KEY: 'k',
  })
  const served = new ServedAccounts([settings], () => ringOf('h'))
  const ask = { offset: 0, limit: 50 }
  const unauthorized = { code: 'source_unauthorized' }
  for (const night of [1, 2]) {
    const source = served.source(settings.account)
    await expect(source.page('settlements', ask)).rejects.toMatchObject(unauthorized)
    await expect(source.page('transactions', ask)).rejects.toMatchObject(unauthorized)
    expect(service.asked).toHaveLength(night)
  }
  const page = await served.source(settings.account).page('settlements', ask)
  expect(page.records).toHaveLength(1)
  await served.close()
})
