// Access for pages of other origins: off unless the operator lists the origins.
import type { IncomingMessage } from 'node:http'

const exposed = 'assize-left-out, etag, link, ratelimit, ratelimit-policy, retry-after, x-request-id'

export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  headersFor(req: IncomingMessage): readonly string[] {
    if (this.#origins.size === 0) return []
    const { origin } = req.headers
    if (origin === undefined || !this.#origins.has(origin)) return []
    return ['access-control-allow-origin', origin, 'access-control-expose-headers', exposed, 'vary', 'Origin']
  }

  isPreflight(req: IncomingMessage): boolean {
    return this.#origins.size > 0 && req.headers['access-control-request-method'] !== undefined
  }

  preflightHeaders({ methods, headers }: { readonly methods: string; readonly headers: string }): readonly string[] {
    return [
      'access-control-allow-methods',
      methods,
      'access-control-allow-headers',
      headers,
      'access-control-max-age',
      '600',
    ]
  }
}
