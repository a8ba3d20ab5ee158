// The description of an API, and the OpenAPI document made from it.
import type { TSchema } from 'typebox'
import type { GuideSection, Operation } from './operation.ts'
import type { Route } from './route.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface DescribedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example: unknown
}

export interface DescribedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters: readonly (DescribedParameter | { readonly $ref: string })[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: object
  readonly servers: readonly object[]
  readonly security: readonly object[]
  readonly tags: readonly Tag[]
  /** A route that accepts a body has `post` in place of `get`; OpenAPI 3.1 does not know the method QUERY. */
  readonly paths: Readonly<Record<string, { readonly get: DescribedOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly [part: string]: object
  }
}

interface Tag {
  readonly name: string
  readonly description: string
}

/** Parts of a description. */
export interface ApiDescription {
  readonly title: string
  readonly version: string
  readonly summary: string
  readonly guide: readonly GuideSection[]
  /** Short address first. */
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly Tag[]
  readonly routes: readonly Route[]
  /** Operations by path. */
  readonly operations: Readonly<Record<string, Operation>>
  /** Identifiers in paths: description and example. */
  readonly pathParameters: Readonly<Record<string, { readonly description: string; readonly example: string }>>
  readonly schemas: Readonly<Record<string, TSchema>>
  readonly examples: Readonly<Record<string, unknown>>
  readonly health: (Operation & { readonly path: string; readonly summary: string }) | null
  readonly security: readonly object[]
  /** Whether the scope of a key decides which routes there are. */
  readonly namesScopes: boolean
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly headers: Readonly<Record<string, object>>
  readonly responses: Readonly<Record<string, object>>
  /** Paths whose pages are linked in a header. */
  readonly isLinked: (path: string) => boolean
}
