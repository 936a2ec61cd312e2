/** An instant, ISO 8601 with Z, as text for a timestamp of the lake: those carry no zone and are UTC. */
export const utc = (instant: string): string => instant.replace(/Z$/, '')
