// Origins of the figures of an agreement's series: figures read from a provider come from the provider, imported ones from the file
// that was recorded with them.

import type { Origin, OriginOf } from '../../core/receipt/receipt.ts'
import type { Instant } from '../../core/time/instant.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { Upload } from '../../storage/series/uploads.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'

/** Origin of a value in one series, by its recording instant. */
export type SeriesOrigin = (recordedAt: Instant | null) => Origin

export function originOfSeries(
  { owner, provider }: Pick<VisibleSeries, 'owner' | 'provider'>,
  uploads: ReadonlyMap<Instant, Upload>,
): SeriesOrigin {
  if (owner === publicScope) return () => ({ provider })
  return recordedAt => {
    const upload = recordedAt === null ? undefined : uploads.get(recordedAt)
    if (upload === undefined) return { uploadedBy: null, file: null, sha256: null, recorded: recordedAt }
    const { uploadedBy, fileName, sha256 } = upload
    return { uploadedBy, file: fileName, sha256, recorded: recordedAt }
  }
}

const unknownOrigin: SeriesOrigin = recorded => ({ uploadedBy: null, file: null, sha256: null, recorded })

/** Origins by the names the documents use. A series that is no longer visible has none. */
export function originsOf(series: ReadonlyMap<string, SeriesOrigin>): OriginOf {
  return (reference, recordedAt) => (series.get(reference) ?? unknownOrigin)(recordedAt)
}
