// Traces, from a request over HTTP to what a collector on a socket receives: they form the tree of what happened, say nothing that is
// a secret, and cost nobody an answer. Without a collector nothing of them exists.
import { tracingChannel } from 'node:diagnostics_channel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { follow } from '../../src/ingest/follow.ts'
import { Exporter } from '../../src/tracing/exporter.ts'
import type { EndedSpan } from '../../src/tracing/span.ts'
import { Tracer } from '../../src/tracing/tracer.ts'
import { tracingLimits } from '../../src/tracing/tracing-limits.ts'
import { ingestAt } from '../ingest/support.ts'
import { startStandIn } from '../stand-in/stand-in.ts'
import { openApi } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'
import { attribute, type Collector, openCollector, wayTo } from './collector.ts'
import { loadedWith } from './loaded-modules.ts'

const channels = ['job', 'work', 'transaction', 'statement', 'refresh', 'fetch', 'publication']
const heard = () => channels.filter(name => tracingChannel(`assize:${name}`).hasSubscribers)

let collector: Collector
beforeAll(async () => {
  collector = await openCollector()
})
afterAll(() => collector.close())

describe('a server with a collector', () => {
  const api = ownHouse(async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.address, OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=our%20house' }
    return openApi(await openTestDatabase(), { env })
  })

  test('sends a request, the worker it went to and the database it asked as one tree, under the trace of the caller', async () => {
    const tenant = await api.tenant()
    await tenant.import(steelTable)
    const { id } = await tenant.apply(steelDocument())
    const traceId = 'ab'.repeat(16)
    const traceparent = `00-${traceId}-${'cd'.repeat(8)}-01`
    const secretQuery = 'period=2024-Q2'
    const reply = await tenant.ext(`/pams/${id}/readings?${secretQuery}`, { headers: { traceparent } })
    expect(reply.status).toBe(200)
    const ofTrace = () => collector.spans.filter(span => span.traceId === traceId)
    await collector.until(() => {
      const names = ofTrace().map(({ name }) => name)
      return names.includes('worker') && names.some(name => name.startsWith('GET '))
    })
    const spans = ofTrace()
    const server = spans.find(({ kind }) => kind === 2)!
    expect(server).toMatchObject({ name: 'GET /ext/v1/pams/{pamId}/readings', parentSpanId: 'cd'.repeat(8) })
    expect(attribute(server, 'http.request.method')).toBe('GET')
    expect(attribute(server, 'url.path')).toBe('/ext/v1/pams/{pamId}/readings')
    expect(attribute(server, 'http.response.status_code')).toBe('200')
    const inside = spans.filter(span => wayTo(span, spans).slice(0, 3).join(' > ') === `${server.name} > job > worker`)
    const database = inside.filter(span => attribute(span, 'db.system.name') === 'postgresql')
    expect(database.map(({ name }) => name)).toEqual(expect.arrayContaining(['transaction', 'SELECT']))
    for (const { startTimeUnixNano: from, endTimeUnixNano: to } of spans) expect(BigInt(from) <= BigInt(to)).toBe(true)
    // What was asked, with which key and about which agreement is nowhere in it.
    const sent = collector.bodies.join('\n')
    for (const secret of [tenant.key, id, tenant.id, secretQuery, '2024-Q2', 'x-tenant'])
      expect(sent).not.toContain(secret)
    expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'our house', 'content-type': 'application/json' })
  })

  test('follows a caller who wants no trace, and answers as quickly whether its collector answers or not', async () => {
    const tenant = await api.tenant()
    const untraced = 'ef'.repeat(16)
    await tenant.get('/series', { headers: { traceparent: `00-${untraced}-${'cd'.repeat(8)}-00` } })
    collector.status = null
    const traced = '12'.repeat(16)
    const headers = { traceparent: `00-${traced}-${'cd'.repeat(8)}-01` }
    expect((await tenant.get('/series', { headers })).status).toBe(200)
    collector.status = 200
    await collector.until(spans => spans.some(({ traceId }) => traceId === traced))
    expect(collector.spans.filter(({ traceId }) => traceId === untraced)).toEqual([])
  })

  test('makes no trace of what it does by itself', async () => {
    const begun = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined)
    expect(begun.filter(span => attribute(span, 'db.system.name') !== undefined)).toEqual([])
  })

  test('stops telling when it stops', async () => {
    expect(heard()).toEqual(channels)
    await api.stop()
    expect(heard()).toEqual([])
    await api.start()
  })
})

