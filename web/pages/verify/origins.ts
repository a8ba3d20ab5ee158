// Where the figures of a receipt come from, told once for each source.
import type { Origin, ReceiptBody } from '../../../src/core/receipt.ts'

export interface OriginLine {
  readonly source: string
  readonly figures: number
  /** Of the file. */
  readonly sha256: string | null
}

export function describeOrigins({ observations }: ReceiptBody): OriginLine[] {
  const told = new Map<string, OriginLine>()
  for (const { origin } of observations) {
    const { source, sha256 } = describeOrigin(origin)
    const key = `${source} ${sha256}`
    told.set(key, { source, sha256, figures: (told.get(key)?.figures ?? 0) + 1 })
  }
  return [...told.values()]
}

/** A receipt of the first format says nothing of it. */
function describeOrigin(origin: Origin | undefined): Pick<OriginLine, 'source' | 'sha256'> {
  if (origin === undefined) return { source: 'It does not say', sha256: null }
  if ('provider' in origin) return { source: `${origin.provider}, read by the installation`, sha256: null }
  const { uploadedBy, file, sha256 } = origin
  if (file === null) return { source: 'Imported before that was recorded', sha256: null }
  return { source: uploadedBy === null ? file : `${file}, uploaded by ${uploadedBy}`, sha256 }
}
