// A steady rate over loopback, as independent callers send it. Each request has a scheduled moment; its time counts from
// there, whether or not a connection was free, so that a pause of the server counts for all requests during it.
import { performance } from 'node:perf_hooks'
import { Connection } from './connection.ts'
import { type BenchRoute, encodeRequests } from './requests.ts'

const warmUpSeconds = 0.5

/** The 99th percentile in milliseconds; the first half second, in which the connections warm up, is not counted. */
export async function measureSteadily(url: string, route: BenchRoute, rate: number, seconds: number): Promise<number> {
  const generator = new Generator(url, encodeRequests(url, route), rate, seconds)
  const timesMs = await generator.run()
  return timesMs.sort()[Math.floor(timesMs.length * 0.99)]!
}

class Generator {
  readonly #requests: readonly Buffer[]
  readonly #url: string
  readonly #rate: number
  readonly #idle: Connection[] = []
  readonly #total: number
  readonly #notCounted: number
  readonly #timesMs: Float64Array
  #startMs = 0
  #sent = 0
  #answered = 0

  constructor(url: string, requests: readonly Buffer[], rate: number, seconds: number) {
    this.#url = url
    this.#requests = requests
    this.#rate = rate
    this.#notCounted = Math.floor(rate * warmUpSeconds)
    this.#total = this.#notCounted + Math.floor(rate * seconds)
    this.#timesMs = new Float64Array(this.#total - this.#notCounted)
  }

  async run(): Promise<Float64Array> {
    const opened = await Connection.openAll(this.#url)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    for (const connection of opened) {
      connection.onError = reject
      connection.onAnswer = nth => {
        this.#note(nth)
        this.#idle.push(connection)
        this.#sendDue()
        if (this.#answered === this.#total) resolve()
      }
    }
    this.#idle.push(...opened)
    this.#startMs = performance.now()
    const timer = setInterval(() => this.#sendDue(), 1)
    try {
      await promise
    } finally {
      clearInterval(timer)
      for (const connection of opened) connection.close()
    }
    return this.#timesMs
  }

  #momentOf(nth: number): number {
    return this.#startMs + (nth * 1000) / this.#rate
  }

  #sendDue(): void {
    const nowMs = performance.now()
    while (this.#idle.length > 0 && this.#sent < this.#total && this.#momentOf(this.#sent) <= nowMs) {
      // A step that shares no factor with the number of requests, so that neighbours are far apart.
      const request = this.#requests[(this.#sent * 7919) % this.#requests.length]!
      this.#idle.pop()!.send(request, this.#sent++)
    }
  }

  #note(nth: number): void {
    this.#answered++
    if (nth >= this.#notCounted) this.#timesMs[nth - this.#notCounted] = performance.now() - this.#momentOf(nth)
  }
}
