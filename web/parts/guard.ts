/**
 * The guard of the console: who may see a page, and which requests may change anything.
 *
 * A session begins with the one-time token of the opened address, or with the user that a configured proxy names. A
 * form is taken only from a page of this very console, with the token that the page carried.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { every } from 'hono/combine'
import { getCookie, setCookie } from 'hono/cookie'
import type { WebRole } from '../../domain/web-roles.ts'

/** The person at the other end of a request. */
export interface Person {
  /** Empty for a viewer without a name. */
  name: string
  role: WebRole
  /** The token that every form of this person's pages carries. */
  formToken: string
}

/** The way in which people reach the console. */
export type Entrance =
  | { kind: 'token'; token: string; actor: string }
  | {
      kind: 'proxy'
      header: string
      addresses: readonly string[]
      users: Readonly<Record<string, WebRole>>
    }

export interface Guarding {
  entrance: Entrance
  /** The values of Host that name this console, such as `127.0.0.1:8780`. */
  hosts: readonly string[]
}

export interface Env {
  Variables: { person: Person; nonce: string }
  Bindings: { incoming?: { socket: { remoteAddress?: string } } }
}

/** Cookies of a host are shared by its ports, and two consoles of a machine have two sessions. */
const cookieOf = (context: Context<Env>) =>
  `tieout_session_${/:(\d+)$/.exec(context.req.header('host') ?? '')?.[1] ?? ''}`

/**
 * A redirection would not do: a browser that came from a file or another site sends no Strict cookie with it. The next
 * page is one that this page asks for.
 */
const ENTERED =
  '<!doctype html><html lang="en"><head><title>tieout</title><meta http-equiv="refresh" content="0; url=/"></head><body><p><a href="/">Open the console</a></p></body></html>'

const SESSION_MS = 12 * 3_600_000

const HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
} as const

/** The most bytes of a form. The largest, with two hundred ticked exceptions, has some twenty thousand. */
const MOST_BYTES = 1_000_000

/**
 * The middleware of every request. Answers with the reason to whatever it does not let pass. The body of a form is read
 * last, and never that of a person who may not decide.
 */
export const guard = (guarding: Guarding): MiddlewareHandler<Env> =>
  every(guardPeople(guarding), bodyLimit({ maxSize: MOST_BYTES, onError: tooLarge }), guardForms)

function tooLarge(context: Context): Response {
  // The rest of the form would stand before the next request of this connection.
  context.header('Connection', 'close')
  return context.text('Refused: the form is larger than 1 MB.', 413)
}

/** Lets only known people pass, and only those forms that may come from them. */
function guardPeople({ entrance, hosts }: Guarding): MiddlewareHandler<Env> {
  const key = randomBytes(32)
  const sessions = new Map<string, number>()
  const formTokenOf = (session: string) =>
    createHmac('sha256', key).update(session).digest('base64url')
  let unused = entrance.kind === 'token' ? entrance.token : undefined

  /** The answer to the address that was opened with a token; undefined for every other request. */
  const enter = (context: Context<Env>): Response | undefined => {
    const token = context.req.query('token')
    if (token === undefined || context.req.method !== 'GET' || context.req.path !== '/') return
    if (unused !== undefined && isEqual(token, unused)) return begin(context)
    return getCookie(context, cookieOf(context)) === undefined
      ? context.text('This address was used already: start tieout open again.', 403)
      : context.redirect('/', 303)
  }

  const begin = (context: Context<Env>): Response => {
    unused = undefined
    const session = randomBytes(32).toString('base64url')
    sessions.set(session, Date.now() + SESSION_MS)
    setCookie(context, cookieOf(context), session, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
    })
    return context.html(ENTERED)
  }

  const personOf = (context: Context<Env>): Person | string => {
    if (entrance.kind === 'proxy') return behindProxy(context, entrance, formTokenOf)
    const session = getCookie(context, cookieOf(context)) ?? ''
    const ends_ms = sessions.get(session)
    if (ends_ms === undefined) {
      return 'there is no session: open the address that tieout open has printed, or start it again'
    }
    if (ends_ms < Date.now()) {
      return 'the session ended after 12 hours: stop tieout open and start it again'
    }
    // A decision needs a name: a person without one only looks.
    const role = entrance.actor === '' ? 'viewer' : 'reviewer'
    return { name: entrance.actor, role, formToken: formTokenOf(session) }
  }

  return async (context, next) => {
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
    context.header('Cache-Control', 'no-store')
    // A page of another site that points its own name at this address is refused here.
    if (!hosts.includes(context.req.header('host') ?? '')) {
      return context.text('This console does not answer to that name.', 403)
    }
    const entered = enter(context)
    if (entered !== undefined) return entered
    const person = personOf(context)
    if (typeof person === 'string') return context.text(`Refused: ${person}.`, 403)
    if (!['GET', 'HEAD', 'POST'].includes(context.req.method)) {
      return context.text('This console takes GET and POST.', 405)
    }
    if (context.req.method === 'POST') {
      const complaint = complaintAbout(context, person, hosts)
      if (complaint !== undefined) return context.text(`Refused: ${complaint}.`, 403)
    }
    context.set('person', person)
    return next()
  }
}

/** The reason to refuse a form before its body is read, or undefined. */
function complaintAbout(
  context: Context<Env>,
  { role }: Person,
  hosts: readonly string[],
): string | undefined {
  const origin = context.req.header('origin')
  const isOurs = origin !== undefined && hosts.some((host) => isOrigin(origin, host))
  if (!isOurs) return 'the form does not come from a page of this console'
  return role === 'viewer' ? 'you may look, but not decide' : undefined
}

/** Lets a form pass that carries the token of the person's pages. */
const guardForms: MiddlewareHandler<Env> = async (context, next) => {
  if (context.req.method !== 'POST') return next()
  const form = await context.req.parseBody({ all: true }).catch(() => undefined)
  if (form === undefined) return context.text("Refused: the form can't be read.", 400)
  const given = form['_token']
  if (typeof given !== 'string' || !isEqual(given, context.get('person').formToken)) {
    return context.text('Refused: the page is of another session: load it again.', 403)
  }
  return next()
}

const isOrigin = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`

function behindProxy(
  { req, env }: Context<Env>,
  { header, addresses, users }: Extract<Entrance, { kind: 'proxy' }>,
  formTokenOf: (session: string) => string,
): Person | string {
  const address = env.incoming?.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
  if (!addresses.includes(address)) return 'the request does not come from the configured proxy'
  const name = req.header(header) ?? ''
  const role = Object.hasOwn(users, name) ? users[name] : undefined
  if (role === undefined) return 'the proxy names no user that the config file knows'
  return { name, role, formToken: formTokenOf(name) }
}

/** Compares in a time that does not depend on the place of the first difference. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHmac('sha256', 'compare').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
