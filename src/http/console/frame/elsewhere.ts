// Console routes for a worker: their encoding on the way there and back. The answer is already encoded, so the main thread only
// passes it on.
import { TooHeavyHere } from '../../../core/numbers/work-budget.ts'
import type { WorkPool } from '../../../workers/pool.ts'
import { isForTheLog } from '../../frame/errors.ts'
import type { LeavePlace } from '../../traffic/fair-places.ts'
import { failureAnswer } from './failure.ts'
import {
  type AnswerParts,
  answerParts,
  ConsoleAnswer,
  type ConsoleParts,
  type ConsoleRequest,
  type ConsoleRoute,
  type Returned,
} from './route.ts'

export interface ConsoleJob extends Omit<ConsoleRequest, 'file'> {
  readonly kind: 'console'
  /** `POST /agreements/preview` */
  readonly route: string
}

/** The answer from a worker, without a body that would have to be encoded. */
type EncodedAnswer = Pick<AnswerParts, 'status' | 'bytes' | 'type' | 'headers'>

function nameOf({ method, path }: ConsoleRoute): string {
  return `${method} ${path}`
}

interface Somewhere extends Pick<ConsoleParts, 'catchUp'> {
  readonly computing: WorkPool
  /** Leaves the place on this thread: a request that waits for a worker needs none here. */
  readonly leave: LeavePlace
}

/** Answers on this thread if it is little work; in a worker if it is not, or if that is not known. */
export async function answerSomewhere(
  { computing, catchUp, leave }: Somewhere,
  route: ConsoleRoute,
  request: ConsoleRequest,
): Promise<Returned> {
  if (route.isUnproven !== true) {
    try {
      return await route.answer(request)
    } catch (error) {
      if (!(error instanceof TooHeavyHere)) throw error
    }
  }
  leave()
  const { file: _file, ...asked } = request
  const job: ConsoleJob = { kind: 'console', route: nameOf(route), ...asked }
  const owner = { workspace: asked.seat.workspace.id, person: asked.seat.person.id }
  const changesNothing = route.method === 'GET' || route.changesNothing === true
  const running = computing.run<EncodedAnswer>(owner, job, { length: changesNothing ? 'unknown' : 'long' })
  const encoded = await running.result
  // Waits until this thread sees the worker's changes.
  if (route.method !== 'GET') await catchUp()
  return new ConsoleAnswer(encoded)
}

/** The console routes inside a worker, over its own data. */
export class RoutesInside {
  readonly #routes: ReadonlyMap<string, ConsoleRoute>

  constructor(routes: readonly ConsoleRoute[]) {
    this.#routes = new Map(routes.map(route => [nameOf(route), route]))
  }

  async answer({ route, ...request }: ConsoleJob): Promise<EncodedAnswer> {
    try {
      return encode(answerParts(await this.#routes.get(route)!.answer({ ...request, file: null })))
    } catch (error) {
      const failure = failureAnswer(error)
      // An error for the log goes back as it is, to where the request is known.
      if (isForTheLog(error, failure.status)) throw error
      return encode(failure)
    }
  }
}

function encode({ body, ...parts }: AnswerParts): EncodedAnswer {
  return body === undefined ? parts : { ...parts, bytes: new TextEncoder().encode(JSON.stringify(body)) }
}
