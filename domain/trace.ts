/** What a trace is told of a workflow; plain JSON. */

/** The header by which an activity learns the run at the root of its workflow. */
export const TRACE_HEADER = 'tieout-trace'

/** A workflow that ended; ids are Temporal's ids of runs. */
export interface EndedWorkflow {
  root: string
  run: string
  parent?: string
  start_ms: number
  end_ms: number
  /** The stable code of what it failed with. */
  code?: string
}
