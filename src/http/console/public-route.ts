// What a route of the console is that belongs to no workspace: about who is signed in, or about getting in.
import type { TSchema } from 'typebox'
import type { SessionHolder } from '../../storage/sessions.ts'
import { ConsoleFailure } from './failure.ts'
import type { Ours } from './origin-check.ts'
import type { ConsoleAnswer } from './route.ts'

export interface PublicQuestion {
  /** Who asks; `null` where nobody is signed in. */
  readonly holder: SessionHolder | null
  readonly params: Readonly<Record<string, string>>
  readonly body: unknown
  readonly ours: Ours
  readonly fromAddress: string
  readonly userAgent: string | null
}

export interface PublicRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Behind `/console`. */
  readonly path: string
  readonly body?: TSchema
  /** For who is not signed in too; others get 401 before anything of a body is read. */
  readonly isOpen?: true
  /** For operators of the installation; others get 403 with a sentence. */
  readonly isForOperators?: true
  readonly answer: (question: PublicQuestion) => Promise<ConsoleAnswer>
}

export function signedIn<T>({ holder }: { readonly holder: T | null }): T {
  if (holder === null) throw new ConsoleFailure(401, 'nobody is signed in here; sign in and try again')
  return holder
}
