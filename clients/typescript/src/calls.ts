// Calls by the name of their operation: what is asked and answered follows from the descriptions of the API.
import type { Answer, Request, Transport } from './transport.ts'
import { Walk } from './walk.ts'
import { type Operations, routes } from './wire.ts'

export type Operation = keyof Operations
/** The operations that answer with a list. */
export type ListOperation = {
  [O in Operation]: Operations[O] extends { readonly item: unknown } ? O : never
}[Operation]

export type Query<O extends Operation> = Operations[O]['query']
export type AnswerOf<O extends Operation> = Operations[O]['answer']
export type ItemOf<O extends ListOperation> = Operations[O]['item']

/** What every call takes beside its query. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

type Ids<O extends Operation> = Operations[O]['ids']

export class Calls {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async one<O extends Operation>(
    operation: O,
    ids: Ids<O>,
    query: Query<O> | undefined,
    options: CallOptions & Pick<Request, 'body' | 'heldMs'> = {},
  ): Promise<AnswerOf<O>> {
    return (await this.#send(operation, ids, query, options)).value as AnswerOf<O>
  }

  walk<O extends ListOperation>(
    operation: O,
    ids: Ids<O>,
    query: Query<O> | undefined,
    options: CallOptions = {},
  ): Walk<ItemOf<O>, AnswerOf<O>> {
    return new Walk(more => this.#send(operation, ids, { ...query, ...more }, options))
  }

  #send(
    operation: Operation,
    ids: readonly string[],
    query: Request['query'],
    options: CallOptions & Pick<Request, 'body' | 'heldMs'>,
  ): Promise<Answer> {
    const route: { readonly path: string; readonly numbers?: readonly string[] } = routes[operation]
    let at = 0
    const path = route.path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[at++]!))
    return this.#transport.send({ path, query, numbers: route.numbers, ...options })
  }
}
