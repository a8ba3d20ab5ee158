// Requests to the server: every request from the pages goes through here. Failures are thrown as an `ApiFailure` with a
// readable message; a lost connection is one of them.
import { QueryClient } from '@tanstack/react-query'
import type { Method } from '../src/views/calls/call.ts'
import type { Failure, Needs, ProblemView } from '../src/views/shapes/session.ts'
import type { WithSlips } from '../src/views/shapes/signatures.ts'
import type { Api } from './calls.ts'

export class ApiFailure extends Error {
  /** 0 if the server could not be reached. */
  readonly status: number
  readonly problems: readonly ProblemView[]
  /** Proof of the person that the request needs before it is accepted. */
  readonly needs: Needs | null

  constructor(status: number, message: string, problems: readonly ProblemView[] = [], needs: Needs | null = null) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.problems = problems
    this.needs = needs
  }
}

const unreachable = 'The server cannot be reached. Check the connection; nothing you entered is lost.'

const begun = new Map<string, Promise<Response>>()

/** Sends a request before the page that needs it is loaded. The answer is used once, and only if nothing was changed since. */
export function begin(path: string): void {
  const answer = fetch(`/console${path}`, { credentials: 'same-origin' })
  // Whoever uses the answer gets the error.
  answer.catch(() => undefined)
  begun.set(path, answer)
}

function takeBegun(method: Method, path: string): Promise<Response> | undefined {
  if (method !== 'GET') begun.clear()
  const answer = begun.get(path)
  begun.delete(path)
  return answer
}

async function ask(method: Method, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const isWriting = method !== 'GET'
  const asked = takeBegun(method, path)
  const response = await (
    asked ??
    fetch(`/console${path}`, {
      method,
      credentials: 'same-origin',
      ...(isWriting ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) } : {}),
      ...(signal === undefined ? {} : { signal }),
    })
  ).catch(error => {
    if (signal?.aborted) throw error
    throw new ApiFailure(0, unreachable)
  })
  // At sign-in a 401 is about the password or the provider, not about the session.
  if (response.status === 401 && !path.startsWith('/sign-in') && !path.startsWith('/sso')) endSession()
  if (!response.ok) throw await failureOf(response)
  return response
}

/** The session has ended: the frame asks the person to sign in and then comes back to where they were. */
export function endSession(): void {
  begun.clear()
  if (queries.getQueryData(sessionKey) != null) queries.setQueryData(sessionKey, null)
}

export const sessionKey = ['session'] as const

export function isServerThere(): Promise<boolean> {
  return fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )
}

/** Explains why a page could not be fetched: an `ApiFailure` if the server does not respond, otherwise the original error. */
export async function explainUnfetched(error: unknown): Promise<never> {
  throw (await isServerThere()) ? error : new ApiFailure(0, unreachable)
}

export async function failureOf(response: Response): Promise<ApiFailure> {
  const failure: Partial<Failure> = await response.json().catch(() => ({}))
  return new ApiFailure(
    response.status,
    failure.error ?? 'The server gave an answer that cannot be read.',
    failure.problems ?? [],
    failure.needs ?? null,
  )
}

/** Event with the slips of a signature: the frame listens to it, whichever page signed, in one request or several. */
export const signedEvent = 'assize-signed'

async function askFor<T>(method: Method, path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const response = await ask(method, path, body, signal)
  if (response.status === 204) return undefined as T
  const answer: T & Partial<WithSlips> = await response.json()
  if (method === 'POST' && answer?.slips !== undefined)
    window.dispatchEvent(new CustomEvent(signedEvent, { detail: answer.slips }))
  return answer
}

/** Calls to the server. `src/views/calls` declares what each address accepts and returns. */
export const api: Api = {
  get: (address, signal) => askFor('GET', address, undefined, signal),
  post: (address, body, signal) => askFor('POST', address, body, signal),
  patch: (address, body) => askFor('PATCH', address, body),
  delete: address => askFor('DELETE', address, undefined),
}

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // While offline, requests are still sent and fail with a message, instead of being paused silently.
      networkMode: 'always',
      refetchOnReconnect: true,
      refetchOnWindowFocus: true,
      retry: (count, error) => error instanceof ApiFailure && (error.status === 0 || error.status === 503) && count < 2,
    },
    mutations: { networkMode: 'always' },
  },
})
