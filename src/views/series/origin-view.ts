// Origin of a figure for the pages: its provider, or its upload with person, time and file.
import type { Origin } from '../../core/receipt/receipt.ts'
import { shortTitles } from '../../providers/catalogue/catalogue.ts'
import type { OriginView } from '../shapes/series.ts'

/** `names` are those of the workspace's members, by address. */
export function originView(origin: Origin, names: ReadonlyMap<string, string>): OriginView {
  if ('provider' in origin) return { provider: shortTitles[origin.provider] ?? origin.provider }
  const { uploadedBy, file, sha256, recorded } = origin
  if (file === null || sha256 === null) return { upload: null }
  return { upload: { by: whoWas(uploadedBy, names), at: recorded, file, sha256 } }
}

/** Name of the uploader. Work at the machine itself is recorded under `operator`. */
function whoWas(uploadedBy: string | null, names: ReadonlyMap<string, string>): string | null {
  if (uploadedBy === null) return null
  return uploadedBy === 'operator' ? 'the operator' : (names.get(uploadedBy.toLowerCase()) ?? uploadedBy)
}
