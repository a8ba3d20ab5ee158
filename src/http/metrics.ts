// Numbers for Prometheus, on a port of their own so that they are never public by accident.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Freshness } from '../read/freshness.ts'
import type { Library } from '../read/library.ts'

export interface Metrics {
  readonly answered: (status: number, ms: number) => void
  listen(port: number, host: string): Promise<string>
  close(): Promise<void>
}

export function openMetrics(library: Library, freshness: Freshness): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register, prefix: 'assize_' })
  const requests = new Counter({
    name: 'assize_requests_total',
    help: 'Answers by status',
    labelNames: ['status'],
    registers: [register],
  })
  const seconds = new Histogram({
    name: 'assize_request_seconds',
    help: 'Time from the request line to the answer',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [register],
  })
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
    res.writeHead(200, { 'content-type': register.contentType }).end(await register.metrics())
  })
  return {
    answered: (status, ms) => {
      requests.inc({ status })
      seconds.observe(ms / 1000)
    },
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
