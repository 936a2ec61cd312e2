/** A payload that its reader's key doesn't open: its mark, and the failure that follows from it. */

/** Stands as the encoding of a payload that a codec refused; the data is dropped. */
export const REFUSED_ENCODING = 'tieout/refused'

/** Stands for a refused value inside a workflow. No payload can hold this key. */
export const REFUSED_PAYLOAD = Symbol('refused payload')

export const PAYLOAD_REFUSED = {
  code: 'payload_refused',
  what: "a payload in Temporal is not encrypted with this lake's key",
  remedy:
    'set the same TIEOUT_PAYLOAD_KEY and TIEOUT_LAKE_DATA for every worker and command, and another TEMPORAL_NAMESPACE for another lake; if they are the same, find out who else writes to this Temporal',
} as const

/** The failure of an authentic payload that was copied, or that arrives too late. */
export const ORDER_REFUSED = {
  code: 'payload_refused',
  what: 'a payload in Temporal was made for another purpose, or more than five minutes before it arrived',
  remedy:
    'give the command again; if it happens again, compare the clocks and the versions of command and worker, and find out who else writes to this Temporal',
} as const

/** The failure of a workflow run after a reset: Temporal then repeats its steps, however old its order is. */
export const RESET_REFUSED = {
  code: 'payload_refused',
  what: 'a workflow was reset in Temporal, which would carry out its order again',
  remedy:
    'give the command again; if none of you reset the workflow, find out who else writes to this Temporal',
} as const
