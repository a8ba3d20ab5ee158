// A call of the console: the request and the answer of a page, declared once. The server checks requests by it and types its routes
// by it (http/console/frame/route.ts), the pages type their requests by it (web/api.ts). The calls are in the files named
// `…-calls.ts`.
import type { Static, TObject, TSchema } from 'typebox'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Carries the type of an answer. It is empty at run time. */
export interface Answered<T> {
  readonly of?: T
}

export function answers<T>(): Answered<T> {
  return {}
}

/** Answer without a body: 204. */
export const nothing: Answered<undefined> = {}

export interface Call {
  /** JSON body of the request. */
  readonly body?: TSchema
  /** Query parameters of the address: texts and whole numbers. Others are refused. */
  readonly query?: TObject
  readonly answer: Answered<unknown>
}

/** Keys are method and path: `POST /people/:id/link`. */
export type Calls = Readonly<Record<`${Method} /${string}`, Call>>

/** Only declared properties are allowed. */
export const closed = { additionalProperties: false } as const

/** The type that a schema accepts, read-only. */
export type Sent<S extends TSchema> = Frozen<Static<S>>

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Frozen<T[Name]> }
    : T

export type BodyOf<C> = C extends { readonly body: infer S extends TSchema } ? Sent<S> : undefined
export type QueryOf<C> = C extends { readonly query: infer S extends TSchema } ? Sent<S> : NoNames
export type AnswerOf<C> = C extends { readonly answer: Answered<infer T> } ? T : never

/** The identifiers in a path: `{ id }` for `/people/:id/link`. */
export type ParamsOf<Path extends string> = { readonly [Name in ParamNames<Path>]: string }

type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Further}`
    ? Name | ParamNames<`/${Further}`>
    : Rest
  : never

type NoNames = Readonly<Record<never, never>>
