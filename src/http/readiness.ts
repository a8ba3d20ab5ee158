// `/ready`: whether this process can answer requests now, for load balancers. Unlike `/v1/health` it asks the database, but only
// once in a while, however often it is asked; and it answers no as soon as the process is told to stop.
import type { FastifyInstance } from 'fastify'
import type { DatabaseKind } from '../config.ts'
import { limits } from '../limits.ts'

interface Dependency {
  /** `the database`. */
  readonly name: string
  /** Rejects if the service does not answer. */
  readonly ask: () => Promise<unknown>
}

export class Readiness {
  readonly #dependencies: readonly Dependency[]
  readonly database: DatabaseKind
  /** Notes that hinder no answer, in words. */
  readonly notes: () => readonly string[]
  #asked: { readonly atMs: number; readonly troubles: Promise<readonly string[]> } | null = null
  #isStopping = false

  constructor(dependencies: readonly Dependency[], database: DatabaseKind, notes: () => readonly string[]) {
    this.#dependencies = dependencies
    this.database = database
    this.notes = notes
  }

  stop(): void {
    this.#isStopping = true
  }

  /** The problems in words; none if everything answers. */
  async troubles(): Promise<readonly string[]> {
    if (this.#isStopping) return ['the server is being stopped']
    const nowMs = performance.now()
    if (this.#asked === null || nowMs - this.#asked.atMs > limits.readyCachedMs)
      this.#asked = { atMs: nowMs, troubles: askAll(this.#dependencies) }
    return this.#asked.troubles
  }
}

async function askAll(dependencies: readonly Dependency[]): Promise<readonly string[]> {
  const found = await Promise.all(
    dependencies.map(async ({ name, ask }) => ((await answersInTime(ask)) ? [] : [`${name} does not answer`])),
  )
  return found.flat()
}

async function answersInTime(ask: () => Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), limits.readyMs)
  ask().then(
    () => resolve(true),
    () => resolve(false),
  )
  return promise.finally(() => clearTimeout(timer))
}

export function addReadiness(app: FastifyInstance, readiness: Readiness): void {
  app.get('/ready', async (_request, reply) => {
    const troubles = await readiness.troubles()
    reply.header('cache-control', 'no-store')
    const { database } = readiness
    const notes = readiness.notes()
    if (troubles.length === 0)
      return notes.length === 0 ? { status: 'ready', database } : { status: 'ready', database, notes }
    return reply
      .code(503)
      .header('retry-after', '2')
      .send({ error: `not ready: ${troubles.join('; ')}` })
  })
}
