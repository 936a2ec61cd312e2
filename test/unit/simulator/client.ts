/** Reads the simulated service as any client would, with ids and amountNet as text. */
import { expect } from 'vitest'
import type { ListName } from '../../../simulator/world/options.ts'
import type { Simulator } from '../../../simulator/service/server.ts'

interface Person {
  firstName?: string
  lastName?: string
  address?: { zip?: string }
}

/** A record of any list; ids and amountNet are text. */
export interface Row {
  [field: string]: unknown
  terminalId: string
  transactionId?: string
  settlementId?: string
  created: string
  lastModified: string
  status: string
  action?: string
  amountNet?: string
  amountTotal?: string
  invoiceNumber?: string
  acceptance?: string | string[]
  surcharge?: { enabled?: boolean; percentage?: number }
  response?: { approved: boolean; code: string }
  settlement?: { settled: boolean }
  vault?: { type: string; accountType: string; lastFour: string }
  billing?: Person
}

export interface ErrorItem {
  message?: string
  parameter?: string
  type?: string
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  body: { [field: string]: unknown; results: Row[]; next?: string; errors?: ErrorItem[] }
}

export const CREDENTIALS = {
  authorization: `Basic ${Buffer.from('simulator:simulator-password').toString('base64')}`,
  'x-svc-application-key': 'simulator-application-key',
  accept: 'application/json',
}

const NUMBERS = /"(transactionId|terminalId|settlementId|amountNet)":(-?[0-9.]+)/g

export async function ask(
  url: string,
  headers: Record<string, string> = CREDENTIALS,
  init: RequestInit = {},
): Promise<Reply> {
  const response = await fetch(url, { ...init, headers })
  const text = await response.text()
  const body: Reply['body'] = JSON.parse(text.replaceAll(NUMBERS, '"$1":"$2"'))
  return { status: response.status, headers: response.headers, text, body }
}

/** Follows `next` from the first page on. */
export async function walk(simulator: Simulator, list: ListName, query = 'limit=1000') {
  const rows: Row[] = []
  const sizes: number[] = []
  let next: string | undefined = `${simulator.url}/${list}?${query}`
  while (next !== undefined) {
    const { body }: Reply = await ask(next)
    rows.push(...body.results)
    sizes.push(body.results.length)
    next = body.next
  }
  return { rows, sizes }
}

/** Any sentence at all, in a comparison of whole bodies. */
export const MESSAGE: unknown = expect.any(String)

export const isSettled = (row: Row): boolean => row.settlement?.settled === true
