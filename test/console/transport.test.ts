// How answers of the console are sent and how requests arrive: lines as they are produced, and the same time limit for
// all clients, except for files of people who are signed in.
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/refusal.ts'
import { sendAnswer } from '../../src/http/console/console-answer.ts'
import { openConsole, type TestConsole } from '../support/console.ts'
import { readRaw } from '../support/http-client.ts'

describe('lines', () => {
  let server: Server
  let lines: AsyncIterable<unknown>
  let failed: unknown
  const broken: unknown[] = []
  beforeAll(async () => {
    server = createServer((req, res) => {
      const onBroken = (error: unknown) => broken.push(error)
      sendAnswer(
        { req, res, requestId: 'one', isSecure: false, isReadOn: false, onBroken },
        { status: 200, lines },
      ).catch(error => {
        failed = error
        res.destroy()
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => new Promise(resolve => server.close(resolve)))

  const ask = () =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ port: (server.address() as AddressInfo).port, agent: false }, resolve).once('error', reject)
    })
  const wholeOf = async (res: IncomingMessage) => {
    const chunks: Buffer[] = []
    for await (const chunk of res) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks).toString()
  }

  it('are sent as they are produced, not when all are ready', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    lines = (async function* () {
      yield { stage: 'reading', rows: 1 }
      await promise
      yield { stage: 'done' }
    })()
    const res = await ask()
    expect(res.headers).toMatchObject({ 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
    const [first] = await new Promise<Buffer[]>(done => res.once('data', chunk => done([chunk])))
    expect(first!.toString()).toBe('{"stage":"reading","rows":1}\n')
    resolve()
    expect(await wholeOf(res)).toBe('{"stage":"done"}\n')
  })

  it('that cannot begin are an error like any other', async () => {
    lines = (async function* () {
      if (Date.now() > 0) throw new Refusal('conflict', 'not now')
      yield {}
    })()
    await expect(ask()).rejects.toThrow()
    expect(failed).toMatchObject({ kind: 'conflict' })
  })

  it('that break off end with one that says so, without internal details', async () => {
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

  it('stop when the client is gone', async () => {
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

interface Sent {
  readonly ms: number
  readonly text: string
}

describe('a body that comes slowly', () => {
  let console: TestConsole
  let cut: Promise<Sent>
  let taken: Promise<Sent>
  beforeAll(async () => {
    console = await openConsole()
    const { slug, as } = console
    const usual = 'Host: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n'
    cut = dribble(
      `POST /console/sign-in HTTP/1.1\r\n${usual}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
      Array<string>(60).fill('x'),
    )
    const rows = ['series,period,value\n', ...Array.from({ length: 32 }, (_, n) => `slow,${1990 + n}-01,1${n}\n`)]
    taken = dribble(
      `POST /console/w/${slug}/series/upload?file=slow.csv&mode=preview HTTP/1.1\r\n${usual}Cookie: ${as.editor.cookie}\r\nContent-Type: application/octet-stream\r\nContent-Length: ${rows.join('').length}\r\n\r\n`,
      rows,
    )
  })
  afterAll(() => console.close())

  /** A piece every half second, until the other side closes. */
  function dribble(head: string, pieces: readonly string[]): Promise<Sent> {
    const startedMs = performance.now()
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = []
      const socket = connect(console.api.client.port, '127.0.0.1', async () => {
        socket.write(head)
        for (const piece of pieces) {
          await sleep(500)
          if (socket.destroyed || !socket.writable) return
          socket.write(piece)
        }
      })
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.once('error', reject)
      socket.once('close', () =>
        resolve({ ms: performance.now() - startedMs, text: Buffer.concat(chunks).toString('latin1') }),
      )
    })
  }

  it('is cut off within 15 seconds', async () => {
    const sent = await cut
    expect(sent.ms).toBeLessThan(15_500)
    expect(readRaw({ ...sent, isClosed: true })).toMatchObject({
      status: 408,
      body: '{"error":"the request did not arrive in time"}',
    })
  })

  it('may take longer if it is a file of a signed-in person', async () => {
    const sent = await taken
    expect(sent.ms).toBeGreaterThan(15_500)
    const { status, body } = readRaw({ ...sent, isClosed: true })
    expect(status).toBe(200)
    expect(body).toContain('"stage":"done"')
    expect(body).toContain('"rows":32')
  })
})
