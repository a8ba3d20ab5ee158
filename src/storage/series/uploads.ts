// Imported files of observations, with the person who brought each: one row for an import, under the instant at which all of it
// was recorded. Rows are added, never changed.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Instant } from '../../core/time/instant.ts'
import type { OpenLog } from '../log/append.ts'
import { loadClockRepairs } from '../log/clock-repairs.ts'
import { appendEntry } from '../log/entry-rows.ts'
import type { Transaction } from '../postgres/database.ts'
import { makeIdentifier } from '../postgres/identifier.ts'
import type { VisibleSeries } from './visible-series.ts'

export interface NewUpload {
  /** An e-mail address, or `operator`. */
  readonly uploadedBy: string
  readonly via: 'web' | 'command' | 'demo'
  readonly fileName: string
  /** Hash of the file's bytes, 64 hexadecimal digits. */
  readonly sha256: string
  readonly size: number
}

export interface Upload extends Pick<NewUpload, 'uploadedBy' | 'fileName' | 'sha256'> {
  readonly recordedAt: Instant
}

/** Inserts an upload with the entry of the file's contents. */
export async function insertUpload(tx: Transaction, log: OpenLog, upload: NewUpload): Promise<void> {
  await appendEntry(tx, log, 'upload', { subject: makeIdentifier('upl'), facts: upload })
}

/**
 * The imports that brought values of a series, by the instant that those count from. Where a repaired clock made one instant of
 * several imports, the import of a value is not known: then none is given.
 */
export async function loadUploads(
  tx: Transaction,
  workspaceId: string,
  series: Pick<VisibleSeries, 'owner' | 'id'>,
): Promise<ReadonlyMap<Instant, Upload>> {
  return (await loadUploadsOf(tx, workspaceId, [series])).get(series.id)!
}

export async function loadUploadsOf(
  tx: Transaction,
  workspaceId: string,
  series: readonly Pick<VisibleSeries, 'owner' | 'id'>[],
): Promise<ReadonlyMap<string, ReadonlyMap<Instant, Upload>>> {
  const own = series.filter(({ owner }) => owner === workspaceId).map(({ id }) => id)
  const rows =
    own.length === 0
      ? []
      : await tx<(Upload & { seq: number; seriesId: string })[]>`
          select p.subject as "seriesId", u.seq, u.recorded_at as "recordedAt", u.uploaded_by as "uploadedBy",
            u.file_name as "fileName", u.sha256
          from publication p join upload u on u.workspace_id = p.scope and u.recorded_at = p.recorded_at
          where p.scope = ${workspaceId} and p.subject = any(${own}::text[]) and p.kind = 'observations'`
  const repairs = await loadClockRepairs(tx, workspaceId)
  const bySeries = Map.groupBy(rows, ({ seriesId }) => seriesId)
  return new Map(
    series.map(({ id }) => {
      const byInstant = Map.groupBy(bySeries.get(id) ?? [], row =>
        repairs.instantOf(workspaceId, row.seq, row.recordedAt),
      )
      return [
        id,
        new Map([...byInstant].flatMap(([instant, [only, ...more]]) => (more.length > 0 ? [] : [[instant, only!]]))),
      ]
    }),
  )
}

/** Fingerprint of a file: its bytes, read in pieces. */
export async function fingerprintFile(path: string): Promise<Pick<NewUpload, 'sha256' | 'size'>> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { sha256: hash.digest('hex'), size: (await stat(path)).size }
}
