// Files and bodies that arrive byte by byte: they keep nobody's place. That they are cut off is in test/http/slow-clients.test.ts.
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { placeLimits } from '../../src/http/traffic/place-limits.ts'
import { type Browser, makeSeats, type Seats } from '../support/houses/console.ts'
import { UploadHouse } from '../support/houses/upload-house.ts'

let house: UploadHouse
let hostile: readonly Seats[]
let quiet: Seats
const sockets = new Set<Socket>()

beforeAll(async () => {
  house = await UploadHouse.open()
  const { api } = house.console
  hostile = [await makeSeats(api, 'first-'), await makeSeats(api, 'second-')]
  quiet = await makeSeats(api, 'quiet-')
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => house.keptFiles()).toEqual([])
})
afterAll(() => house.close())

const upload = '/series/upload?file=a.csv&mode=import'
const table = 'series,period,value\nCUSTOM/steel,2024-01,1\n'

/** Sends the head and a byte now and then; resolves with what it is answered. */
function trickle(browser: Browser, path: string, type: string): Promise<string> {
  const head = [
    `POST /console/w/${browser.slug}${path} HTTP/1.1`,
    `Host: ${browser.host}`,
    ...Object.entries(browser.origin).map(([name, value]) => `${name}: ${value}`),
    `Cookie: ${browser.cookie}`,
    `Content-Type: ${type}`,
    'Content-Length: 500000',
    '\r\n',
  ].join('\r\n')
  const socket = connect(browser.api.client.port, '127.0.0.1', () => socket.write(head))
  sockets.add(socket)
  const dripping = setInterval(() => socket.write('x'), 250)
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ''
  socket.on('data', chunk => {
    text += chunk.toString()
  })
  socket.on('error', () => socket.destroy())
  socket.on('end', () => socket.destroy())
  socket.once('close', () => {
    clearInterval(dripping)
    sockets.delete(socket)
    resolve(text)
  })
  return promise
}

describe('files that arrive byte by byte', () => {
  test('keep nobody from sending and importing theirs, neither elsewhere nor in the same workspace', async () => {
    const slow = hostile.flatMap(({ as }) => [as.editor, as.editor, as.owner, as.owner])
    for (const browser of slow) void trickle(browser, upload, 'application/octet-stream')
    await expect.poll(async () => (await house.keptFiles()).length).toBe(slow.length)
    const imported = await Promise.all([
      quiet.as.editor.upload(upload, table),
      quiet.as.owner.upload(upload, table.replace('steel', 'copper')),
      ...hostile.map(({ as }) => as.editor.upload(upload, table)),
    ])
    expect(imported.map(({ status, text }) => [status, text.includes('"error"')])).toEqual(
      imported.map(() => [200, false]),
    )
  })
})

test('bodies that arrive byte by byte keep nobody from the console', async () => {
  const { perPerson } = placeLimits.arrivingBodies
  const slow = hostile.flatMap(({ as }) => [as.editor, as.owner])
  let isOver = false
  // Whoever is refused, because a body of the poll below was there first, comes again.
  const keepTrickling = async (browser: Browser) => {
    while (!isOver) await trickle(browser, '/agreements/preview', 'application/json')
  }
  const ends = slow.flatMap(browser => Array.from({ length: perPerson }, () => keepTrickling(browser)))
  // A body more of the same person finds no place once the others are on their way.
  const text = 'slug: a\n'
  const more = () => slow[0]!.post('/agreements/preview', { text, against: null })
  await expect.poll(async () => (await more()).status).toBe(503)
  const asked = await Promise.all([
    ...['/series', '/agreements', '/overview'].map(path => quiet.as.viewer.get(path)),
    quiet.as.editor.post('/agreements/preview', { text, against: null }),
    // Of those who send slowly, too: only their further bodies wait.
    slow[0]!.get('/series'),
  ])
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  isOver = true
  for (const socket of sockets) socket.destroy()
  await Promise.all(ends)
})
