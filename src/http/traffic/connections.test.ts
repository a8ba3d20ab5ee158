import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Connections, markKnown } from './connections.ts'

/** Requests on a connection: `/known` with a key, `/slow` without an answer. */
type Wish = '' | '/known' | '/stranger' | '/slow'

let server: Server
let sockets: Socket[]
beforeEach(async () => {
  sockets = []
  server = createServer()
  const connections = new Connections(4)
  connections.watch(server)
  server.on('request', (req, res) => {
    connections.begin(req.socket, res)
    connections.listenForEnd(req.socket, res)
    if (req.url === '/known') markKnown(req)
    if (req.url !== '/slow') res.end('done')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

/** A connection with this request and, if possible, its answer. */
async function open(wish: Wish): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy())
  await once(socket, 'connect')
  if (wish !== '') socket.write(`GET ${wish} HTTP/1.1\r\nHost: a\r\n\r\n`)
  if (wish === '/known' || wish === '/stranger') await once(socket, 'data')
  else await sleep(50)
  return socket
}

describe('where very many connections are open', () => {
  test.each<[string, readonly Wish[], number]>([
    ['the oldest on which nothing was ever asked', ['/known', '/stranger', '', ''], 2],
    ['the oldest of strangers without a request', ['/known', '/slow', '/stranger', '/stranger'], 2],
    ['the oldest of people without a request, where there is no stranger', ['/slow', '/known', '/known', '/slow'], 1],
  ])('%s makes room for the next', async (_who, wishes, place) => {
    const open4: Socket[] = []
    for (const wish of wishes) open4.push(await open(wish))
    expect(open4.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false])
    const next = await open('/stranger')
    await expect.poll(() => open4.map(({ destroyed }) => destroyed)).toEqual(wishes.map((_, i) => i === place))
    expect(next.destroyed).toBe(false)
  })

  test('none that is being answered does', async () => {
    const busy: Socket[] = []
    for (let i = 0; i < 4; i++) busy.push(await open('/slow'))
    await open('/stranger')
    await sleep(50)
    expect(busy.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false])
  })
})
