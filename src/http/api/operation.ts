// Parts of a description beyond the table that serves an API: names for generated clients, sentences, examples.

export interface GuideSection {
  /** Anchor on the page. */
  readonly id: string
  readonly title: string
  /** Markdown. */
  readonly text: string
}

export interface ViewExample {
  /** `view` with this answer; null for the usual one. */
  readonly view: string | null
  /** Name of its schema. */
  readonly answer: string
  /** Query of the example request, after the question mark. */
  readonly query: string
}

export interface Operation {
  readonly operationId: string
  readonly tag: string
  /** Markdown. */
  readonly description: string
  /** Views, the usual answer first. */
  readonly views: readonly [ViewExample, ...ViewExample[]]
  /** Whether the answer is a list, which comes as CSV as well. */
  readonly isList?: boolean
  /** Whether a named thing may be missing (404), or a cursor may belong to another history (409). */
  readonly mayMiss?: boolean
  readonly mayConflict?: boolean
  /** Other media types that a parameter chooses, with descriptions; and the headers that come with them. */
  readonly files?: Readonly<Record<string, string>>
  readonly headers?: readonly string[]
  /** Body, on a route that accepts one: an example for each media type, and a schema where it is JSON. */
  readonly body?: Readonly<Record<string, { readonly schema: string | null; readonly example: unknown }>>
}

export function usual(answer: string, query = ''): ViewExample {
  return { view: null, answer, query }
}
