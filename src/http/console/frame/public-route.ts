// A console route that belongs to no workspace: about the signed-in person, or about getting in.
import { Refusal } from '../../../core/refusal.ts'
import type { SessionHolder } from '../../../storage/people/sessions.ts'
import type { AnswerOf, BodyOf, ParamsOf, QueryOf } from '../../../views/calls/call.ts'
import { type PublicCalls, publicCalls } from '../../../views/calls/calls.ts'
import type { Ours } from './origin-check.ts'
import { type Declared, partsOf, type Returned } from './route.ts'

export interface PublicRequest {
  /** Session of the person; `null` where nobody is signed in. */
  readonly holder: SessionHolder | null
  /** Identifiers in the path. */
  readonly params: Readonly<Record<string, string>>
  /** Declared by the call. */
  readonly query: unknown
  readonly body: unknown
  readonly ours: Ours
  readonly fromAddress: string
  readonly userAgent: string | null
  /** Cookie of a browser in which somebody has signed in before, as it was sent; see known-browsers.ts. */
  readonly knownBrowser: string | null
  /** Another cookie, as it was sent. */
  readonly cookie: (name: string) => string | null
}

/** A public request with the types of one call. */
export type PublicRequestOf<N extends keyof PublicCalls> = Omit<PublicRequest, 'params' | 'query' | 'body'> & {
  readonly params: ParamsOf<N>
  readonly query: QueryOf<PublicCalls[N]>
  readonly body: BodyOf<PublicCalls[N]>
}

export interface PublicRoute extends Declared, PublicRules {
  answer(request: PublicRequest): Promise<Returned>
}

export interface PublicRules {
  /** True for people who are not signed in, too; other routes answer them 401 before anything of a body is read. */
  readonly isOpen?: true
  /** True for operators of the installation; others get 403 with a sentence. */
  readonly isForOperators?: true
  /** True where it may be sent from anywhere, with any body, which is ignored: it does only the act of its signed token. */
  readonly isFromAnywhere?: true
}

/** A declared call with its rights and its answer. */
export function publicRoute<N extends keyof PublicCalls>(
  name: N,
  rules: PublicRules & {
    readonly answer: (request: PublicRequestOf<N>) => Promise<Returned<AnswerOf<PublicCalls[N]>>>
  },
): PublicRoute {
  return { ...partsOf(name, publicCalls[name]), ...rules }
}

export function signedIn<T>({ holder }: { readonly holder: T | null }): T {
  if (holder === null) throw new Refusal('not-signed-in', 'nobody is signed in here; sign in and try again')
  return holder
}
