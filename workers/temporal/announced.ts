/** Says what a command waits for, if the wait is longer than a moment. */

export interface Waiting {
  say: (line: string) => void
  /** Set when the person no longer waits. */
  signal?: AbortSignal
}

/** A person who sees nothing for longer than this wonders why. */
const MOMENT_MS = 1_000

/** Runs `work`, and prints the sentence once if it has not ended within a second. */
export async function announced<T>(
  sentence: string,
  { say, signal }: Waiting,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => {
    if (signal?.aborted !== true) say(sentence)
  }, MOMENT_MS)
  timer.unref()
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
