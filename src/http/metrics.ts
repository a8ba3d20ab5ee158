// Numbers for Prometheus, on a port of their own so that they are never public by accident. Counting costs a request
// next to nothing: plain numbers, turned into text when they are asked for.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Freshness } from '../read/freshness.ts'
import type { Library } from '../read/library.ts'

export interface Metrics {
  readonly answered: (status: number, ms: number) => void
  listen(port: number, host: string): Promise<string>
  close(): Promise<void>
}

const bucketsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 5_000] as const

/** Answers by status, and how long they took. */
class AnswerCounts {
  readonly #byStatus = new Map<number, number>()
  readonly #buckets = new Float64Array(bucketsMs.length + 1)
  #totalMs = 0

  count(status: number, ms: number): void {
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1)
    let place = 0
    while (place < bucketsMs.length && ms > bucketsMs[place]!) place++
    this.#buckets[place]!++
    this.#totalMs += ms
  }

  /** In the text form of Prometheus. */
  text(): string {
    const lines = ['# HELP assize_requests_total Answers by status', '# TYPE assize_requests_total counter']
    for (const [status, count] of this.#byStatus) lines.push(`assize_requests_total{status="${status}"} ${count}`)
    const name = 'assize_request_seconds'
    lines.push(`# HELP ${name} Time from the request line to the answer`, `# TYPE ${name} histogram`)
    let total = 0
    this.#buckets.forEach((count, i) => {
      total += count
      const edge = bucketsMs[i]
      lines.push(`${name}_bucket{le="${edge === undefined ? '+Inf' : edge / 1000}"} ${total}`)
    })
    lines.push(`${name}_sum ${this.#totalMs / 1000}`, `${name}_count ${total}`)
    return `${lines.join('\n')}\n`
  }
}

export function openMetrics(library: Library, freshness: Freshness): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'assize_' })
  const counts = new AnswerCounts()
  gauge(register, 'assize_library_bytes', 'Bytes of series and formulas in memory', () => library.bytes)
  gauge(register, 'assize_library_held', 'Series, formulas and lists in memory', () => library.held)
  gauge(register, 'assize_library_loading', 'Loads from the database under way', () => library.loading)
  gauge(register, 'assize_hearing', '1 while publications are heard from the database', () =>
    freshness.isHearing ? 1 : 0,
  )
  const server = createServer(async (req, res) => {
    if (req.method !== 'GET' || req.url !== '/metrics') {
      res.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"metrics are at /metrics"}')
      return
    }
    res.writeHead(200, { 'content-type': register.contentType }).end(`${await register.metrics()}\n${counts.text()}`)
  })
  return {
    answered: (status, ms) => counts.count(status, ms),
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => resolve(`http://${host}:${(server.address() as AddressInfo).port}/metrics`))
      }),
    close: async () => {
      if (server.listening) await new Promise(resolve => server.close(resolve))
    },
  }
}

function gauge(register: Registry, name: string, help: string, read: () => number): void {
  const made: Gauge = new Gauge({
    name,
    help,
    registers: [register],
    collect() {
      made.set(read())
    },
  })
}
