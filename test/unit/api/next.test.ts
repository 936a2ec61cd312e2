import { describe, expect, test } from 'vitest'
import { nextPlace } from '../../../api/http/next.ts'
import { answer, elsewhere, RECORD, scripted } from './scripted-server.ts'

const bodyWith = (next: string) => answer(`{"results":[${RECORD}],"next":${next}}`)

/** SELF and AWAY stand for host and port of the service and of another server, which must get no request. */
const SPELLINGS: [next: string, code: string, text: string][] = [
  ['http://AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['https://SELF/settlements?offset=50', 'next_foreign', 'lies at https://SELF'],
  ['https://AWAY/settlements?offset=50', 'next_foreign', 'lies at https://AWAY'],
  ['//AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['///AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['////AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['\\\\\\\\AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['/\\\\AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['\\\\/AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['\\thttp://AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  [' http://AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['\\u0000http://AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['ht\\ntp://AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['/\\t/AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['HTTP://AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['http:\\\\AWAY/settlements?offset=50', 'next_foreign', 'has another path'],
  ['http:/\\\\AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['http://SELF@AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['http://SELF:x@AWAY/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['http://SELF%40AWAY/settlements?offset=50', 'next_foreign', 'can not be read as an address'],
  ['http://reader@SELF/settlements?offset=50', 'next_foreign', 'holds a user or a password'],
  ['http://:pw@SELF/settlements?offset=50', 'next_foreign', 'holds a user or a password'],
  ['http://AWAY\\\\@SELF/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['http://AWAY#@SELF/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['http://AWAY?@SELF/settlements?offset=50', 'next_foreign', 'lies at http://AWAY'],
  ['http://localhost:PORT/settlements?offset=50', 'next_foreign', 'lies at http://localhost:'],
  ['http://127.0.0.1/settlements?offset=50', 'next_foreign', 'lies at http://127.0.0.1'],
  ['http://127.0.0.1.:PORT/settlements?offset=50', 'next_foreign', ''],
  ['http://[::1]:PORT/settlements?offset=50', 'next_foreign', 'lies at http://[::1]:'],
  ['http://[::ffff:127.0.0.1]:PORT/settlements?offset=50', 'next_foreign', 'lies at http://[::ff'],
  ['http://éxample.test/settlements?offset=50', 'next_foreign', 'http://xn--xample-9ua.test'],
  ['ftp://SELF/settlements?offset=50', 'next_foreign', 'lies at ftp://SELF'],
  ['ws://SELF/settlements?offset=50', 'next_foreign', 'lies at ws://SELF'],
  ['file:///etc/passwd', 'next_foreign', 'lies at file://'],
  ['data:application/json,{}', 'next_foreign', 'lies at data://'],
  ['javascript:alert(1)', 'next_foreign', 'lies at javascript://'],
  ['blob:http://SELF/settlements?offset=50', 'next_foreign', 'lies at blob://'],
  ['http://', 'next_foreign', 'can not be read as an address'],
  ['http://AWAY:99999/settlements', 'next_foreign', 'can not be read as an address'],
  ['/transactions?offset=50', 'next_foreign', 'has another path'],
  ['/settlements/?offset=50', 'next_foreign', 'has another path'],
  ['/settlements/../admin?offset=50', 'next_foreign', 'has another path'],
  ['/%73ettlements?offset=50', 'next_foreign', 'has another path'],
  ['settlements/settlements?offset=50', 'next_foreign', 'has another path'],
  ['?offset=50&terminalId=7', 'next_foreign', 'is about another terminal'],
  ['?offset=50&terminalId=41&terminalId=7', 'next_foreign', 'is about another terminal'],
  ['?offset=50', 'next_foreign', 'is about another terminal'],
  ['?offset=0&terminalId=41', 'next_loop', 'after offset 0 has offset 0, which is not further on'],
  ['?offset=-50&terminalId=41', 'next_loop', 'has no offset, which is not further on'],
  ['?offset=1e3&terminalId=41', 'next_loop', 'has no offset'],
  ['?offset=&terminalId=41', 'next_loop', 'has no offset, which is not further on'],
  ['?offset=50&offset=0&terminalId=41', 'next_loop', 'has offset 50,0'],
  ['?page=2&terminalId=41', 'next_loop', 'has no offset, which is not further on'],
  ['?offset=99999999999999999999&terminalId=41', 'next_loop', 'has no offset'],
  ['#more', 'next_loop', 'after offset 0 has offset 0'],
]

describe('a next that leads elsewhere ends the sweep, and nothing is sent there', () => {
  test.each(SPELLINGS)('%s', async (spelling, code, text) => {
    const foreign = await elsewhere()
    const there = `127.0.0.1:${foreign.port}`
    const service = await scripted([
      (socket) => {
        const here = new URL(service.url)
        const next = spelling
          .replaceAll('SELF', here.host)
          .replaceAll('AWAY', there)
          .replaceAll('PORT', here.port)
        socket.write(bodyWith(`"${next}"`))
      },
    ])
    const outcome = await service.outcome({ terminalId: '41' })
    expect(outcome).toMatchObject({ code, requests: 1 })
    expect(outcome.text).toContain('the next page of /settlements ')
    expect(outcome.text.replaceAll(there, 'AWAY').replaceAll('HOST', 'SELF')).toContain(text)
    expect(service.asked).toHaveLength(1)
    expect(foreign.connections()).toBe(0)
  })
})

test.each([
  ['7', 'is a number, not an address'],
  ['true', 'is true or false, not an address'],
  ['[]', 'is an array, not an address'],
  ['{}', 'is an object, not an address'],
  ['{"href":"/settlements?offset=50"}', 'is an object, not an address'],
  ['"/settlements?offset=50","next":null', 'is there twice with different values, not an address'],
])('a next of another type ends the sweep: %s', async (next, text) => {
  const service = await scripted([bodyWith(next)])
  expect(await service.outcome()).toMatchObject({
    code: 'next_foreign',
    text: `the next page of /settlements ${text}; the service is http://HOST`,
    requests: 1,
  })
})

test.each([
  ['null', '1 of 50'],
  ['""', '1 of 50'],
  ['"?offset=50&limit=50"', '1 of 50, more'],
  ['"/settlements?limit=50&offset=1"', '1 of 50, more'],
  ['"settlements?offset=50"', '1 of 50, more'],
  ['"./settlements?offset=50#here"', '1 of 50, more'],
  ['"/x/../settlements?offset=50&limit=10"', '1 of 50, more'],
])('a next within the list shows whether there is more: %s', async (next, text) => {
  const service = await scripted([bodyWith(next)])
  expect(await service.outcome()).toMatchObject({ code: 'page', text, requests: 1 })
})

test('a next of a page without an offset lies behind the first page', () => {
  const page = new URL('https://api.example.test/settlements')
  expect(nextPlace('?offset=50', page)).toEqual({ offset: 50 })
  expect(() => nextPlace('?offset=0', page)).toThrow('after offset 0 has offset 0')
})

test('a next that leads back is found on the page that has it', async () => {
  const service = await scripted([
    bodyWith('"?offset=50"'),
    bodyWith('"?offset=100"'),
    bodyWith('"?offset=50"'),
  ])
  expect(await service.outcome()).toMatchObject({ code: 'page' })
  expect(await service.outcome({ offset: 50 })).toMatchObject({ code: 'page' })
  expect(await service.outcome({ offset: 100 })).toMatchObject({
    code: 'next_loop',
    text: 'the next page of /settlements after offset 100 has offset 50, which is not further on',
    requests: 1,
  })
})

test('the key and the password are sent to the service alone, page after page', async () => {
  const service = await scripted([bodyWith('"?offset=50"')])
  await service.outcome()
  await service.outcome({ offset: 50 })
  expect(service.asked.map(({ target }) => target)).toEqual([
    '/settlements?offset=0&limit=50',
    '/settlements?offset=50&limit=50',
  ])
  for (const { headers } of service.asked) {
    expect(headers).toMatch(/^authorization: Basic /im)
    expect(headers).toMatch(/^x-svc-application-key: /im)
    expect(headers).toMatch(/^accept-encoding: identity$/im)
  }
})
