/** By what Temporal's pages can search the runs, where the service has been told of these names. */
import type { Client } from '@temporalio/client'
import type { TypedSearchAttributes } from '@temporalio/common'
import type { Window } from '../../domain/run.ts'

/** Registered by the embedded server and by docker-compose.yml; any other service has to be told. */
export const SEARCH_ATTRIBUTES = ['TieoutAccount', 'TieoutRange'] as const

/** For the start of a workflow; empty where the service doesn't know the names, and would refuse the workflow for them. */
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

async function areKnown({ connection, options }: Client): Promise<boolean> {
  // A key may be allowed to run workflows and not to look at this.
  const answer = await connection.operatorService
    .listSearchAttributes({ namespace: options.namespace })
    .catch(() => undefined)
  const known = Object.keys(answer?.customAttributes ?? {})
  return SEARCH_ATTRIBUTES.every((name) => known.includes(name))
}
