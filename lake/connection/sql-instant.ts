/**
 * Converts an instant, ISO 8601 with Z, to the text of a lake timestamp, which has no zone and is
 * UTC.
 */
export const utc = (instant: string): string => instant.replace(/Z$/, '')
