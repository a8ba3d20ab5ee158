// Origins of the figures of a receipt, according to the receipt: with e-mail addresses, because there is no workspace to look up
// names.
import type { Origin } from '../../../src/core/receipt/receipt.ts'
import type { OriginView } from '../../../src/views/shapes/series.ts'

export function viewOrigin(origin: Origin): OriginView {
  if ('provider' in origin) return origin
  const { uploadedBy, file, sha256, recorded } = origin
  if (file === null || sha256 === null) return { upload: null }
  return { upload: { by: uploadedBy === 'operator' ? 'the operator' : uploadedBy, at: recorded, file, sha256 } }
}