test('a question to a provider and what is published of its answer are one tree', async () => {
  const db = await openTestDatabase()
  const standIn = await startStandIn({ at: '2026-06-15' })
  const ingest = ingestAt(db, standIn, { sleep: async () => {} })
  const spans: EndedSpan[] = []
  const tracer = new Tracer({ followsParent: true, perBillion: 1_000_000_000 }, span => spans.push(span))
  try {
    const [series] = standIn.seriesOf('ECB')
    await follow(ingest, (await makeWorkspace(db)).id, [`ECB/${series!.code}`])
  } finally {
    tracer.stop()
    await ingest.close()
    await standIn.close()
    await db.close()
  }
  const root = spans.find(({ name }) => name === 'refresh')!
  const children = spans.filter(({ parentId }) => parentId === root.spanId).map(({ name }) => name)
  expect(children).toContain('fetch GET')
  const publication = spans.find(({ name }) => name === 'publication')!
  const question = spans.find(({ spanId }) => spanId === publication.parentId)!
  expect([question.name, question.parentId]).toEqual(['fetch GET', root.spanId])
  expect(spans.filter(({ parentId }) => parentId === publication.spanId).map(({ name }) => name)).toContain(
    'transaction',
  )
  expect(publication.attributes).toEqual({ 'assize.provider': 'ECB' })
})

const ended: EndedSpan = {
  ...{ traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), parentId: null, isSampled: true, kind: 1, name: 'x' },
  ...{ startedMs: 1, endedMs: 2, hasFailed: false, attributes: {} },
}
const settings = {
  url: 'http://127.0.0.1:1',
  headers: {},
  serviceName: 'x',
  sampler: { followsParent: true, perBillion: 1_000_000_000 },
}

test('what does not fit into the queue is dropped and counted', async () => {
  const exporter = new Exporter(settings, async () => Promise.reject(new Error('away')), { warn() {} }, 3_600_000)
  for (let i = 0; i < tracingLimits.waiting + 7; i++) exporter.add(ended)
  expect([exporter.waiting, exporter.dropped]).toEqual([tracingLimits.waiting, 7])
  await exporter.stop()
  expect([exporter.waiting, exporter.sent, exporter.dropped]).toEqual([0, 0, tracingLimits.waiting + 7])
})

test('without a collector nothing listens, and nothing of traces is loaded', () => {
  expect(readConfig({}).config!.traces).toBeNull()
  expect(heard()).toEqual([])
  // What the server is made of, followed from its root through every import that is no dynamic one.
  const roots = ['main', 'worker', 'cli/installation/serve', 'cli/installation/timetable-inside']
  const loaded = loadedWith(roots.map(root => new URL(`../../src/${root}.ts`, import.meta.url)))
  expect(loaded.some(name => name.endsWith('src/main.ts'))).toBe(true)
  expect(loaded.filter(name => name.includes('/tracing/'))).toEqual([])
})

test('the variables of OpenTelemetry are read as it means them, and mistakes are told without secrets', () => {
  const read = (env: Record<string, string>) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', ...env })
  expect(read({}).config!.traces).toEqual({
    ...{ url: 'http://collector:4318/v1/traces', headers: {}, serviceName: 'assize' },
    sampler: { followsParent: true, perBillion: 1_000_000_000 },
  })
  const some = read({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' })
  expect(some.config!.traces!.sampler).toEqual({ followsParent: true, perBillion: 250_000_000 })
  expect(read({ OTEL_TRACES_SAMPLER: 'always_off' }).config!.traces!.sampler).toEqual({
    followsParent: false,
    perBillion: 0,
  })
  const wrong = read({
    OTEL_TRACES_SAMPLER_ARG: '2',
    OTEL_TRACES_SAMPLER: 'some',
    OTEL_EXPORTER_OTLP_HEADERS: 'secret',
  })
  expect(wrong.mistakes).toHaveLength(3)
  expect(wrong.mistakes.join()).not.toContain('secret')
})
