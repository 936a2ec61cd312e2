/** The search attributes of runs in Temporal, for services that have registered them. */
import type { Client } from '@temporalio/client'
import type { TypedSearchAttributes } from '@temporalio/common'
import type { Window } from '../../domain/run.ts'
import { configuredAddress } from './connect.ts'

/**
 * The embedded server and docker-compose.yml register them; for any other service a person does.
 */
export const SEARCH_ATTRIBUTES = ['TieoutAccount', 'TieoutRange'] as const

/**
 * The attributes for the start of a workflow; empty if the service has not registered them and
 * would refuse the workflow.
 */
export async function searchableBy(
  client: Client,
  about: { account: string; window?: Window | undefined },
): Promise<{ typedSearchAttributes?: TypedSearchAttributes }> {
  if (!(await areKnown(client))) return {}
  const { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } =
    await import('@temporalio/common')
  const { account, window } = about
  const [accountKey, rangeKey] = SEARCH_ATTRIBUTES
  const pair = (name: string, value: string) => ({
    key: defineSearchAttributeKey(name, SearchAttributeType.KEYWORD),
    value,
  })
  const range = window === undefined ? [] : [pair(rangeKey, `${window.from}..${window.to}`)]
  return { typedSearchAttributes: new TypedSearchAttributes([pair(accountKey, account), ...range]) }
}

/** Answers of services, since one command may start the runs of many accounts. */
const answers = new WeakMap<Client, Promise<boolean>>()

function areKnown(client: Client): Promise<boolean> {
  // The embedded server registers them at its start.
  if (configuredAddress() === undefined) return Promise.resolve(true)
  const answer = answers.get(client) ?? areRegistered(client)
  answers.set(client, answer)
  return answer
}

/** A Temporal server leaves a connection to itself open after each such question, so it is asked once. */
async function areRegistered({ connection, options }: Client): Promise<boolean> {
  // A key may be allowed to run workflows but not to list attributes.
  const answer = await connection.operatorService
    .listSearchAttributes({ namespace: options.namespace })
    .catch(() => undefined)
  const known = Object.keys(answer?.customAttributes ?? {})
  return SEARCH_ATTRIBUTES.every((name) => known.includes(name))
}
