// Work without a session (T27, F22): requests without a session, however slow, never keep out people who are signed in;
// a body is read only from people who may send it; a client that reads nothing is cut off.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { crowdServer } from '../faults/slow-clients.ts'
import { eventually } from '../support/houses/api.ts'
import { emails, openConsole, password } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

const slowReaderMs = 1_200
const console = ownHouse(() => openConsole({ slowReaderMs }))

const sockets: Socket[] = []
afterAll(() => {
  for (const socket of sockets) socket.destroy()
})

/** Sends bytes and says what came back so far. */
async function say(words: string, from = '127.0.0.1') {
  const socket = connect({ port: console.api.client.port, host: '127.0.0.1', localAddress: from })
  sockets.push(socket)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(words)
  return { socket, text: () => Buffer.concat(chunks).toString('latin1') }
}

const head = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n${more}`

describe('bodies that never arrive', () => {
  test('at sign-in do not keep out people who are signed in or who sign in from elsewhere', async () => {
    for (let i = 0; i < 70; i++) await say(`${head('/console/sign-in')}Content-Length: 100\r\n\r\n`)
    for (let i = 0; i < 30; i++) {
      const statuses = await Promise.all(['/people', '/series', '/keys'].map(path => console.as.owner.get(path)))
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200])
    }
    const elsewhere = console.browser({ from: '127.0.0.7' })
    expect((await elsewhere.signIn(emails.buyer, password)).status).toBe(200)
  })

  test('give up their places to the next from the same address after a moment', async () => {
    const from = '127.0.0.8'
    const slow: Awaited<ReturnType<typeof say>>[] = []
    for (let i = 0; i < limits.strangersPlaces.each; i++)
      slow.push(await say(`${head('/console/sign-in')}Content-Length: 100\r\n\r\n`, from))
    await sleep(50)
    const visitor = console.browser({ from })
    const { status, headers } = await visitor.signIn(emails.buyer, password)
    expect([status, headers['retry-after']]).toEqual([503, '1'])
    await sleep(limits.strangersPlaces.waitMs)
    expect((await visitor.signIn(emails.buyer, password)).status).toBe(200)
    await eventually(
      async () => slow[0]!.text(),
      text => text.includes('408'),
    )
    expect(slow.filter(({ text }) => text() === '')).toHaveLength(limits.strangersPlaces.each - 1)
  })

  test('are not waited for where they are not allowed: from people who are not signed in, and where no body is accepted', async () => {
    const { slug } = console
    for (const [path, status] of [
      ['/console/password', 401],
      [`/console/w/${slug}/agreements`, 401],
      [`/console/w/${slug}/series/upload`, 401],
      ['/docs', 405],
      ['/nothing', 404],
    ] as const) {
      const type = path.endsWith('upload') ? head(path).replace('json', 'octet-stream') : head(path)
      const said = await say(`${type}Content-Length: 100000\r\n\r\n{"`)
      const text = await eventually(
        async () => said.text(),
        come => come.includes('\r\n\r\n'),
      )
      expect(text, path).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(text.toLowerCase(), path).toContain('connection: close')
    }
  })

  test('of strangers are small', async () => {
    const { status, text } = await console.browser().send('POST', '/sign-in', {
      email: 'a@b.test',
      password: 'x'.repeat(limits.strangersBodyBytes),
    })
    expect([status, text]).toEqual([
      413,
      '{"error":"at most 16 kB can be sent here; this is larger, and nothing of it was kept"}',
    ])
  })
})

describe('a client that reads nothing of its answer', () => {
  test('is cut off, whatever the answer is; one that reads slowly is not', async () => {
    const { tenant, as, slug } = console
    const months = Array.from(
      { length: 6_000 },
      (_, i) => `${1500 + Math.floor(i / 12)}-${`${(i % 12) + 1}`.padStart(2, '0')}`,
    )
    await tenant.importValues('CUSTOM/long', Object.fromEntries(months.map((month, i) => [month, `${i}.125`])))
    const long = `/v1/series/${await tenant.seriesId('CUSTOM/long')}/values?limit=2000`
    const cookie = `Cookie: ${as.viewer.cookie}`
    const asked = [
      [long, `Authorization: Bearer ${tenant.key}`],
      [`/console/w/${slug}/series/${await tenant.seriesId('CUSTOM/long')}`, cookie],
      ['/docs', ''],
      ['/openapi.json', ''],
    ] as const
    const readers = await Promise.all(
      asked.map(async ([path, header]) => {
        const words = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${header === '' ? '' : `${header}\r\n`}\r\n`
        const reader = await say(words.repeat(200))
        reader.socket.pause()
        // What it sends meanwhile does not help it.
        const talking = setInterval(() => reader.socket.write('\r\n'), 100)
        reader.socket.once('close', () => clearInterval(talking))
        return reader
      }),
    )
    const steady = await say(`GET ${long} HTTP/1.1\r\nHost: 127.0.0.1\r\n${asked[0][1]}\r\n\r\n`.repeat(200))
    steady.socket.pause()
    const taking = setInterval(() => steady.socket.read(), 100)
    // A paused socket does not notice that it was cut off; what it sends then fails.
    for (const [i, { socket }] of readers.entries()) {
      const isGone = await eventually(
        async () => socket.destroyed,
        gone => gone,
        20_000,
      )
      expect([asked[i]![0], isGone]).toEqual([asked[i]![0], true])
    }
    expect(steady.socket.destroyed).toBe(false)
    clearInterval(taking)
  }, 60_000)
})

test('F22: 300 connections of every kind of stranger, and people who are signed in are answered', async () => {
  const { client } = console.api
  const crowded = { client, slug: console.slug, cookie: console.as.owner.cookie!, key: console.tenant.key }
  const { failures, asked, crowd } = await crowdServer(crowded, {
    each: 300,
    readers: 60,
    lastingMs: 2_000,
    isTimed: false,
    cutWithinMs: null,
    say: () => {},
  })
  expect(failures).toEqual([])
  expect([asked > 20, crowd]).toEqual([true, 2_160])
})
