// Sources of figures in words: a provider, or an uploaded file.
import { formatDate } from '../../../src/core/text/words.ts'
import type { OriginView, UploadView } from '../../../src/views/shapes/series.ts'

/** `uploaded by Olga Lindt, 14 Nov 2026, file prices.csv` */
export function formatUpload({ by, at, file }: UploadView): string {
  if (by === null) return `file ${file}`
  return `uploaded by ${by}${at === null ? '' : `, ${formatDate(at)}`}, file ${file}`
}

/** The upload with the file's fingerprint. */
function formatUploadInFull(upload: UploadView): string {
  return `${formatUpload(upload)} (SHA-256 ${upload.sha256})`
}

const unknownUpload = 'imported from a file that is not known'

export function formatOrigin(origin: OriginView): string {
  if ('provider' in origin) return `read from ${origin.provider}`
  return origin.upload === null ? unknownUpload : formatUpload(origin.upload)
}

export function formatOriginInFull(origin: OriginView): string {
  return 'upload' in origin && origin.upload !== null ? formatUploadInFull(origin.upload) : formatOrigin(origin)
}

/** Source for a table column; the full text appears once below the table. */
export function formatOriginShort(origin: OriginView): string {
  if ('provider' in origin) return formatOrigin(origin)
  const { upload } = origin
  if (upload === null) return 'imported'
  return upload.by === null ? upload.file : `uploaded by ${upload.by}`
}

/** A source, with the number of figures that come from it. */
export interface CountedOrigin {
  readonly words: string
  readonly figures: number
  readonly sha256: string | null
}

/** Sources, each once, in order of first appearance. */
export function countOrigins(origins: readonly OriginView[]): CountedOrigin[] {
  const counted = new Map<string, CountedOrigin>()
  for (const origin of origins) {
    const words = formatOrigin(origin)
    const sha256 = 'upload' in origin ? (origin.upload?.sha256 ?? null) : null
    const key = `${words} ${sha256}`
    counted.set(key, { words, sha256, figures: (counted.get(key)?.figures ?? 0) + 1 })
  }
  return [...counted.values()]
}
