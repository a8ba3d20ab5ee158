// Differences between APIs: v1, /ext/v1 and /sdmx/v2 go through one pipeline with one set of keys and limits.
import type { IncomingMessage } from 'node:http'
import type { KeyScope } from '../../core/people/key-scope.ts'
import type { Answer } from '../frame/answer.ts'
import type { Routes } from './route.ts'

export type ApiName = 'v1' | 'ext/v1' | 'sdmx/v2'

export interface ApiDefinition {
  readonly name: ApiName
  readonly prefixes: readonly string[]
  readonly table: Routes
  /** Paths under the prefix that are no part of the API: files that are equal for everybody, such as the description. */
  readonly files?: readonly string[]
  /** Whether `/health` is answered without a key. */
  readonly hasHealth: boolean
  /** Whether a key may come as the user name of Basic authentication. */
  readonly takesBasic: boolean
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string
  readonly vary: string
  /** Whether `OPTIONS` lists the accepted methods. */
  readonly answersOptions: boolean
  /** Format from `Accept`, as this API names it; null where neither it nor the key's scope changes an answer. */
  readonly accepts: ((header: string | undefined) => string) | null
  /** Methods and headers for pages of other origins. */
  readonly crossOrigin: { readonly methods: string; readonly headers: string }
  /** Form of a refusal, where that is not `{"error": "…"}`. */
  readonly tellRefusal?: (
    refusal: Answer,
    accepted: string,
    at: { readonly id: string; readonly now: string },
  ) => Answer
}

/** The path after the prefix, or null if the request is for something else. */
export function behindPrefix({ prefixes, files }: ApiDefinition, path: string): string | null {
  for (const prefix of prefixes)
    if (path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/')) {
      const behind = path.slice(prefix.length)
      return files?.includes(behind) === true ? null : behind
    }
  return null
}

/** Format from `Accept`, in an API that uses it. */
export function formatFor({ accepts }: ApiDefinition, { headers }: IncomingMessage): string {
  return accepts === null ? 'json' : accepts(headers.accept)
}

/** Key under which an answer is cached: its address, and everything else it depends on. */
export function addressFor({ accepts }: ApiDefinition, url: string, accepted: string, scope: KeyScope): string {
  return accepts === null ? url : `${accepted} ${scope} ${url}`
}
