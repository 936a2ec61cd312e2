/** The data of a workflow's trace, as plain JSON. */

/** The header that gives an activity the run at the root of its workflow. */
export const TRACE_HEADER = 'tieout-trace'

/** A workflow that ended; ids are Temporal's run ids. */
export interface EndedWorkflow {
  root: string
  run: string
  parent?: string
  start_ms: number
  end_ms: number
  /** The stable code of its failure. */
  code?: string
}
