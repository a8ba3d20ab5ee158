// What every answer of the console has, on a server of its own with routes that do nothing else.
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addFrame } from '../../src/http/console/frame/frame.ts'
import { RequestLog } from '../../src/http/frame/request-log.ts'
import { Proxies } from '../../src/http/traffic/client-address.ts'
import { eventually } from '../support/houses/api.ts'

const app = fastify({ logger: false })
const told: object[] = []
const tell = (facts: object) => void told.push(facts)
const log = new RequestLog({ debug: tell, info: tell, warn: tell, error: tell }, true, () => {})
const begun = Promise.withResolvers<void>()
beforeAll(async () => {
  await app.register(async scope => {
    addFrame(scope, { proxies: new Proxies(null), log })
    scope.get('/left', async ({ socket }) => {
      begun.resolve()
      await once(socket, 'close')
      return { done: true }
    })
    scope.get('/long', async () => ({ text: 'long '.repeat(1_000) }))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

const ask = (path: string, method = 'GET'): ClientRequest => {
  const { port } = app.server.address() as AddressInfo
  return request({ port, path, method, agent: false, headers: { 'accept-encoding': 'gzip' } }).end()
}

test('a request whose client left before its answer is in the log with what it was answered', async () => {
  const asked = ask('/left').on('error', () => {})
  await begun.promise
  asked.destroy()
  const lines = await eventually(
    async () => told.filter(facts => 'path' in facts && facts.path === '/left'),
    found => found.length > 0,
  )
  expect(lines).toEqual([expect.objectContaining({ path: '/left', status: 200 })])
})

test('HEAD is answered as GET is, with the length of the compressed body and without the body', async () => {
  const [got, headed] = await Promise.all(
    ['GET', 'HEAD'].map(
      method =>
        new Promise<readonly [unknown, number]>((resolve, reject) => {
          const asked = ask('/long', method).once('error', reject)
          asked.once('response', async response => {
            const { date: _date, ...headers } = response.headers
            let bytes = 0
            for await (const chunk of response) bytes += (chunk as Buffer).length
            resolve([headers, bytes])
          })
        }),
    ),
  )
  expect(headed).toEqual([got![0], 0])
  expect(got![0]).toMatchObject({ 'content-encoding': 'gzip', 'content-length': got![1].toString() })
})
