// Where the figures of an agreement's series come from: what we read ourselves comes from the provider, what a workspace
// imported comes from the file that was recorded with it.

import type { Origin, OriginOf } from '../../core/receipt/receipt.ts'
import type { Instant } from '../../core/time/instant.ts'
import { publicScope } from '../../storage/postgres/database.ts'
import type { Upload } from '../../storage/series/uploads.ts'
import type { VisibleSeries } from '../../storage/series/visible-series.ts'

/** One series' origins, by the instant at which a value was recorded. */
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

/** By the names the documents use. A series that is no longer visible has no origin. */
export function originsOf(series: ReadonlyMap<string, SeriesOrigin>): OriginOf {
  return (reference, recordedAt) => (series.get(reference) ?? unknownOrigin)(recordedAt)
}
