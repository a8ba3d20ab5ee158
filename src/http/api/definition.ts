// What distinguishes one API from another: v1 and /ext/v1 go through the same pipeline with the same keys, limits and
// answers.
import type { IncomingMessage } from 'node:http'
import type { KeyScope } from '../../core/people/key-scope.ts'
import { acceptedFormat } from './accept.ts'
import type { AnswerFormat } from './context.ts'
import type { RouteTable } from './route.ts'

export type ApiName = 'v1' | 'ext/v1'

export interface ApiDefinition {
  readonly name: ApiName
  readonly prefixes: readonly string[]
  readonly table: RouteTable
  /** What is under the prefix and is no part of the API: the same file for anybody, as the description is. */
  readonly files?: readonly string[]
  /** Whether `/health` is answered without a key. */
  readonly hasHealth: boolean
  /** Whether a key may come as the user name of Basic authentication. */
  readonly takesBasic: boolean
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string
  /** The value of `Vary`. */
  readonly vary: string
  /** Whether `OPTIONS` says which methods are accepted. */
  readonly answersOptions: boolean
  /** Whether `Accept` and the key's scope change an answer. */
  readonly isNegotiated: boolean
  /** What pages of other origins may send. */
  readonly crossOrigin: { readonly methods: string; readonly headers: string }
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

/** What `Accept` asks for, in an API that uses it. */
export function formatFor({ isNegotiated }: ApiDefinition, { headers }: IncomingMessage): AnswerFormat {
  return isNegotiated ? acceptedFormat(headers.accept) : 'json'
}

/** The key under which an answer is cached: its address, and what else it depends on. */
export function addressFor(
  { isNegotiated }: ApiDefinition,
  url: string,
  accepted: AnswerFormat,
  scope: KeyScope,
): string {
  return isNegotiated ? `${accepted} ${scope} ${url}` : url
}
