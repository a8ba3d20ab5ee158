// A request of the API as its handler sees it.
import type { ServerResponse } from 'node:http'
import type { KeyScope } from '../../core/people/key-scope.ts'
import { type Day, parseDay } from '../../core/time/day.ts'
import type { Instant } from '../../core/time/instant.ts'
import { type Parameters, readQuery, type Values } from '../frame/parameters.ts'
import type { ApiContext, ApiRequest, CheckedRequest } from './context.ts'
import type { FoundRoute } from './route.ts'

/** Connection of an answer: node's response. */
type Connection = Pick<ServerResponse, 'once'>

/** Parses the query only when a handler uses it: a cached answer does not need it. */
export class LazyRequest implements ApiRequest<Parameters> {
  readonly parts: ApiContext
  readonly asked: CheckedRequest
  readonly ids: readonly string[]
  readonly routeName: string
  readonly now: Instant
  readonly #parameters: Parameters
  readonly #connection: Connection | null
  #query: Values<Parameters> | null = null

  /** `connection` is null where nobody is connected: in a worker. */
  constructor(
    parts: ApiContext,
    asked: CheckedRequest,
    { route, name, ids }: FoundRoute,
    connection: Connection | null = null,
  ) {
    this.parts = parts
    this.asked = asked
    this.ids = ids
    this.routeName = name
    this.now = parts.now()
    this.#parameters = route.parameters
    this.#connection = connection
  }

  get id(): string {
    return this.ids[0] ?? ''
  }

  get workspaceId(): string {
    return this.asked.workspaceId
  }

  get keyId(): string {
    return this.asked.keyId
  }

  get scope(): KeyScope {
    return this.asked.scope
  }

  get address(): string {
    return this.asked.address
  }

  get url(): string {
    return this.asked.url
  }

  get search(): string {
    return this.asked.search
  }

  get accepted(): string {
    return this.asked.accepted
  }

  get body(): Uint8Array | null {
    return this.asked.body
  }

  get bodyType(): string | null {
    return this.asked.bodyType
  }

  get query(): Values<Parameters> {
    this.#query ??= readQuery(this.search, this.#parameters)
    return this.#query
  }

  get path(): string {
    return this.search === '' ? this.url.replace('?', '') : this.url.slice(0, -this.search.length - 1)
  }

  onGone(then: () => void): void {
    this.#connection?.once('close', then)
  }

  get today(): Day {
    return parseDay(this.now.slice(0, 10))!
  }
}
