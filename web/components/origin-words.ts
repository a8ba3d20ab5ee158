// Where figures come from, in words: a provider that was read, or a file that somebody uploaded.
import type { OriginView, UploadView } from '../../src/http/console/wire/series.ts'
import { writeDay } from './words.ts'

/** `uploaded by Olga Lindt, 14 Nov 2026, file prices.csv` */
export function writeUpload({ by, at, file }: UploadView): string {
  if (by === null) return `file ${file}`
  return `uploaded by ${by}${at === null ? '' : `, ${writeDay(at)}`}, file ${file}`
}

/** With the file's fingerprint. */
export function writeUploadInFull(upload: UploadView): string {
  return `${writeUpload(upload)} (SHA-256 ${upload.sha256})`
}

const unknownUpload = 'imported before source files were recorded'

export function writeOrigin(origin: OriginView | null): string {
  if (origin === null) return 'not kept'
  if ('provider' in origin) return `read from ${origin.provider}`
  return origin.upload === null ? unknownUpload : writeUpload(origin.upload)
}

/** For files that are taken along. */
export function writeOriginInFull(origin: OriginView): string {
  return 'upload' in origin && origin.upload !== null ? writeUploadInFull(origin.upload) : writeOrigin(origin)
}

/** For a column of a table; the whole of it stands once below. */
export function writeOriginShort(origin: OriginView | null): string {
  if (origin === null || 'provider' in origin) return writeOrigin(origin)
  const { upload } = origin
  if (upload === null) return 'imported'
  return upload.by === null ? upload.file : `uploaded by ${upload.by}`
}

/** One source of several figures. */
export interface CountedOrigin {
  readonly words: string
  readonly figures: number
  /** Of the file. */
  readonly sha256: string | null
}

/** Each source once, in the order they come. */
export function countOrigins(origins: readonly (OriginView | null)[]): CountedOrigin[] {
  const counted = new Map<string, CountedOrigin>()
  for (const origin of origins) {
    const words = writeOrigin(origin)
    const sha256 = origin !== null && 'upload' in origin ? (origin.upload?.sha256 ?? null) : null
    const key = `${words} ${sha256}`
    counted.set(key, { words, sha256, figures: (counted.get(key)?.figures ?? 0) + 1 })
  }
  return [...counted.values()]
}
