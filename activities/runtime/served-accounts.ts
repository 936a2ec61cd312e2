/** The accounts of one worker, each with its own settings and source. */
import { createSource, credentialOf, type Source } from '../../api/http/source.ts'
import { Failure } from '../../domain/failure.ts'
import type { Pace, Run } from '../../domain/run.ts'
import type { KeyRing, Secret, Settings, SourceSettings, Webhook } from '../../domain/settings.ts'
import type { SentCounts } from './metrics.ts'
import { limiterWorkflow, RateLease } from './rate-lease.ts'

interface Opened {
  account: string
  source: Source
  /** Identifies the credentials, which all accounts that have them share. */
  credential: string
  lease: RateLease
}

/** The keys for the hashes of an account's cardholders, and the one for the names of workflows. */
export interface AccountKeys {
  hashKeys: (settings: Settings) => KeyRing
  /** The key of all workers of a Temporal service, so that accounts with the same credentials share one rate. */
  payloadKey: Secret
}

const NIGHTLY: Pace = { weight: 1 }

export class ServedAccounts {
  readonly #settings: ReadonlyMap<string, Settings>
  readonly #hashKeys: (settings: Settings) => KeyRing
  readonly #payloadKey: Secret
  readonly #opened = new Map<string, Opened>()

  /** Opens nothing: a source is opened when it is first needed. */
  constructor(accounts: readonly Settings[], { hashKeys, payloadKey }: AccountKeys) {
    this.#settings = new Map(accounts.map((settings) => [settings.account, settings]))
    this.#hashKeys = hashKeys
    this.#payloadKey = payloadKey
  }

  /** Throws config_invalid for an account that this worker doesn't serve. */
  settings(account: string): Settings {
    const settings = this.#settings.get(account)
    if (settings !== undefined) return settings
    const served = [...this.#settings.keys()].join(', ')
    throw new Failure(
      'config_invalid',
      `the work is for account ${account}, but this worker serves ${served}`,
    )
  }

  /** The webhook of an account; undefined if there is none, or this worker doesn't serve the account. */
  webhook(account: string): Webhook | undefined {
    return this.#settings.get(account)?.webhook
  }

  /** The settings for a run, with the run's own overrides. */
  settingsOf({ account, csvProfile }: Pick<Run, 'account' | 'csvProfile'>): Settings {
    const settings = this.settings(account)
    return csvProfile === undefined ? settings : { ...settings, csvProfile }
  }

  /** Throws the fault of the account's credentials, which does not affect other accounts. */
  source(account: string): Source {
    return this.#open(account, NIGHTLY).source
  }

  /**
   * Runs `work` with the account's source while this worker holds a share of the credential's rate.
   */
  leased<T>(
    account: string,
    pace: Pace | undefined,
    work: (source: Source) => Promise<T>,
  ): Promise<T> {
    const { source, credential, lease } = this.#open(account, pace ?? NIGHTLY)
    return lease.during(limiterWorkflow(credential), () => work(source))
  }

  /** The requests of this process by account. */
  *sent(): Generator<[string, SentCounts]> {
    for (const account of this.#settings.keys()) {
      const counts = { requests: 0, throttled: 0 }
      for (const { account: of, source } of this.#opened.values()) {
        if (of !== account) continue
        counts.requests += source.counters.requests
        counts.throttled += source.counters.throttled
      }
      yield [account, counts]
    }
  }

  async close(): Promise<void> {
    for (const { source } of this.#opened.values()) await source.close()
  }

  /** Each pace has its own lease: the limiter shares the rate between them as between two workers. */
  #open(account: string, pace: Pace): Opened {
    const key = `${account}/${pace.weight}/${pace.mostPerSecond ?? ''}`
    const known = this.#opened.get(key)
    if (known !== undefined) {
      // A worker runs for months, so it asks each night again for what was refused the night
      // before.
      known.source.pardon()
      return known
    }
    const settings = this.settings(account)
    const found = sourceOf(settings)
    const source = createSource(found, { hashKey: this.#hashKeys(settings).first })
    const credential = credentialOf(found, this.#payloadKey)
    const opened = { account, source, credential, lease: new RateLease(source.rate, pace) }
    this.#opened.set(key, opened)
    return opened
  }
}

/** Throws the fault of the account's credentials. */
function sourceOf(settings: Settings): SourceSettings {
  if (settings.trouble !== undefined) throw settings.trouble
  if (settings.source === undefined) {
    throw new Failure('config_missing', 'TIEOUT_BASE_URL is not set', {
      remedy: 'set TIEOUT_BASE_URL, TIEOUT_API_USER, TIEOUT_API_PASSWORD, TIEOUT_APPLICATION_KEY',
    })
  }
  return settings.source
}
