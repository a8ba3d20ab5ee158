// A route of the console: a call within a workspace (views/calls/calls.ts), its rights and its answer. Routes are data, because
// workers answer them too; console.ts registers them with Fastify, whose hooks check session, role, origin, parameters and body
// before any of them is called.

import type { TObject, TSchema } from 'typebox'
import type { Role } from '../../../core/roles.ts'
import { Type } from '../../../formats/json-schema.ts'
import {
  type AnswerOf,
  type BodyOf,
  type Call,
  closed,
  type Method,
  type ParamsOf,
  type QueryOf,
} from '../../../views/calls/call.ts'
import { type WorkspaceCalls, workspaceCalls } from '../../../views/calls/calls.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import type { ViewContext } from '../../../views/sight/view-parts.ts'
import type { WorkPool } from '../../../workers/pool.ts'
import type { UploadedFile } from './upload-file.ts'

/** Parts that routes work with. */
export interface ConsoleParts extends ViewContext {
  /** Workers for reading files; null inside a worker, which reads them itself. */
  readonly fileReading: WorkPool | null
}

export interface ConsoleRequest {
  readonly seat: Seat
  /** Identifiers in the path. */
  readonly params: Readonly<Record<string, string>>
  /** Declared by the call. */
  readonly query: unknown
  readonly body: unknown
  /** With `takes: 'file'`: receives the whole file, bounded. The caller removes the file. */
  readonly file: (() => Promise<UploadedFile>) | null
  /** Address at which the person's browser sees this server, for links: `https://prices.example`. */
  readonly origin: string
}

/** A request with the types of one call. */
export type ConsoleRequestOf<N extends keyof WorkspaceCalls> = Omit<ConsoleRequest, 'params' | 'query' | 'body'> & {
  readonly params: ParamsOf<N>
  readonly query: QueryOf<WorkspaceCalls[N]>
  readonly body: BodyOf<WorkspaceCalls[N]>
}

/** Parts of an answer with more than 200 and a body, or 204 and none. */
export interface AnswerParts<T = unknown> {
  /** Left out: 200, or 204 without a body. */
  readonly status?: number
  readonly body?: T
  /** In place of `body`: its encoded JSON, or a file of another type. */
  readonly bytes?: Uint8Array
  /** Media type of `bytes`, where it is not JSON: `application/zip`. */
  readonly type?: string
  /**
   * In place of `body`: lines of JSON, sent as they are produced. An error after the first becomes a last line `{
   * error }`.
   */
  readonly lines?: AsyncIterable<T>
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: readonly string[]
}

export class ConsoleAnswer<T = unknown> {
  readonly parts: AnswerParts<T>

  constructor(parts: AnswerParts<T>) {
    this.parts = parts
  }
}

/** Result of an async function without a return. */
type Nothing = Awaited<Promise<void>>

/** Result of a route: its body, nothing if it has none, or an answer with more than that. */
export type Returned<T = unknown> = ([T] extends [undefined] ? Nothing : T) | ConsoleAnswer<T>

export function answerParts(returned: Returned): AnswerParts & { readonly status: number } {
  const parts: AnswerParts = returned instanceof ConsoleAnswer ? returned.parts : { body: returned }
  const isEmpty = parts.body === undefined && parts.bytes === undefined && parts.lines === undefined
  return { status: isEmpty ? 204 : 200, ...parts }
}

/** An answer that the browser saves as a file of this name. */
export function download<T>(name: string, parts: AnswerParts<T>): ConsoleAnswer<T> {
  return new ConsoleAnswer({ ...parts, headers: { 'content-disposition': `attachment; filename="${name}"` } })
}

export const created = <T>(body: T): ConsoleAnswer<T> => new ConsoleAnswer({ status: 201, body })

/** Parts of a route from its call. */
export interface Declared {
  readonly method: Method
  /** Path after `/console` or `/console/w/:workspace`: `/series/:id`. */
  readonly path: string
  /** Schemas under Fastify's names. */
  readonly schema: { readonly querystring: TObject; readonly body?: TSchema }
}

export interface ConsoleRoute extends Declared, RouteRules {
  answer(request: ConsoleRequest): Promise<Returned>
}

export interface RouteRules {
  /** Roles that may make the request; left out, everybody of the workspace. Others get 403 with a sentence. */
  readonly roles?: readonly Role[]
  /** True also for people of a company, whatever their role: the route gives them their own company only. */
  readonly orOfCompany?: true
  /** True for operators of the installation alone, in any role. Others get 403 with a sentence. */
  readonly isForOperators?: true
  readonly takes?: 'file'
  /**
   * True where it is always answered in a worker, because the amount of work is not known in advance. Other routes go there when
   * they turn out too heavy.
   */
  readonly isUnproven?: true
  /** True where it only reads, although sent with POST: a worker may stop it and begin again. */
  readonly changesNothing?: true
}

/** A declared call with its rights and its answer. */
export function route<N extends keyof WorkspaceCalls>(
  name: N,
  rules: RouteRules & {
    /** A `Refusal` it throws is answered with its sentence: not-found 404, conflict 409, invalid 422, unavailable 503 … */
    readonly answer: (request: ConsoleRequestOf<N>) => Promise<Returned<AnswerOf<WorkspaceCalls[N]>>>
  },
): ConsoleRoute {
  return { ...partsOf(name, workspaceCalls[name]), ...rules }
}

const noQuery = Type.Object({}, closed)

export function partsOf(name: string, { body, query = noQuery }: Call): Declared {
  const [method, path] = name.split(' ') as [Method, string]
  return { method, path, schema: { querystring: query, ...(body === undefined ? {} : { body }) } }
}
