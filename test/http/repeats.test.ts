// Requests that repeat the headers of an earlier one on their connection are answered before node's parser reads them: with
// the same bytes, the same limit and the same key, and nothing else is ever taken for one (T46).
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { revokeApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { RawConnection, type RawWhole } from '../support/clients/raw-connection.ts'
import { type Api, eventually, openApi, type Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { everyRoute, fillSample } from '../support/houses/sample.ts'
import { draws } from '../support/run/long-form.ts'

const api = ownHouse(openOwnApi)
let tenant: Tenant
let paths: readonly string[]
beforeAll(async () => {
  tenant = await api.tenant()
  // Vintages are not kept.
  paths = everyRoute(await fillSample(tenant)).flatMap(path => (path.endsWith('/vintages') ? [] : [`/v1${path}`]))
})

async function open(at: Pick<Api, 'client'> = api): Promise<RawConnection> {
  const connection = await RawConnection.open(at.client.port)
  onTestFinished(() => connection.close())
  return connection
}

const headers = (key = tenant.key, more = '') => `Host: a\r\nAuthorization: Bearer ${key}\r\n${more}\r\n`
const head = (path: string, key = tenant.key, more = '') => `GET ${path} HTTP/1.1\r\n${headers(key, more)}`

/** Without what differs from one answer to the next. */
const withoutMoment = ({ lines, body }: RawWhole) => ({
  lines: lines.map(line => line.replace(/^(x-request-id|ratelimit|date): .*/i, '$1')),
  body,
})

/** How many requests node's parser has read meanwhile. */
function countParsed(): () => number {
  let parsed = 0
  const hear = () => {
    parsed++
  }
  subscribe('http.server.request.start', hear)
  onTestFinished(() => void unsubscribe('http.server.request.start', hear))
  return () => parsed
}

/** The first answer that the parser had no part in: a busy server may have to ask the database a few times. */
async function fromMemory(connection: RawConnection, text: string): Promise<RawWhole> {
  const parsed = countParsed()
  const [answer, by] = await eventually(
    async () => {
      const before = parsed()
      return [await connection.ask(text), parsed() - before] as const
    },
    ([, read]) => read === 0,
    60_000,
  )
  expect(by).toBe(0)
  return answer
}

describe('a request that repeats the headers of the one before', () => {
  test('is answered with the same lines in the same order, and never reaches the parser', async () => {
    const connection = await open()
    for (const path of paths) {
      const first = withoutMoment(await connection.ask(head(path)))
      expect(withoutMoment(await fromMemory(connection, head(path))), path).toEqual(first)
      // The first one on another connection is read by the parser.
      const other = await open()
      const parsed = countParsed()
      expect(withoutMoment(await other.ask(head(path))), path).toEqual(first)
      expect(parsed()).toBe(1)
    }
  })

  test('has an id of its own, and counts in the limit', async () => {
    const { key } = await api.issueKey(tenant.id)
    const connection = await open()
    const seen: string[] = []
    const left: number[] = []
    for (let turn = 0; turn < 5; turn++) {
      const { lines } = await connection.ask(head(paths[0]!, key))
      seen.push(lines.find(line => line.startsWith('x-request-id'))!)
      left.push(Number.parseInt(/r=(\d+)/.exec(lines.find(line => line.startsWith('ratelimit:'))!)![1]!, 10))
    }
    expect(new Set(seen).size).toBe(5)
    expect(left.map(each => left[0]! - each)).toEqual([0, 1, 2, 3, 4])
  })

  test('beyond the limit is refused', async () => {
    const small = await api.tenant({ rateLimit: 4 })
    const connection = await open()
    const statuses: string[] = []
    for (let turn = 0; turn < 6; turn++) statuses.push((await connection.ask(head('/v1/series', small.key))).lines[0]!)
    expect(statuses.map(line => line.slice(9, 12))).toEqual(['200', '200', '200', '200', '429', '429'])
  })

  test('is refused once its key is revoked', async () => {
    const { key, id } = await api.issueKey(tenant.id)
    const connection = await open()
    for (let turn = 0; turn < 3; turn++)
      expect((await connection.ask(head('/v1/series', key))).lines[0]).toBe('HTTP/1.1 200 OK')
    await revokeApiKey(api.sql, tenant.id, id)
    const last = await eventually(
      () => connection.ask(head('/v1/series', key)),
      ({ lines }) => lines[0] !== 'HTTP/1.1 200 OK',
    )
    expect(last.lines[0]).toBe('HTTP/1.1 401 Unauthorized')
  })

  test('sees what was published since', async () => {
    const who = await api.tenant()
    await who.importValues('CUSTOM/x', { '2024': '1' })
    const path = `/v1/series/${await who.seriesId('CUSTOM/x')}/values`
    const connection = await open()
    await connection.ask(head(path, who.key))
    expect((await fromMemory(connection, head(path, who.key))).body).not.toContain('"2025-')
    await who.importValues('CUSTOM/x', { '2025': '2' })
    const { body } = await eventually(
      () => connection.ask(head(path, who.key)),
      answer => answer.body.includes('"2025-'),
    )
    expect(body).toContain('"2025-')
  })

  test('is one of another client behind a proxy: each is answered for its own key', async () => {
    const others = [await api.tenant(), await api.tenant(), await api.tenant()]
    const connection = await open()
    for (const [i, each] of others.entries()) await each.importValues('CUSTOM/mine', { [`20${10 + i}`]: '1' })
    const ids = await Promise.all(others.map(each => each.seriesId('CUSTOM/mine')))
    for (let turn = 0; turn < 4; turn++)
      for (const [i, { key }] of others.entries())
        for (const [j, id] of ids.entries()) {
          const { lines, body } = await connection.ask(head(`/v1/series/${id}/values`, key))
          expect(lines[0]!.slice(9, 12)).toBe(i === j ? '200' : '404')
          expect(body.includes(`"20${10 + i}-`)).toBe(i === j)
        }
  })
})

describe('whatever is not exactly that', () => {
  test('a body that looks like a request is a body', async () => {
    const connection = await open()
    for (let turn = 0; turn < 3; turn++) await connection.ask(head('/v1/series'))
    const inside = head('/v1/series')
    const parsed = countParsed()
    await connection.send(
      `POST /ext/v1/check HTTP/1.1\r\n${headers(tenant.key, `Content-Type: text/csv\r\nContent-Length: ${inside.length}\r\n`)}`,
    )
    const answer = await connection.ask(inside)
    expect(answer.lines[0]).not.toBe('HTTP/1.1 200 OK')
    expect(parsed()).toBe(1)
    expect((await connection.answer()).lines).toEqual([])
  })

  /** How requests may be written, in which pieces they may arrive, and how many answers come. */
  interface Way {
    readonly pieces: readonly string[]
    readonly answers: number
    readonly isHead?: boolean
  }
  const way = (path: string, nth: number, cut: number): Way => {
    const usual = head(path)
    const body = (type: string) => `POST ${path} HTTP/1.1\r\n${headers(tenant.key, type)}`
    const one: readonly (readonly string[])[] = [
      [usual],
      [usual],
      [usual],
      [usual.slice(0, cut), usual.slice(cut)],
      [head(path, tenant.key, 'If-None-Match: *\r\n')],
      [head(path, tenant.key, 'Accept-Encoding: gzip\r\n')],
      [head(path, tenant.key, 'X-Request-Id: mine\r\n')],
      [head(path, tenant.key, 'Content-Length: 0\r\n')],
      [head(path, tenant.key, `Content-Length: ${usual.length}\r\n`), usual],
      [head(path, tenant.key, 'Transfer-Encoding: chunked\r\n'), '0\r\n\r\n'],
      // A wrong key is answered late after many.
      [`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`],
      [usual.replace('HTTP/1.1', 'HTTP/1.0')],
      [usual.replace(path, `http://a${path}`)],
      [usual.replace(path, `${path} `)],
      [usual.replace(path, `${path}#x`)],
      [usual.replace(path, `${path}?limit=1`)],
      [usual.replace('\r\n', '\n')],
      [usual.replace('Host', ' Host')],
      [`${body('Content-Length: 5\r\n')}hello`],
      [body('Content-Length: 5\r\n'), 'hel', 'lo'],
      [head(path, tenant.key, 'Connection: close\r\n')],
    ]
    const ways: readonly Way[] = [
      ...one.map(pieces => ({ pieces, answers: 1 })),
      { pieces: [usual + usual], answers: 2 },
      { pieces: [usual + usual.slice(0, cut), usual.slice(cut)], answers: 2 },
      { pieces: [usual.replace('GET', 'HEAD')], answers: 1, isHead: true },
      { pieces: [usual, usual], answers: 2 },
    ]
    return ways[nth % ways.length]!
  }

  test('is answered by the parser’s rules: two servers, one without this, say the same to any pieces', async () => {
    const plain = await openApi({ ...(await sameDatabase()) }, { answersRepeats: false })
    onTestFinished(() => plain.close())
    // Cursors tell how much a server has heard of: the one that was just opened may not have heard everything yet.
    const each = paths.map(path => way(path, 0, 60))
    const saidBy = async (server: Api) => JSON.stringify(await converse(server, each))
    await expect.poll(async () => (await saidBy(api)) === (await saidBy(plain))).toBe(true)
    const parsed = countParsed()
    let asked = 0
    const conversation = fc.array(
      fc.tuple(fc.nat({ max: paths.length - 1 }), fc.nat(), fc.integer({ min: 1, max: 60 })),
      {
        minLength: 4,
        maxLength: 14,
      },
    )
    await fc.assert(
      fc.asyncProperty(conversation, async said => {
        const all = said.map(([path, nth, cut]) => way(paths[path]!, nth, cut))
        asked += 2 * said.length
        const [here, there] = await Promise.all([converse(api, all), converse(plain, all)])
        expect(here).toEqual(there)
      }),
      { numRuns: draws(150) },
    )
    // Otherwise nothing was tried.
    expect(parsed()).toBeLessThan(asked)
  })

  const sameDatabase = async () => ({ target: api.target, owner: api.owner, close: async () => {} })

  /** All that comes back, without what differs by moment. What can be answered is, before more is sent. */
  async function converse(at: Api, all: readonly Way[]) {
    const connection = await RawConnection.open(at.client.port)
    const heard: RawWhole[] = []
    for (const { pieces, answers, isHead } of all) {
      if (connection.isClosed) break
      for (const piece of pieces) await connection.send(piece)
      for (let nth = 0; nth < answers; nth++) heard.push(await connection.answer(isHead))
      // What is said after the last answer is not read.
      if (heard.at(-1)!.lines.some(line => /^connection: close$/i.test(line))) break
    }
    connection.close()
    return heard.map(withoutMoment)
  }
})
