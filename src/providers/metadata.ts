// Requests for names only, for providers whose values come without them. The provider's own `read` parses the answers as
// series without observations.
import type { Provider, ProviderRequest } from './provider.ts'

/** Sent once, when a series is first followed; a failure does no harm. */
export function metadataRequests({ name }: Provider, codes: readonly string[]): readonly ProviderRequest[] {
  if (name !== 'STATCAN' || codes.length === 0) return []
  const vectors = codes.map(code => ({ vectorId: Number.parseInt(code.replace(/^v/i, ''), 10) }))
  return [
    {
      codes,
      method: 'POST',
      path: '/getSeriesInfoFromVector',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(vectors),
      secrets: [],
    },
  ]
}
