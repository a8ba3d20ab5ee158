// Fills an installation for the benchmark: 200 series of 600 months with 3 vintages each, 200 keys, one formula.
import { applyDocument } from '../../src/agreements/apply.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { parsePeriod } from '../../src/core/time/period.ts'
import type { Endpoint } from '../../src/storage/embedded/embedded.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { createSeries } from '../../src/storage/series/own-series.ts'
import { type StagedRow, withStaging } from '../../src/storage/series/staging.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'

export interface Filled {
  readonly seriesIds: readonly string[]
  readonly keys: readonly string[]
  readonly agreement: string
  readonly endpoint: Endpoint
}

/** Requests a minute of a key: more than the load has. */
export const benchRateLimit = 1_000_000
const seriesCount = 200
const periodCount = 600
const vintageCount = 3
const keyCount = 200
const batch = 100
const firstMonth = parsePeriod('1975-01')!.ordinal

export async function fillInstallation(dataFolder: string): Promise<Filled> {
  const installation = await Installation.open({ dataFolder, databaseUrl: null, secrets: null })
  try {
    const workspace = await createWorkspace(installation.owner, {
      slug: 'bench',
      name: 'Bench',
      rateLimit: benchRateLimit,
    })
    const seriesIds: string[] = []
    for (let from = 0; from < seriesCount; from += batch) {
      seriesIds.push(...(await fillBatch(installation, workspace.id, from)))
      process.stdout.write(`\rfilling: ${from + batch} of ${seriesCount} series`)
    }
    process.stdout.write('\n')
    const digests = new KeyedDigests(installation.ring, 'api-key digests')
    const keys: string[] = []
    for (let i = 0; i < keyCount; i++) {
      const issued = await createApiKey(installation.sql, digests, {
        workspaceId: workspace.id,
        name: `bench ${i}`,
        expiresAt: null,
      })
      keys.push(issued.key)
    }
    const applied = await applyDocument(installation.sql, {
      workspaceId: workspace.id,
      text: document,
      by: 'bench',
      today: parseDay('2026-01-01')!,
    })
    if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
    return { seriesIds, keys, agreement: applied.id, endpoint: installation.embedded!.endpoint }
  } finally {
    await installation.close()
  }
}

const document = `
slug: bench
status: ACTIVE
contract: { start: 2014-01-01, end: 2024-12-31, frequency: QUARTERLY }
inputs:
${[0, 1, 2, 3, 4].map(i => `  in${i}: { series: CUSTOM/bench-${i}, weight: 0.17, base: 2013-12, lag: 2 months }`).join('\n')}
clause: { fixed: 0.15, rounding: { percent: { dp: 2 } } }
`

async function fillBatch({ sql }: Installation, workspaceId: string, from: number): Promise<string[]> {
  const series = Array.from({ length: batch }, (_, i) => ({
    id: makeIdentifier('ser'),
    provider: 'CUSTOM' as const,
    code: `bench-${from + i}`,
    name: `Bench series ${from + i}`,
    unit: '2015 = 100',
    dataType: 'INDEX' as const,
    frequency: 'MONTHLY' as const,
    description: '',
  }))
  const ids = series.map(({ id }) => id)
  await withStaging(sql, workspaceId, async staging => {
    await staging.add(rows(from))
    const comparison = await staging.compare(ids)
    return comparison.appendOne(log => createSeries(staging.tx, log, series))
  })
  return ids
}

function* rows(from: number): Iterable<StagedRow> {
  for (let series = 0; series < batch; series++)
    for (let month = 0; month < periodCount; month++)
      for (let vintage = 0; vintage < vintageCount; vintage++) {
        const level = 60_000 + ((from + series) % 977) * 31 + month * 87 + vintage * 7
        const day = 15 + vintage
        const year = 1975 + Math.floor((month + 1 + vintage) / 12)
        const monthOfYear = ((month + 1 + vintage) % 12) + 1
        yield {
          series,
          period: firstMonth + month,
          value: `${Math.floor(level / 1000)}.${(level % 1000).toString().padStart(3, '0')}`,
          tag: vintage === 0 ? 'PRELIMINARY' : vintage === 1 ? 'FINAL' : 'REVISED',
          flag: null,
          publishedAt: `${year}-${monthOfYear.toString().padStart(2, '0')}-${day}T00:00:00.000000Z`,
          line: 1 + month,
        }
      }
}
