// Import of the demo's figures into a workspace, as an operator would import them.
import type { Seal } from '../agreements/seal.ts'
import { parseReference } from '../core/series/series.ts'
import type { Instant } from '../core/time/instant.ts'
import { hashText } from '../storage/log/content.ts'
import { type Sql, withWorkspace } from '../storage/postgres/database.ts'
import { makeIdentifier } from '../storage/postgres/identifier.ts'
import { createSeries, loadSeriesOfWorkspace, type OwnSeries } from '../storage/series/own-series.ts'
import { withStaging } from '../storage/series/staging.ts'
import { insertUpload, type NewUpload } from '../storage/series/uploads.ts'
import { owner } from './people.ts'
import type { DemoSeries } from './vintages.ts'

/** The workspace that is filled. */
export interface DemoWorkspace {
  readonly sql: Sql
  readonly seal: Seal
  readonly workspaceId: string
}

/** Publishes the figures known before an instant, or all; the database skips the ones it already has. */
export async function publishUntil(
  { sql, workspaceId }: DemoWorkspace,
  published: readonly DemoSeries[],
  until: Instant | null,
): Promise<void> {
  const { own } = await withWorkspace(sql, workspaceId, tx => loadSeriesOfWorkspace(tx, workspaceId))
  const described = published.map(series => describe(series, own.get(series.reference) ?? null))
  const rows = published.flatMap(({ vintages }, series) =>
    vintages
      .filter(({ publishedAt }) => until === null || publishedAt < until)
      .map(({ period, ...vintage }) => ({ series, period: period.ordinal, ...vintage })),
  )
  await withStaging(sql, workspaceId, async staging => {
    await staging.add(rows.map((row, at) => ({ ...row, line: at + 1 })))
    const comparison = await staging.compare(described.map(({ id }) => id))
    const unknown = described.filter(({ provider, code }) => !own.has(`${provider}/${code}`))
    await comparison.appendOne(async log => {
      await createSeries(staging.tx, log, unknown)
      await insertUpload(staging.tx, log, uploadOf(rows))
    })
  })
}

/** The upload record: there is no file, so the generated figures take its place. */
function uploadOf(rows: readonly object[]): NewUpload {
  const text = JSON.stringify(rows)
  return {
    uploadedBy: owner.email,
    via: 'demo',
    fileName: 'figures of the demo',
    sha256: hashText(text),
    size: Buffer.byteLength(text),
  }
}

function describe(series: DemoSeries, held: OwnSeries | null): OwnSeries {
  if (held !== null) return held
  const { reference, name, unit, dataType, frequency, description } = series
  const { provider, code } = parseReference(reference)!
  return { id: makeIdentifier('ser'), provider, code, name, unit, dataType, frequency, description }
}

export function newestOf(published: readonly DemoSeries[]): Instant {
  const instants = published.flatMap(({ vintages }) => vintages.map(({ publishedAt }) => publishedAt))
  return instants.reduce((newest, each) => (each > newest ? each : newest))
}
