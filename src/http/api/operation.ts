// What a description says about an API beyond the table that serves it: names for generated clients, sentences, examples.

export interface GuideSection {
  /** The anchor on the page. */
  readonly id: string
  readonly title: string
  /** Markdown. */
  readonly text: string
}

export interface ViewExample {
  /** The `view` that gives it; null for the usual answer. */
  readonly view: string | null
  /** The name of its schema. */
  readonly answer: string
  /** The part after the question mark, for the example request. */
  readonly query: string
}

export interface Operation {
  readonly operationId: string
  readonly tag: string
  /** Markdown. */
  readonly description: string
  /** The usual answer first. */
  readonly views: readonly [ViewExample, ...ViewExample[]]
  /** Whether it is a list, which comes as CSV as well. */
  readonly isList?: boolean
  /** Whether something that the request names may be missing (404), or a cursor may belong to another history (409). */
  readonly mayMiss?: boolean
  readonly mayConflict?: boolean
  /** Other media types that a parameter chooses, each with what it is; and the headers that come with them. */
  readonly files?: Readonly<Record<string, string>>
  readonly headers?: readonly string[]
  /** What is sent, on a route that accepts a body: an example for each media type, and a schema where it is JSON. */
  readonly body?: Readonly<Record<string, { readonly schema: string | null; readonly example: unknown }>>
}

export function usual(answer: string, query = ''): ViewExample {
  return { view: null, answer, query }
}
