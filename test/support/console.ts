/** The console as a person starts it, for requests without a browser. */
import { type Place, type Started, startTieout } from './built.ts'

export interface Console {
  /** The printed address, with its token. */
  url: URL
  started: Started
  /** The header of the session. */
  cookie: string
  get(path: string): Promise<{ status: number; text: string }>
  /** Sends a form as a page of the console does. */
  post(
    page: string,
    path: string,
    fields: Record<string, string>,
  ): Promise<{ status: number; text: string }>
}

/** Starts `tieout open`; its address begins one session. */
export async function startConsole(place: Place): Promise<{ started: Started; url: URL }> {
  const started = startTieout(['open', '--no-browser'], place)
  const said = await started.says('console ready: ')
  return { started, url: new URL(/console ready: (\S+)/.exec(said)?.[1] ?? '') }
}

/** Starts `tieout open` and begins its session. */
export async function openConsole(place: Place): Promise<Console> {
  const { started, url } = await startConsole(place)
  const begun = await fetch(url, { redirect: 'manual' })
  const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const ask = async (
    path: string,
    request: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) => {
    const headers = { cookie, ...request.headers }
    const answer = await fetch(new URL(path, url.origin), {
      redirect: 'manual',
      ...request,
      headers,
    })
    return { status: answer.status, text: await answer.text() }
  }
  const post = async (page: string, path: string, fields: Record<string, string>) => {
    const [, token = ''] = /name="_token" value="([^"]+)"/.exec((await ask(page)).text) ?? []
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec((await ask(page)).text) ?? []
    const body = new URLSearchParams({ seen, ...fields, _token: token })
    return ask(path, { method: 'POST', body, headers: { origin: url.origin } })
  }
  return { url, started, cookie, get: (path) => ask(path), post }
}

export interface Visited {
  path: string
  status: number
  text: string
  /** The addresses of its links, forms and parts. */
  leads: string[]
}

/** Follows the links from a page to other pages, at most to so many; forms are not sent. */
export async function visitFrom(console: Console, start: string, most: number): Promise<Visited[]> {
  const visited = new Map<string, Visited>()
  const queue = [start]
  for (let path = queue.shift(); path !== undefined && visited.size < most; path = queue.shift()) {
    if (visited.has(path)) continue
    const { status, text } = await console.get(path)
    const leads = [...text.matchAll(/(?:href|action|hx-get)="([^"#]+)"/g)].map(([, address = '']) =>
      address.replaceAll('&amp;', '&'),
    )
    visited.set(path, { path, status, text, leads })
    const ofForms = /\/(decide|approve|refuse|attribute)$/
    queue.push(...leads.filter((one) => one.startsWith('/') && !ofForms.test(one)))
  }
  return [...visited.values()]
}
