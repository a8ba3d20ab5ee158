// The routes that are measured, each with many addresses over many series.
import type { Filled } from './fill.ts'

export interface BenchRoute {
  readonly name: string
  readonly paths: readonly string[]
  /** The same request for the server written by hand; null where it has none. */
  readonly byHand: readonly string[] | null
  readonly keys: readonly string[]
  readonly prefix?: string
}

export function makeRoutes({ seriesIds, keys, agreement }: Filled): BenchRoute[] {
  const some = seriesIds.slice(0, 160)
  const values = (name: string, query: string): BenchRoute => ({
    name,
    paths: some.map(id => `/v1/series/${id}/values?${query}`),
    byHand: some.map(id => `/series/${id}/values?${query}`),
    keys,
  })
  const one = (name: string, path: string, byHand: string | null = null): BenchRoute => ({
    name,
    paths: [path],
    byHand: byHand === null ? null : [byHand],
    keys,
  })
  return [
    one('health', '/v1/health'),
    one('series, 50', '/v1/series', '/series'),
    values('values, 12', 'last=12'),
    values('values, 60', 'last=60'),
    values('values, 500', 'limit=500'),
    values('values, 60, asOf', 'last=60&asOf=2020-06-30'),
    { ...values('vintages, 50', ''), paths: some.map(id => `/v1/series/${id}/vintages?limit=50`), byHand: null },
    one('PAMs', '/v1/pams'),
    one('PAM', `/v1/pams/${agreement}`),
    one('PAM values', `/v1/pams/${agreement}/values`, '/adjustments'),
    one('adjustment', `/v1/pams/${agreement}/adjustment`, '/adjustment'),
    one('calculation', `/v1/pams/${agreement}/adjustment/calculation`),
    one('receipt', `/v1/pams/${agreement}/adjustment/receipt`),
  ]
}

/** The bytes of each request, in their order. */
export function encodeRequests(url: string, { paths, keys, prefix = '' }: BenchRoute): Buffer[] {
  const { host } = new URL(url)
  return Array.from({ length: Math.max(paths.length, keys.length) }, (_, i) => {
    const head = [
      `GET ${prefix}${paths[i % paths.length]} HTTP/1.1`,
      `Host: ${host}`,
      `Authorization: Bearer ${keys[i % keys.length]}`,
    ]
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n`)
  })
}
