// F24: two hostile workspaces beside a quiet one, on one server. They send files and bodies byte by byte, save documents
// that take long, check tables with very wide headers, and hold polls that are all woken together, each as often as it
// is let. The quiet one reads, previews, saves, imports, checks and polls meanwhile: everything of it is answered, and
// nothing refused. What the hostile ones are answered does not matter.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { renameWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { slowDocuments } from '../support/agreements/slow-documents.ts'
import { HttpClient, type Reply } from '../support/clients/http-client.ts'
import type { Api } from '../support/houses/api.ts'
import { Browser, makeSeats, type Seats } from '../support/houses/console.ts'
import type { LongRun } from '../support/run/long-form.ts'

export interface PoolsOutcome {
  readonly failures: readonly string[]
  /** Answers to the quiet one. */
  readonly answered: number
  /** Answers to the hostile ones, by status. */
  readonly hostile: ReadonlyMap<number, number>
}

/** As many as a page sends at once, and one more than fits into what an earlier version let wait. */
const together = 24
const slowFilesEach = 4
const slowBodiesEach = 12
const heavyAtOnce = 12
const wideAtOnce = 6

export async function ownThePools(api: Api, { rounds, say }: LongRun): Promise<PoolsOutcome> {
  const quiet = await QuietSide.open(api)
  const sides = await Promise.all(['first-', 'second-'].map(prefix => HostileSide.open(api, prefix)))
  const hostile = new Map<number, number>()
  const attacks = sides.map(side => side.begin(status => hostile.set(status, (hostile.get(status) ?? 0) + 1)))
  try {
    // Until what can be owned is owned.
    while ((hostile.get(0) ?? 0) < 2) await sleep(20)
    for (let round = 0; round < rounds; round++) {
      await quiet.round(round, async () => {
        for (const side of sides) await side.wakePolls(round)
      })
      if (round % 20 === 0) say(`${quiet.answered} answers to the quiet one`)
    }
  } finally {
    for (const side of sides) side.end()
    await Promise.all(attacks)
  }
  return { failures: quiet.failures, answered: quiet.answered, hostile }
}

class QuietSide {
  readonly #seats: Seats
  readonly #key: string
  readonly #client: HttpClient
  readonly failures: string[] = []
  answered = 0

  private constructor(seats: Seats, key: string, client: HttpClient) {
    this.#seats = seats
    this.#key = key
    this.#client = client
  }

  static async open(api: Api): Promise<QuietSide> {
    const seats = await makeSeats(api, 'quiet-')
    await seats.tenant.import(bracketsTable)
    await seats.tenant.apply(bracketsDocument())
    const { key } = await api.issueKey(seats.tenant.id, null, 'quiet', 'money')
    return new QuietSide(seats, key, api.client)
  }

  /** Everything a workspace does in a day, all of it at once; `between` happens while it holds a poll. */
  async round(round: number, between: () => Promise<void>): Promise<void> {
    const { editor, viewer, owner } = this.#seats.as
    const text = bracketsDocument({ name: `Brackets ${round}` })
    const cursor = await this.#cursor()
    const poll = this.#ext(`/changes?wait=20&cursor=${cursor}`)
    await between()
    const asked: Promise<Reply>[] = [
      ...Array.from({ length: together }, () => viewer.post('/agreements/preview', { text, against: null })),
      editor.post('/agreements', { text, basedOn: 1 }),
      owner.upload('/series/upload?file=a.csv&mode=preview', bracketsTable),
      editor.upload(
        '/series/upload?file=a.csv&mode=import',
        `series,period,value\nCUSTOM/quiet,2024-01,${round}\nCUSTOM/quiet,2024-02,1\n`,
      ),
      ...['/agreements', '/overview', '/series'].map(path => owner.get(path)),
      ...['/pams', '/series', '/pams/brackets/values'].map(path => this.#seats.tenant.get(path)),
      this.#ext('/check', 'agreement,invoice,supplier\n'),
    ]
    for (const reply of await Promise.all(asked)) this.#judge(reply)
    this.#judge(await poll)
  }

  async #cursor(): Promise<string> {
    const reply = await this.#ext('/changes')
    this.#judge(reply)
    return (JSON.parse(reply.text) as { pagination: { nextCursor: string } }).pagination.nextCursor
  }

  #ext(path: string, table: string | null = null): Promise<Reply> {
    const headers = { authorization: `Bearer ${this.#key}` }
    if (table === null) return this.#client.ask(`/ext/v1${path}`, { headers })
    return this.#client.ask(`/ext/v1${path}`, {
      method: 'POST',
      body: table,
      headers: { ...headers, 'content-type': 'text/csv' },
    })
  }

  /** A table without the needed columns is answered with 400 and their names: that is an answer. */
  #judge({ status, text }: Reply): void {
    this.answered++
    const isAnswer = status < 300 || (status === 400 && text.includes('is missing'))
    if (!isAnswer || text.includes('"error":"many')) this.failures.push(`${status} ${text.slice(0, 300)}`)
  }
}

class HostileSide {
  readonly #api: Api
  readonly #seats: Seats
  readonly #browsers: readonly Browser[]
  readonly #keys: readonly string[]
  readonly #client: HttpClient
  readonly #sockets = new Set<Socket>()
  #isOver = false

