// The signed-in person, and their rights in the workspace of the address.
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { SessionView, WorkspaceView } from '../src/views/shapes/session.ts'
import { ApiFailure, api, sessionKey } from './api.ts'
import { type AddressIn, addressIn, type ReadAnswer, type ReadInWorkspace } from './calls.ts'
import type { ProviderNames } from './components/words/provider-words.ts'

const signedInMark = 'assize-signed-in'

/** Remembers whether somebody is signed in and in which workspaces, for pages that are shown before the session is known. */
function noteSignedIn(session: SessionView | null): SessionView | null {
  try {
    if (session === null) localStorage.removeItem(signedInMark)
    else localStorage.setItem(signedInMark, session.workspaces.map(({ slug }) => slug).join(' '))
  } catch {
    // If the browser stores nothing, such a page offers to sign in.
  }
  return session
}

export function wasSignedIn(): boolean {
  try {
    return localStorage.getItem(signedInMark) !== null
  } catch {
    return false
  }
}

export function wasIn(workspace: string): boolean {
  try {
    return localStorage.getItem(signedInMark)?.split(' ').includes(workspace) === true
  } catch {
    return false
  }
}

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  // Nobody being signed in is an answer, not a failure.
  queryFn: ({ signal }) =>
    api.get('/session', signal).then(noteSignedIn, error => {
      if (error instanceof ApiFailure && error.status === 401) return noteSignedIn(null)
      throw error
    }),
  staleTime: 60_000,
})

export function useSession(): SessionView | null {
  return useSuspenseQuery(sessionQuery).data
}

const noNames: ProviderNames = {}

export function useProviderNames(): ProviderNames {
  return useQuery(sessionQuery).data?.providerNames ?? noNames
}

export interface Workspace extends WorkspaceView {
  /** A console address in this workspace: `/w/demo/series/ser_1` for `path('/series/:id', { id })`. */
  readonly path: AddressIn
  /** May change series and agreements, and keys. */
  readonly canEdit: boolean
  /** May change people and the workspace. */
  readonly canManage: boolean
}

/** The workspace in the address. The frame shows pages only if there is one. */
export function useWorkspace(): Workspace {
  const { ws } = useParams({ strict: false })
  const session = useQuery(sessionQuery).data
  const found = session?.workspaces.find(each => each.slug === ws)
  const slug = found?.slug ?? ws ?? ''
  const role = found?.role ?? 'viewer'
  return {
    slug,
    name: found?.name ?? slug,
    role,
    path: addressIn(slug),
    canEdit: role === 'owner' || role === 'editor',
    canManage: role === 'owner',
  }
}

/** Answer of a call without identifiers or parameters, under its path: `['w', 'demo', 'sign-offs', 'count']`. */
export function workspaceQuery<P extends ReadInWorkspace>({ slug, path }: Workspace, call: P) {
  return queryOptions({
    queryKey: ['w', slug, ...call.slice(1).split('/')],
    queryFn: ({ signal }) => api.get((path as (call: P) => never)(call), signal) as Promise<ReadAnswer<P>>,
  })
}

export function useRead<P extends ReadInWorkspace>(call: P) {
  return useQuery(workspaceQuery(useWorkspace(), call))
}
