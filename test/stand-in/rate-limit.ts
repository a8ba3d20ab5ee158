// How often each provider may be asked, as far as known, and a counter that enforces it. Windows use real time, whatever
// the stand-in's own clock says.
import type { ProviderName } from '../../src/core/series/series.ts'

export interface RateLimit {
  readonly requests: number
  readonly perSeconds: number
}

/** Published or known limits; providers without a published limit are not limited. */
export const realLimits: Readonly<Record<ProviderName, RateLimit | null>> = {
  BLS: { requests: 500, perSeconds: 86_400 },
  FRED: { requests: 120, perSeconds: 60 },
  EIA: { requests: 9000, perSeconds: 3600 },
  ECB: null,
  WORLD_BANK: null,
  IMF: null,
  EUROSTAT: null,
  ONS: { requests: 120, perSeconds: 10 },
  STATCAN: { requests: 25, perSeconds: 1 },
  ABS: null,
  BIS: null,
  BOJ: null,
  OECD: { requests: 60, perSeconds: 3600 },
  DBNOMICS: null,
  NASDAQ_DATA_LINK: { requests: 300, perSeconds: 10 },
}

/** Counts requests in a sliding window. */
export class RateCounter {
  readonly #limit: RateLimit
  #times: number[] = []

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  /** Seconds to wait, or 0 if the request may pass; only requests that pass are counted. */
  take(nowMs: number): number {
    const windowMs = this.#limit.perSeconds * 1000
    this.#times = this.#times.filter(time => time > nowMs - windowMs)
    if (this.#times.length < this.#limit.requests) {
      this.#times.push(nowMs)
      return 0
    }
    return Math.max(1, Math.ceil(((this.#times[0] ?? nowMs) + windowMs - nowMs) / 1000))
  }
}
