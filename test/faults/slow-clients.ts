// F22: connections of strangers that send nothing, or only half of a request, or read nothing of their answer, many of
// each kind. People who are signed in and programs with a key notice nothing, and the strangers are gone after a while.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpClient, Reply } from '../support/clients/http-client.ts'

/** A server, a person who is signed in there, and a key. */
export interface Crowded {
  readonly client: HttpClient
  readonly slug: string
  readonly cookie: string
  readonly key: string
}

export interface CrowdRun {
  /** Connections of each kind. */
  readonly each: number
  /** Of those that do not read: each fills buffers of the kernel. */
  readonly readers: number
  /** How long the signed-in people work meanwhile. */
  readonly lastingMs: number
  readonly isTimed: boolean
  /** By then every one of them must be cut off; `null`: the test does not wait for it. */
  readonly cutWithinMs: number | null
  readonly say: (line: string) => void
}

export interface CrowdOutcome {
  readonly failures: readonly string[]
  readonly asked: number
  readonly slowestMs: number
  readonly crowd: number
}

interface Stranger {
  readonly kind: string
  readonly socket: Socket
}

/** Signed-in people would notice a wait of that length. */
const noticedMs = 2_000
const everyMs = 20

const page = 'Host: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n'
const forged = () => `Cookie: __Host-assize=${randomBytes(32).toString('base64url')}\r\n`

/** What each kind of stranger sends, and then no more. */
function kindsOf(asset: string): Readonly<Record<string, () => string>> {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
  const post = (path: string, more = '') =>
    `POST ${path} HTTP/1.1\r\n${page}${more}Content-Length: 500\r\n\r\n{"email":"a@b.test"`
  return {
    silent: () => '',
    'half a header': () => 'GET /v1/series HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthoriz',
    'half a sign-in': () => post('/console/sign-in'),
    'half a sign-in with a made-up cookie': () => post('/console/sign-in', forged()),
    'half a set-up': () => post('/console/set-up'),
    'half a body nobody takes': () => post('/docs'),
    'idle after an answer': () => get('/v1/health'),
    reader: () => get(asset).repeat(40) + get('/docs').repeat(10) + get('/openapi.json').repeat(10),
  }
}

export async function crowdServer(crowded: Crowded, run: CrowdRun): Promise<CrowdOutcome> {
  const { client } = crowded
  const strangers: Stranger[] = []
  const people = new People(crowded, run.isTimed)
  await people.ask()
  try {
    const kinds = Object.entries(kindsOf(await findAsset(client)))
    const startedMs = performance.now()
    const asking = people.goOn(() => performance.now() - startedMs < run.lastingMs)
    for (const [kind, words] of kinds) {
      const count = kind === 'reader' ? run.readers : run.each
      for (let i = 0; i < count; i++) {
        strangers.push({ kind, socket: visit(client.port, words(), kind === 'reader') })
        // As fast as they come, but not all of them in one turn of this process: the people are asked from here too.
        if (i % 20 === 19) await sleep(1)
      }
      run.say(`${count} × ${kind}`)
    }
    await asking
    const left = run.cutWithinMs === null ? '' : await waitForCut(strangers, startedMs + run.cutWithinMs, run.say)
    const failures = left === '' ? people.failures : [...people.failures, `strangers are still there: ${left}`]
    return { failures, asked: people.asked, slowestMs: people.slowestMs, crowd: strangers.length }
  } finally {
    for (const { socket } of strangers) socket.destroy()
  }
}

/** The largest file of the pages: what does not fit into the kernel's buffers stays in ours. */
async function findAsset(client: HttpClient): Promise<string> {
  const { text } = await client.ask('/', { headers: { accept: 'text/html' } })
  const paths = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path!)
  const sizes = await Promise.all(paths.map(async path => (await client.ask(path)).body.length))
  return paths[sizes.indexOf(Math.max(...sizes))] ?? '/docs'
}

function visit(port: number, words: string, isReader: boolean): Socket {
  const socket = connect(port, '127.0.0.1', () => {
    if (words !== '') socket.write(words)
  })
  socket.on('error', () => socket.destroy())
  if (!isReader) {
    socket.resume()
    socket.on('end', () => socket.destroy())
    return socket
  }
  // It keeps sending meaningless bytes. A paused socket does not notice that it was cut off; a write to it then
  // fails.
  socket.pause()
  const look = setInterval(() => {
    if (socket.destroyed) clearInterval(look)
    else socket.write('\r\n')
  }, 500)
  look.unref()
  return socket
}

/** Until all of them are, or the time is over; then says who is left. */
async function waitForCut(
  strangers: readonly Stranger[],
  untilMs: number,
  say: (line: string) => void,
): Promise<string> {
  let sayAtMs = 0
  for (;;) {
    const left = Map.groupBy(
      strangers.filter(({ socket }) => !socket.destroyed),
      ({ kind }) => kind,
    )
    const words = [...left].map(([kind, all]) => `${all.length} × ${kind}`).join(', ')
    if (words === '' || performance.now() > untilMs) return words
    if (performance.now() > sayAtMs) {
      say(`not cut yet: ${words}`)
      sayAtMs = performance.now() + 15_000
    }
    await sleep(100)
  }
}

class People {
  readonly #crowded: Crowded
  readonly #isTimed: boolean
  readonly failures: string[] = []
  asked = 0
  slowestMs = 0

  constructor(crowded: Crowded, isTimed: boolean) {
    this.#crowded = crowded
    this.#isTimed = isTimed
  }

  async goOn(isGoing: () => boolean): Promise<void> {
    while (isGoing()) {
      await this.ask()
      await sleep(everyMs)
    }
  }

  async ask(): Promise<void> {
    const { client, slug, cookie, key } = this.#crowded
    const headers = { host: `127.0.0.1:${client.port}`, cookie }
    const asked = [
      client.ask('/console/session', { headers }),
      client.ask(`/console/w/${slug}/series`, { headers }),
      client.ask('/v1/series', { headers: { authorization: `Bearer ${key}` } }),
      client.ask('/v1/health'),
    ]
    for (const reply of await Promise.allSettled(asked)) this.#judge(reply)
  }

  #judge(settled: PromiseSettledResult<Reply>): void {
    this.asked++
    if (settled.status === 'rejected') {
      this.failures.push(`no answer: ${settled.reason}`)
      return
    }
    const { status, text, ms } = settled.value
    this.slowestMs = Math.max(this.slowestMs, ms)
    if (status !== 200) this.failures.push(`${status} ${text.slice(0, 200)}`)
    else if (this.#isTimed && ms > noticedMs) this.failures.push(`an answer after ${Math.round(ms)} ms`)
  }
}
