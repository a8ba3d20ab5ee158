// Traces with a real SDK that is preloaded by the file of the guide: `bin/assize.js serve` sends them to a collector on a socket, as the tree
// of what happened, with nothing in them that is a secret. Without an SDK nothing of OpenTelemetry is there.
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTraced, traced } from '../../src/tracing/spans.ts'
import { processEnv } from '../support/clients/command-output.ts'
import { openApi, ownFolder, testSecret } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'
import { openTestDatabase, urlOf } from '../support/run/postgres.ts'
import { attribute, type Collector, openCollector, wayTo } from './collector.ts'

const api = ownHouse(async () => openApi(await openTestDatabase()))
const at = (path: string) => new URL(`../../${path}`, import.meta.url)

let collector: Collector
let server: ChildProcess
let address: string
beforeAll(async () => {
  collector = await openCollector()
  const env = {
    ...processEnv,
    ...ownFolder(),
    DATABASE_URL: urlOf(api.target),
    ASSIZE_SECRET: testSecret,
    PORT: '0',
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import ${at('docs/operating/traces.mjs').href}`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.address,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  }
  const words = [fileURLToPath(at('bin/assize.js')), 'serve', '--json']
  server = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: server.stdout! })) {
    const found = /"address": *"([^"]+)"/.exec(line)
    if (found === null) continue
    address = found[1]!
    break
  }
})
afterAll(async () => {
  server?.kill('SIGKILL')
  await collector?.close()
})

describe('a server with a preloaded SDK', () => {
  test('sends a request, the thread it went to and the database it asked as one tree, under the trace of the caller', async () => {
    const tenant = await api.tenant()
    await tenant.import(steelTable)
    const { id } = await tenant.apply(steelDocument())
    const traceId = 'ab'.repeat(16)
    const headers = { ...tenant.authorization, traceparent: `00-${traceId}-${'cd'.repeat(8)}-01` }
    const reply = await fetch(`${address}/ext/v1/pams/${id}/readings?period=2024-Q2`, { headers })
    expect(reply.status).toBe(200)
    const ofTrace = () => collector.spans.filter(span => span.traceId === traceId)
    await collector.until(() => {
      const names = ofTrace().map(({ name }) => name)
      return names.includes('worker') && names.some(name => name.startsWith('GET '))
    })
    const spans = ofTrace()
    const request = spans.find(({ parentSpanId }) => parentSpanId === 'cd'.repeat(8))!
    expect(request.name).toBe('GET /ext/v1/pams/{pamId}/readings')
    expect(attribute(request, 'http.request.method')).toBe('GET')
    expect(attribute(request, 'url.path')).toBe('/ext/v1/pams/{pamId}/readings')
    expect(attribute(request, 'http.response.status_code')).toBe('200')
    const inside = spans.filter(span => wayTo(span, spans).slice(0, 3).join(' > ') === `${request.name} > job > worker`)
    const database = inside.filter(span => attribute(span, 'db.system.name') === 'postgresql')
    expect(database.map(({ name }) => name)).toEqual(expect.arrayContaining(['transaction', 'SELECT']))
    // The key, the agreement and the query are nowhere.
    const sent = collector.bodies.join('\n')
    for (const secret of [tenant.key, id, tenant.id, 'period=2024-Q2', '2024-Q2']) expect(sent).not.toContain(secret)
  })

  test('makes no trace of what it does by itself with the database', () => {
    const begun = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '')
    expect(begun.filter(span => attribute(span, 'db.system.name') !== undefined)).toEqual([])
  })
})

test('without an SDK work is called as it is, and nothing of OpenTelemetry is registered', async () => {
  expect(isTraced).toBe(false)
  expect(Symbol.for('opentelemetry.js.api.1') in globalThis).toBe(false)
  expect(await traced({ name: 'work', kind: 'internal' }, async () => 7)).toBe(7)
})
