// Routes are data: one table serves, validates and describes. v1 and /ext/v1 each have one, of the same shape.
import type { KeyScope } from '../../core/key-scope.ts'
import type { Parameters } from '../parameters.ts'
import type { ApiRequest, Handled } from './context.ts'

/** A question that does not fit into an address, and so comes as a body. */
export interface BodyRule {
  readonly mostBytes: number
  /** Media types that are read. */
  readonly types: readonly string[]
}

export interface Route {
  /** As the description writes it: `/series/{seriesId}/values`. */
  readonly path: string
  readonly summary: string
  readonly parameters: Parameters
  /** The name of the answer's schema. */
  readonly answer: string
  /** What a key must be allowed to read; without it the route does not exist for the key. */
  readonly needs: KeyScope
  /** Where the question comes as a body, with QUERY or POST; null for what is read with GET and HEAD. */
  readonly body: BodyRule | null
  readonly handle: (request: ApiRequest<Parameters>) => Handled
}

export function route<P extends Parameters>(
  path: string,
  summary: string,
  answer: string,
  parameters: P,
  handle: (request: ApiRequest<P>) => Handled,
  { needs = 'read', body = null }: Partial<Pick<Route, 'needs' | 'body'>> = {},
): Route {
  return { path, summary, answer, parameters, needs, body, handle: handle as unknown as Route['handle'] }
}

export interface Found {
  readonly route: Route
  readonly id: string
}

export class RouteTable {
  readonly #lists: ReadonlyMap<string, Route>
  readonly #ofOne: ReadonlyMap<string, Route>

  constructor(routes: readonly Route[]) {
    this.#lists = new Map(routes.filter(({ path }) => !path.includes('{')).map(each => [each.path.slice(1), each]))
    this.#ofOne = new Map(
      routes.filter(({ path }) => path.includes('{')).map(each => [each.path.replace(/\{[^}]+\}/, '*'), each]),
    )
  }

  /** The route of a path behind the prefix, and the identifier in it. Without splitting the path: every request asks. */
  find(path: string): Found | null {
    const afterNoun = path.indexOf('/', 1)
    if (afterNoun < 0) {
      const list = this.#lists.get(path.slice(1))
      return list === undefined ? null : { route: list, id: '' }
    }
    const afterId = path.indexOf('/', afterNoun + 1)
    const id = afterId < 0 ? path.slice(afterNoun + 1) : path.slice(afterNoun + 1, afterId)
    const found = this.#ofOne.get(`${path.slice(0, afterNoun)}/*${afterId < 0 ? '' : path.slice(afterId)}`)
    return found === undefined || id === '' ? null : { route: found, id: decodeId(id) }
  }
}

/** An identifier that does not decode is one that does not exist. */
function decodeId(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
