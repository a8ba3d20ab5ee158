// A request of v1 as its handler sees it.
import { type Day, parseDay } from '../../core/day.ts'
import type { Instant } from '../../core/instant.ts'
import { type Parameters, readQuery, type Values } from '../parameters.ts'
import type { V1Parts, V1Request } from './context.ts'

/** Reads the query when a handler looks at it: an answer that is kept needs none of that. */
export class LazyRequest implements V1Request<Parameters> {
  readonly parts: V1Parts
  readonly workspaceId: string
  readonly id: string
  readonly url: string
  readonly search: string
  readonly now: Instant
  readonly #parameters: Parameters
  #query: Values<Parameters> | null = null

  constructor(parts: V1Parts, workspaceId: string, id: string, url: string, search: string, parameters: Parameters) {
    this.parts = parts
    this.workspaceId = workspaceId
    this.id = id
    this.url = url
    this.search = search
    this.now = parts.now()
    this.#parameters = parameters
  }

  get query(): Values<Parameters> {
    this.#query ??= readQuery(this.search, this.#parameters)
    return this.#query
  }

  get path(): string {
    return this.search === '' ? this.url.replace('?', '') : this.url.slice(0, -this.search.length - 1)
  }

  get today(): Day {
    return parseDay(this.now.slice(0, 10))!
  }
}
