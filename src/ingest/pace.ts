// Keeps to each provider's rate limits across all processes: a request waits for its turn, and if the wait is too long it
// is left to the next run. The counting itself is done in the database.
import type { ProviderName } from '../core/series/series.ts'
import type { Provider, ProviderLimits } from '../providers/provider.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { type PaceWindow, pauseProvider, takePlace } from '../storage/series/provider-pace.ts'
import { ingestLimits } from './ingest-limits.ts'

export interface Pace {
  /** Resolves to 0 when a request may be sent, or to the wait in milliseconds if that is too long. */
  take(provider: Provider, signal: AbortSignal): Promise<number>
  pause(provider: ProviderName, milliseconds: number): Promise<void>
}

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** Limits below a few a minute are really limits per hour; counted that way, a handful may be sent at once. */
export function windowsOf({ requestsPerMinute, requestsPerDay }: ProviderLimits): readonly PaceWindow[] {
  const short =
    requestsPerMinute < ingestLimits.countedByMinuteFrom
      ? { requests: requestsPerMinute * 60, seconds: 3600 }
      : { requests: requestsPerMinute, seconds: 60 }
  return requestsPerDay === null ? [short] : [short, { requests: requestsPerDay, seconds: 86_400 }]
}

export function sharedPace(sql: Sql, sleep: Sleep, longestWaitMs: number = ingestLimits.providerLongestWaitMs): Pace {
  return {
    async take(provider, signal) {
      let waited = 0
      for (;;) {
        const wait = await takePlace(sql, provider.name, windowsOf(provider.limits))
        if (wait === 0) return 0
        if (waited + wait > longestWaitMs) return wait
        await sleep(wait, signal)
        waited += wait
      }
    },
    pause: (provider, milliseconds) => pauseProvider(sql, provider, milliseconds),
  }
}