  private constructor(api: Api, seats: Seats, keys: readonly string[], client: HttpClient) {
    this.#api = api
    this.#seats = seats
    this.#keys = keys
    this.#client = client
    // On connections of their own: the quiet one's are not used up here.
    const served = { client, ask: client.ask.bind(client) }
    this.#browsers = [seats.as.owner, seats.as.editor].map(({ cookie }) => {
      const browser = new Browser(served, seats.slug)
      browser.cookie = cookie
      return browser
    })
  }

  static async open(api: Api, prefix: string): Promise<HostileSide> {
    const seats = await makeSeats(api, prefix)
    await seats.tenant.import(bracketsTable)
    const issued = await Promise.all([1, 2, 3].map(n => api.issueKey(seats.tenant.id, null, `key ${n}`, 'money')))
    return new HostileSide(
      api,
      seats,
      issued.map(({ key }) => key),
      new HttpClient(api.client.port),
    )
  }

  /** Until it is ended. `told` hears the status of every answer, and 0 when the slow ones are on their way. */
  async begin(told: (status: number) => void): Promise<void> {
    this.#sendSlowly()
    told(0)
    const documents = slowDocuments({ steps: 40 })
    const heavy = Array.from({ length: heavyAtOnce }, (_, n) =>
      this.#again(told, async i => {
        const { text } = documents[(n + i) % documents.length]!
        const body = { text: text.replace('slug: slow', `slug: slow-${n}-${i}`), basedOn: 0 }
        return this.#browsers[n % this.#browsers.length]!.post('/agreements', body)
      }),
    )
    const header = `${Array.from({ length: 300_000 }, (_, i) => `c${i % 1000}`).join(',')}\n`
    const wide = Array.from({ length: wideAtOnce }, (_, n) =>
      this.#again(told, () => this.#ask(this.#keys[n % this.#keys.length]!, '/check', header)),
    )
    const polls = this.#keys.flatMap(key => [1, 2].map(() => this.#again(told, () => this.#poll(key))))
    await Promise.all([...heavy, ...wide, ...polls])
  }

  /** A name that changed concerns every poll, and no list in memory can be used again. */
  async wakePolls(round: number): Promise<void> {
    const by = { who: 'operator', fromAddress: null }
    await renameWorkspace(this.#api.sql, this.#seats.tenant.id, `Hostile ${round} ${this.#seats.slug}`, by)
  }

  /** Without waiting for what still waits for its turn. */
  end(): void {
    this.#isOver = true
    this.#client.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #again(told: (status: number) => void, ask: (i: number) => Promise<Reply>): Promise<void> {
    for (let i = 0; !this.#isOver; i++) {
      const reply = await ask(i).catch(error => {
        if (!this.#isOver) throw error
        return null
      })
      if (reply === null) return
      told(reply.status)
      if (reply.status >= 400) await sleep(50)
    }
  }

  async #poll(key: string): Promise<Reply> {
    const now = await this.#ask(key, '/changes')
    if (now.status !== 200) return now
    const { nextCursor } = (JSON.parse(now.text) as { pagination: { nextCursor: string } }).pagination
    // Not longer, so that the end of the test need not wait for it.
    return this.#ask(key, `/changes?wait=3&cursor=${nextCursor}`)
  }

  #ask(key: string, path: string, table: string | null = null): Promise<Reply> {
    const headers = { authorization: `Bearer ${key}` }
    if (table === null) return this.#client.ask(`/ext/v1${path}`, { headers })
    const typed = { ...headers, 'content-type': 'text/csv' }
    return this.#client.ask(`/ext/v1${path}`, { method: 'POST', body: table, headers: typed })
  }

  /** Files and bodies that begin and then bring a byte now and then; those that are cut off are sent again. */
  #sendSlowly(): void {
    for (const browser of this.#browsers) {
      const head = (path: string, type: string) =>
        [
          `POST /console/w/${browser.slug}${path} HTTP/1.1`,
          `Host: ${browser.host}`,
          ...Object.entries(browser.origin).map(([name, value]) => `${name}: ${value}`),
          `Cookie: ${browser.cookie}`,
          `Content-Type: ${type}`,
          'Content-Length: 900000',
          '\r\n',
        ].join('\r\n')
      const file = head('/series/upload?file=slow.csv&mode=import', 'application/octet-stream')
      const body = head('/agreements/preview', 'application/json')
      for (let i = 0; i < slowFilesEach; i++) this.#trickle(file)
      for (let i = 0; i < slowBodiesEach; i++) this.#trickle(body)
    }
  }

  #trickle(head: string): void {
    if (this.#isOver) return
    const socket = connect(this.#client.port, '127.0.0.1', () => socket.write(head))
    this.#sockets.add(socket)
    const dripping = setInterval(() => socket.write('x'), 500)
    socket.on('error', () => socket.destroy())
    socket.on('end', () => socket.destroy())
    socket.resume()
    socket.once('close', () => {
      clearInterval(dripping)
      this.#sockets.delete(socket)
      setTimeout(() => this.#trickle(head), 100).unref()
    })
  }
}
