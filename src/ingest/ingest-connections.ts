// Sets up everything ingest needs in one process from the configuration: the connections to providers, the shared rate
// limits, the clock. `close` ends the connections.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Instant, instantOfMicros } from '../core/time/instant.ts'
import { resolveBySystem } from '../outbound/address.ts'
import type { DatabaseTarget, Sql } from '../storage/postgres/database.ts'
import { SeriesLocks } from '../storage/series/series-locks.ts'
import { Fetcher } from './fetch.ts'
import { ingestLimits } from './ingest-limits.ts'
import { type Sleep, sharedPace } from './pace.ts'
import type { Ingest, IngestLog, SeriesOutcome } from './run.ts'
import { Turns } from './turns.ts'

export interface IngestOptions {
  readonly log?: IngestLog
  readonly report?: (outcome: SeriesOutcome) => void
  readonly signal?: AbortSignal
  readonly clock?: () => Instant
  /** Longest time for an answer; the default limit unless given. */
  readonly answerMs?: number
  readonly sleep?: Sleep
}

export interface OpenIngest extends Ingest {
  close(): Promise<void>
}

const silent: IngestLog = { info: () => {}, warn: () => {} }

export type IngestConfig = Pick<Config, 'providerBases' | 'providerKeys' | 'contact'>

/** The parts of an installation that ingest needs. */
export interface IngestDatabase {
  readonly sql: Sql
  readonly target: DatabaseTarget
}

export function openIngest(
  { sql, target }: IngestDatabase,
  { providerBases, providerKeys, contact }: IngestConfig,
  options: IngestOptions = {},
): OpenIngest {
  const clock = options.clock ?? (() => instantOfMicros(Date.now() * 1000))
  const sleep: Sleep = options.sleep ?? ((milliseconds, signal) => wait(milliseconds, undefined, { signal }))
  const locks = new SeriesLocks(target)
  const fetcher = new Fetcher({
    resolve: resolveBySystem,
    userAgent: userAgent(contact),
    nowMs: Date.now,
    ...(options.answerMs === undefined ? {} : { answerMs: options.answerMs }),
  })
  return {
    sql,
    locks,
    asking: { fetcher, pace: sharedPace(sql, sleep), sleep, clock, bases: providerBases },
    keys: providerKeys,
    clock,
    log: options.log ?? silent,
    report: options.report ?? (() => {}),
    signal: options.signal ?? new AbortController().signal,
    publishing: new Turns(ingestLimits.seriesPublishedAtOnce),
    async close() {
      fetcher.close()
      await locks.close()
    },
  }
}

/** Name of the program and a contact address of its operator, which several providers require. */
export function userAgent(contact: string | null): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return `Assize/${version} (contact: ${contact ?? `postmaster@${hostname().replace(/[^A-Za-z0-9.-]/g, '-')}`})`
}
