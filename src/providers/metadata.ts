// Requests that bring only names: for providers whose values come without one. Answers are read by the provider's own
// `read`, as series without observations.
import type { Provider, ProviderRequest } from './provider.ts'

/** Asked once, when a series is first followed; that they fail does no harm. */
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
