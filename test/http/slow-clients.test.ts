// Clients whose bytes come one by one (T17): they get a quarter of a minute, except for files of people who are signed
// in. All of them are served at the same time, because each test necessarily takes that long.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { readRaw } from '../support/clients/http-client.ts'
import { problemsOf } from '../support/clients/wire-shapes.ts'
import type { TestConsole } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { UploadHouse } from '../support/houses/upload-house.ts'

let ofApi: Promise<Outcome[]>
let signIn: Promise<Outcome>
let upload: Promise<Outcome>
let byteByByte: Promise<Outcome>
const house = ownHouse(UploadHouse.open)
let console: TestConsole
beforeAll(async () => {
  console = house.console
  const tenant = await console.api.tenant()
  ofApi = Promise.all(clientsOfApi(`Authorization: Bearer ${tenant.key}`).map(sendSlowly))
  signIn = sendSlowly(signingIn)
  upload = sendSlowly(uploading(console))
  byteByByte = sendSlowly(dripping(console))
})

interface SlowClient {
  readonly name: string
  readonly first: string
  readonly pieces: readonly string[]
  readonly everyMs: number
}

interface Outcome {
  readonly name: string
  /** How many pieces were sent. */
  readonly sent: number
  readonly text: string
  readonly isClosed: boolean
  /** A connection that was reset has one. */
  readonly error: Error | null
}

/** When to give up. */
const longestMs = 120_000

/** Until the other side closes. */
async function sendSlowly({ name, first, pieces, everyMs }: SlowClient): Promise<Outcome> {
  let sent = 0
  const chunks: Buffer[] = []
  let error: Error | null = null
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(console.api.client.port, '127.0.0.1', async () => {
    socket.write(first)
    for (const piece of pieces) {
      await sleep(everyMs)
      // What is sent to a connection that is being closed is answered by a reset, which may come before the answer was read.
      if (socket.destroyed || !socket.writable || chunks.length > 0) return
      socket.write(piece)
      sent++
    }
  })
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.once('error', reason => {
    error = reason
  })
  socket.once('close', () => resolve(true))
  void sleep(longestMs, undefined, { ref: false }).then(() => resolve(false))
  const isClosed = await promise
  socket.destroy()
  return { name, sent, text: Buffer.concat(chunks).toString('latin1'), isClosed, error }
}

/** None of them ever makes a whole request. */
function clientsOfApi(authorization: string): SlowClient[] {
  const each = (name: string, first: string, more: string) => {
    return { name, first, pieces: Array<string>(30).fill(more), everyMs: 1_000 }
  }
  return [
    each('headers', 'GET /v1/health HTTP/1.1\r\nHost: x\r\n', 'X: y\r\n'),
    each('nothing at all', '', ''),
    each('the request line', 'GE', ''),
    each('a body', `POST /v1/series HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: 1000\r\n\r\n`, 'x'),
    each(
      'a body outside',
      'POST /none HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
      'x',
    ),
  ]
}

const usual = 'Host: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n'

const signingIn: SlowClient = {
  name: 'signing in',
  first: `POST /console/sign-in HTTP/1.1\r\n${usual}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
  pieces: Array<string>(60).fill('x'),
  everyMs: 500,
}

/** The head of a file that somebody sends who is signed in. */
function headOfFile({ slug, as }: TestConsole, file: string, length: number): string {
  const path = `/console/w/${slug}/series/upload?file=${file}&mode=preview`
  const about = `Cookie: ${as.editor.cookie}\r\nContent-Type: application/octet-stream\r\n`
  return `POST ${path} HTTP/1.1\r\n${usual}${about}Content-Length: ${length}\r\n\r\n`
}

/** Below the least rate. */
function dripping(of: TestConsole): SlowClient {
  const first = headOfFile(of, 'bytes.csv', 500_000)
  return { name: 'a file, byte by byte', first, pieces: Array<string>(400).fill('x'), everyMs: 250 }
}

function uploading(of: TestConsole): SlowClient {
  // Slow, but above the least rate.
  const piece = (n: number) => Array.from({ length: 200 }, (_, i) => `slow-${i},${1990 + n}-01,1${n}\n`).join('')
  const rows = ['series,period,value\n', ...Array.from({ length: 32 }, (_, n) => piece(n))]
  return {
    name: 'a file',
    first: headOfFile(of, 'slow.csv', rows.join('').length),
    pieces: rows,
    everyMs: 500,
  }
}

describe('slow clients', () => {
  test('T17: are cut off within 15 seconds, with an answer in the shape of errors if one is sent', async () => {
    for (const outcome of await ofApi) {
      const { name, sent, text, isClosed } = outcome
      expect([name, isClosed]).toEqual([name, true])
      expect(sent, name).toBeLessThan(16)
      if (text === '') continue
      const answer = readRaw(outcome)
      expect([400, 404, 405, 408], name).toContain(answer.status)
      expect(problemsOf('error', answer.body), name).toEqual([])
    }
  })

  test('are cut off within 15 seconds when they sign in, and told why', async () => {
    const outcome = await signIn
    // A piece that is sent after the answer may find the connection closed.
    expect(outcome.isClosed).toBe(true)
    expect([undefined, 'EPIPE', 'ECONNRESET']).toContain((outcome.error as NodeJS.ErrnoException | null)?.code)
    expect(outcome.sent).toBeLessThan(31)
    expect(readRaw(outcome)).toMatchObject({ status: 408, body: '{"error":"the request did not arrive in time"}' })
  })

  test('may take longer for a file if they are signed in and the bytes keep coming', async () => {
    const outcome = await upload
    expect(outcome).toMatchObject({ isClosed: true, error: null })
    expect(outcome.sent).toBe(33)
    const { status, body } = readRaw(outcome)
    expect(status).toBe(200)
    expect(body).toContain('"stage":"done"')
    expect(body).toContain('"rows":6400')
  })

  test('are cut off with a file that comes byte by byte, told how fast it has to be, and nothing of it is kept', async () => {
    const { isClosed, sent, text } = await byteByByte
    expect([isClosed, sent < 400]).toEqual([true, true])
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text).toContain('at least 40 kB are expected every 10 seconds; nothing of it was kept')
    await upload
    await expect.poll(() => house.keptFiles()).toEqual([])
  })
})
