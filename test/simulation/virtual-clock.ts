/** Time that stands still during all work, and then jumps to the next awaited instant. */
import type { Clock } from '../../api/rate/clock.ts'
import type { Random } from '../../simulator/world/random.ts'

interface Timer {
  at_ms: number
  order: number
  wake: () => void
}

export class VirtualClock implements Clock {
  #now_ms = 0
  #order = 0
  #timers: Timer[] = []
  #held = 0
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  now_ms(): number {
    return this.#now_ms
  }

  random(): number {
    return this.#random.unit()
  }

  sleep(wait_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason)
        return
      }
      const leave = () => {
        this.#timers = this.#timers.filter((other) => other !== timer)
        reject(signal?.reason)
      }
      const wake = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const at_ms = this.#now_ms + Math.max(0, wait_ms)
      this.#order += 1
      const timer: Timer = { at_ms, order: this.#order, wake }
      this.#timers.push(timer)
      signal?.addEventListener('abort', leave)
    })
  }

  /** Time stands still while work of the real world, such as a query, is under way. */
  async holding<T>(work: () => Promise<T>): Promise<T> {
    this.#held += 1
    try {
      return await work()
    } finally {
      this.#held -= 1
    }
  }

  /** Runs until the work is done. Throws when it waits for something that no clock brings. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    done.catch(() => {})
    let idle = 0
    for (;;) {
      await new Promise(setImmediate)
      if (isDone) return done
      if (this.#held > 0) continue
      const next = this.#next()
      if (next === undefined) {
        idle += 1
        if (idle > 1000) throw new Error('the simulation waits for nothing')
        continue
      }
      idle = 0
      this.#timers.splice(this.#timers.indexOf(next), 1)
      this.#now_ms = Math.max(this.#now_ms, next.at_ms)
      next.wake()
    }
  }

  #next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.#timers) {
      if (first === undefined || timer.at_ms < first.at_ms) first = timer
      else if (timer.at_ms === first.at_ms && timer.order < first.order) first = timer
    }
    return first
  }
}
