// Routes as data: one table serves, validates and describes. v1 and /ext/v1 each have one, of equal shape.
import type { KeyScope } from '../../core/people/key-scope.ts'
import type { Answer } from '../frame/answer.ts'
import type { Parameters } from '../frame/parameters.ts'
import type { ApiRequest } from './context.ts'

/** Rules for the body of a request that does not fit into an address. */
export interface BodyRule {
  readonly mostBytes: number
  /** Accepted media types. */
  readonly types: readonly string[]
}

export interface Route {
  /** Path in the description: `/series/{seriesId}/values`. */
  readonly path: string
  readonly summary: string
  readonly parameters: Parameters
  /** Name of the answer's schema. */
  readonly answer: string
  /** Scope that a key needs; without it the route does not exist for the key. */
  readonly needs: KeyScope
  /** Rules for the body of QUERY or POST; null for a route read with GET and HEAD. */
  readonly body: BodyRule | null
  /** Whether it is always answered by a worker, because it is too much work for the main thread. */
  readonly isHeavy: boolean
  readonly handle: (request: ApiRequest<Parameters>) => Promise<Answer>
}

export function route<P extends Parameters>(
  path: string,
  summary: string,
  answer: string,
  parameters: P,
  handle: (request: ApiRequest<P>) => Promise<Answer>,
  { needs = 'read', body = null, isHeavy = false }: Partial<Pick<Route, 'needs' | 'body' | 'isHeavy'>> = {},
): Route {
  return { path, summary, answer, parameters, needs, body, isHeavy, handle: handle as unknown as Route['handle'] }
}

interface NamedRoute {
  readonly route: Route
  /** Path with the name of its API, for the metrics: `/v1/series/{seriesId}/values`. */
  readonly name: string
}

export interface FoundRoute extends NamedRoute {
  /** Identifiers in the path, in order. */
  readonly ids: readonly string[]
}

/** Finds the route of a path after the prefix. */
export interface Routes {
  find(path: string): FoundRoute | null
}

/** Routes of at most two identifiers. */
export class RouteTable implements Routes {
  readonly #lists: ReadonlyMap<string, NamedRoute>
  readonly #ofOne: ReadonlyMap<string, NamedRoute>

  constructor(apiName: string, routes: readonly Route[]) {
    const named = routes.map(each => ({ route: each, name: `/${apiName}${each.path}` }))
    const hasId = ({ route: { path } }: NamedRoute) => path.includes('{')
    this.#lists = new Map(named.filter(each => !hasId(each)).map(each => [each.route.path.slice(1), each]))
    this.#ofOne = new Map(named.filter(hasId).map(each => [each.route.path.replace(/\{[^}]+\}/g, '*'), each]))
  }

  /**
   * The route of a path after the prefix, with its identifiers. Does not split the path, because every request comes through here.
   */
  find(path: string): FoundRoute | null {
    const afterNoun = path.indexOf('/', 1)
    if (afterNoun < 0) {
      const list = this.#lists.get(path.slice(1))
      return list === undefined ? null : { ...list, ids: [] }
    }
    const afterId = path.indexOf('/', afterNoun + 1)
    const id = afterId < 0 ? path.slice(afterNoun + 1) : path.slice(afterNoun + 1, afterId)
    if (id === '') return null
    const noun = path.slice(0, afterNoun)
    const found = this.#ofOne.get(`${noun}/*${afterId < 0 ? '' : path.slice(afterId)}`)
    if (found !== undefined) return { ...found, ids: [decodeId(id)] }
    const second = afterId < 0 ? '' : path.slice(afterId + 1)
    const ofTwo = second === '' || second.includes('/') ? undefined : this.#ofOne.get(`${noun}/*/*`)
    return ofTwo === undefined ? null : { ...ofTwo, ids: [decodeId(id), decodeId(second)] }
  }
}

/** Routes of a noun with several identifiers, the last of which may be left out. */
export class DeepRouteTable implements Routes {
  readonly #routes: ReadonlyMap<string, NamedRoute & { readonly most: number }>

  constructor(apiName: string, routes: readonly Route[]) {
    this.#routes = new Map(
      routes.map(each => {
        const [, noun = '', ...ids] = each.path.split('/')
        return [noun, { route: each, name: `/${apiName}${each.path}`, most: ids.length }]
      }),
    )
  }

  find(path: string): FoundRoute | null {
    const [, noun = '', ...ids] = path.split('/')
    // A final slash names no identifier.
    if (ids.at(-1) === '') ids.pop()
    const found = this.#routes.get(noun)
    if (found === undefined || ids.length > found.most) return null
    return { route: found.route, name: found.name, ids: ids.map(decodeId) }
  }
}

/** An identifier that cannot be decoded does not exist. */
function decodeId(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
