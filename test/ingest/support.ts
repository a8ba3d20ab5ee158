// Setup for ingest tests: a database, a workspace, and ingest that talks only to the stand-in.

import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import type { Instant } from '../../src/core/time/instant.ts'
import { formatPeriod, parsePeriod } from '../../src/core/time/period.ts'
import {
  type IngestDatabase,
  type IngestOptions,
  type OpenIngest,
  openIngest,
} from '../../src/ingest/ingest-connections.ts'
import type { Sql } from '../../src/storage/postgres/database.ts'
import { listPublicSeries, loadStoredVintages } from '../../src/storage/series/public-series.ts'
import { publish, type StandInSeries } from '../stand-in/model.ts'
import { standInKeys } from '../stand-in/speakers.ts'
import type { StandIn } from '../stand-in/stand-in.ts'

export function basesOf(standIn: StandIn): ReadonlyMap<ProviderName, string> {
  return new Map(providerNames.map(name => [name, standIn.baseOf(name)]))
}

export const keys = new Map(Object.entries(standInKeys)) as ReadonlyMap<ProviderName, string>

export function ingestAt(ground: IngestDatabase, standIn: StandIn, options: IngestOptions = {}): OpenIngest {
  return openIngest(ground, { providerBases: basesOf(standIn), providerKeys: keys, contact: null }, options)
}

/** Final months up to December 2025, all published on one day. */
export function finalMonths(count: number, value: (at: number) => string): StandInSeries['publications'] {
  const first = parsePeriod('2025-12')!.ordinal - count + 1
  return Array.from({ length: count }, (_, at) =>
    publish(formatPeriod({ frequency: 'MONTHLY', ordinal: first + at }), value(at), '2026-02-10'),
  )
}

/** The newest vintage of each period: `2024-03 101.2 FINAL`; withdrawn periods without a value. */
export async function newestOf(sql: Sql, provider: ProviderName, code: string): Promise<readonly string[]> {
  const [series] = await listPublicSeries(sql, { provider, codes: [code] })
  if (series === undefined) return []
  const stored = await loadStoredVintages(sql, series.id)
  return [...stored].map(([ordinal, vintages]) => {
    const { value, tag } = vintages.at(-1)!
    const period = formatPeriod({ frequency: series.frequency, ordinal })
    return value === null ? `${period} withdrawn` : `${period} ${value} ${tag}`
  })
}

/** All vintages of one period, oldest publication first. */
export async function vintagesOf(
  sql: Sql,
  provider: ProviderName,
  code: string,
  period: string,
): Promise<readonly { value: string | null; tag: string | null; flag: string | null; publishedAt: Instant }[]> {
  const [series] = await listPublicSeries(sql, { provider, codes: [code] })
  const stored = series === undefined ? new Map() : await loadStoredVintages(sql, series.id)
  for (const [ordinal, vintages] of stored)
    if (formatPeriod({ frequency: series!.frequency, ordinal }) === period)
      return vintages.map(({ value, tag, flag, publishedAt }: (typeof vintages)[number]) => ({
        value,
        tag,
        flag,
        publishedAt,
      }))
  return []
}

export async function stateOf(sql: Sql, provider: ProviderName, code: string) {
  const [series] = await listPublicSeries(sql, { provider, codes: [code] })
  return series?.state ?? null
}
