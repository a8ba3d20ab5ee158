// How answers of the console are sent line by line, as they are produced.
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '../../src/core/refusal.ts'
import { failureAnswer } from '../../src/http/console/frame/failure.ts'
import { ConsoleAnswer } from '../../src/http/console/frame/route.ts'
import { sendAnswer } from '../../src/http/console/frame/send-answer.ts'

describe('lines', () => {
  const app = fastify({ logger: false })
  let lines: AsyncIterable<unknown>
  const broken: unknown[] = []
  beforeAll(async () => {
    const failed = (error: unknown) => {
      broken.push(error)
      return failureAnswer(error)
    }
    app.get('/', (_request, reply) => sendAnswer(reply, new ConsoleAnswer({ lines }), failed))
    app.setErrorHandler((error, _request, reply) => {
      const { status, body } = failureAnswer(error)
      reply.code(status).send(body)
    })
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.close())

  const ask = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ port: (app.server.address() as AddressInfo).port, agent: false }, resolve).once('error', reject)
    })
  const wholeOf = async (res: IncomingMessage) => {
    const chunks: Buffer[] = []
    for await (const chunk of res) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }

  test('are sent as they are produced, not when all are ready', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    lines = (async function* () {
      yield { stage: 'reading', rows: 1 }
      await promise
      yield { stage: 'done' }
    })()
    const res = await ask()
    expect(res.headers).toMatchObject({ 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' })
    const [first] = await new Promise<Buffer[]>(done => res.once('data', chunk => done([chunk])))
    expect(first!.toString()).toBe('{"stage":"reading","rows":1}\n')
    resolve()
    expect(await wholeOf(res)).toBe('{"stage":"done"}\n')
  })

  test('that cannot begin are an error like any other', async () => {
    lines = (async function* () {
      if (Date.now() > 0) throw new Refusal('conflict', 'not now')
      yield {}
    })()
    const res = await ask()
    expect([res.statusCode, await wholeOf(res)]).toEqual([409, '{"error":"not now"}'])
  })

  test('that break off end with one that says so, without internal details', async () => {
    for (const [error, sentence] of [
      [new Refusal('unavailable', 'come again'), 'come again'],
      [new Error('secret detail'), 'something went wrong on our side; try again with exponential backoff'],
    ] as const) {
      lines = (async function* () {
        yield { stage: 'reading' }
        throw error
      })()
      expect(await wholeOf(await ask())).toBe(`{"stage":"reading"}\n${JSON.stringify({ error: sentence })}\n`)
      expect(broken.at(-1)).toBe(error)
    }
  })

  test('stop when the client is gone', async () => {
    const { promise: isOver, resolve } = Promise.withResolvers<string>()
    lines = (async function* () {
      try {
        for (;;) {
          yield { text: 'x'.repeat(10_000) }
          await sleep(1)
        }
      } finally {
        resolve('over')
      }
    })()
    const res = await ask()
    res.destroy()
    expect(await isOver).toBe('over')
  })
})
