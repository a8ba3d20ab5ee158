// The console calls as the pages make them. The type of an address carries its path, and with it the types of request and answer:
// a field that is not declared does not compile.
import type { AnswerOf, BodyOf, Method, ParamsOf, QueryOf } from '../src/views/calls/call.ts'
import type { PublicCalls, WorkspaceCalls } from '../src/views/calls/calls.ts'

/** Calls under `/console`, by method and path. */
type Calls = PublicCalls & { readonly [Name in keyof WorkspaceCalls as InWorkspace<Name>]: WorkspaceCalls[Name] }

type InWorkspace<Name> = Name extends `${infer M} ${infer Path}` ? `${M} /w/:workspace${Path}` : never
type PathIn<Names, M extends Method> = Names extends `${M} ${infer Path}` ? Path : never

/** `/session`, `/w/:workspace/series/:id`. */
type Path<M extends Method = Method> = PathIn<keyof Calls, M>
/** Path under the workspace: `/series/:id`. */
type WorkspacePath = PathIn<keyof WorkspaceCalls, Method>

type CallAt<M extends Method, P extends string> = `${M} ${P}` extends keyof Calls
  ? Calls[`${M} ${P}`]
  : Record<never, never>

type AnswerAt<M extends Method, P extends string> = AnswerOf<CallAt<M, P>>

/** A call without a body sends an empty object. */
type SentTo<M extends Method, P extends string> =
  BodyOf<CallAt<M, P>> extends undefined ? Readonly<Record<string, never>> : BodyOf<CallAt<M, P>>

/** Path that can be read in a workspace: `/series`. */
export type ReadInWorkspace = PathIn<keyof WorkspaceCalls, 'GET'>
export type ReadAnswer<P extends ReadInWorkspace> = AnswerAt<'GET', `/w/:workspace${P}`>

declare const madeFrom: unique symbol

/** An address under `/console`, with its identifiers and parameters filled in. */
export type Address<P extends string> = string & { readonly [madeFrom]: P }

/** Address of a request: one made by `at`, or a path without identifiers. */
type CallAddress<P extends string> = Address<P> | (P extends `${string}:${string}` ? never : P)

/** Only reads and file uploads have query parameters. */
type QueryAt<P extends string> = QueryOf<CallAt<'GET', P>> & QueryOf<CallAt<'POST', P>>

/** An optional parameter may also be undefined. */
type Lenient<T> = {
  readonly [Name in keyof T]: Record<never, never> extends Pick<T, Name> ? T[Name] | undefined : T[Name]
}

/** The identifiers in a path and its query parameters. */
type CallParams<P extends string, InPath extends string> = ParamsOf<InPath> & Lenient<QueryAt<P>>

/** Optional if nothing is required. */
type CallInput<P extends string, InPath extends string = P> =
  Record<never, never> extends CallParams<P, InPath> ? [given?: CallParams<P, InPath>] : [given: CallParams<P, InPath>]

/** Makes an address in one workspace. */
export type AddressIn = <P extends WorkspacePath>(
  path: P,
  ...given: CallInput<`/w/:workspace${P}`, P>
) => Address<`/w/:workspace${P}`>

export interface Api {
  get<P extends Path<'GET'>>(address: CallAddress<P>, signal?: AbortSignal): Promise<AnswerAt<'GET', P>>
  post<P extends Path<'POST'>>(
    address: CallAddress<P>,
    body: SentTo<'POST', P>,
    signal?: AbortSignal,
  ): Promise<AnswerAt<'POST', P>>
  patch<P extends Path<'PATCH'>>(address: CallAddress<P>, body: SentTo<'PATCH', P>): Promise<AnswerAt<'PATCH', P>>
  delete<P extends Path<'DELETE'>>(address: CallAddress<P>): Promise<AnswerAt<'DELETE', P>>
}

/** Makes an address outside any workspace. */
export function at<P extends Path>(path: P, ...[given]: CallInput<P>): Address<P> {
  return formatAddress(path, given) as Address<P>
}

export function addressIn(workspace: string): AddressIn {
  return (path, ...[given]) => formatAddress(`/w/:workspace${path}`, { workspace, ...given }) as never
}

function formatAddress(path: string, given: object = {}): string {
  const values = new Map(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])),
  )
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values.get(name) ?? ''
    values.delete(name)
    return encodeURIComponent(value)
  })
  return values.size === 0 ? filled : `${filled}?${new URLSearchParams([...values])}`
}
