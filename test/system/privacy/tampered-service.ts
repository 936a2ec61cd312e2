/** A proxy of the simulator that changes its answers: records that break, errors that quote a customer. */
import { createServer } from 'node:http'
import { onTestFinished } from 'vitest'

export interface Reply {
  status: number
  type: string
  body: string
}

/** Changes one record's JSON text; `ordinal` counts the records of the list in the order in which they were first seen. */
export type ChangeRecord = (list: string, ordinal: number, record: string) => string

export interface TamperedService {
  url: string
  /** Bodies that were sent, as they were sent. */
  sent(): string
}

/** Serves the simulator's pages with other records. */
export function tamperedRecords(simulator: string, change: ChangeRecord): Promise<TamperedService> {
  const seen = new Map<string, number>()
  return serve(simulator, (reply, list) => ({
    ...reply,
    body: reply.body.replaceAll(
      /\{"(?:transaction|settlement)Id":(\d+).*?(?=,\{"(?:transaction|settlement)Id"|\],"next":"|\]\}$)/gs,
      (record, id: string) => {
        const key = `${list}/${id}`
        const ordinal =
          seen.get(key) ?? [...seen.keys()].filter((one) => one.startsWith(list)).length
        seen.set(key, ordinal)
        return change(list, ordinal, record)
      },
    ),
  }))
}

/** Answers every request with the reply of the moment. */
export const tamperedAnswer = (simulator: string, reply: () => Reply): Promise<TamperedService> =>
  serve(simulator, reply)

async function serve(
  simulator: string,
  change: (reply: Reply, list: string) => Reply,
): Promise<TamperedService> {
  const sent: string[] = []
  const { origin, pathname } = new URL(simulator)
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const { authorization = '' } = request.headers
    const key = String(request.headers['x-svc-application-key'])
    const headers = { accept: 'application/json', authorization, 'x-svc-application-key': key }
    void (async () => {
      const answer = await fetch(`${origin}${path}`, { headers })
      const list = path.slice(pathname.length + 1).split('?')[0] ?? ''
      const own = `http://${request.headers.host ?? ''}`
      const body = (await answer.text()).replaceAll(origin, own)
      const reply = change({ status: answer.status, type: 'application/json', body }, list)
      sent.push(reply.body)
      const date = answer.headers.get('date')
      response.writeHead(reply.status, {
        'content-type': reply.type,
        ...(date === null ? {} : { date }),
      })
      response.end(reply.body)
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('a server has an address')
  return { url: `http://127.0.0.1:${address.port}${pathname}`, sent: () => sent.join('\n') }
}
