// A database that is frozen and woken, as a machine is that was cut off: while nobody knows what another primary has recorded
// meanwhile, nothing is answered from memory, and nothing old afterwards. A relay in front of the real database plays it.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openApi } from '../support/houses/api.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

interface Relay {
  readonly port: number
  freeze(): void
  wake(): void
  close(): void
}

/** Passes everything on, and while it is frozen nothing; connections are accepted all the time. */
async function relayTo(socketFile: string): Promise<Relay> {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer(near => {
    const far = connect(socketFile)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      if (isFrozen) from.pause()
      from.on('data', sent => to.write(sent))
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from)
          to.destroy()
        })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    wake() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

test('a database that is frozen is away: memory is not served, and what was recorded meanwhile is in the first answer', async () => {
  const ground = await openTestDatabase()
  if (!('endpoint' in ground.target)) return
  const { endpoint, database } = ground.target
  const relay = await relayTo(join(endpoint.host, `.s.PGSQL.${endpoint.port}`))
  const login = `${endpoint.user}:${encodeURIComponent(endpoint.password)}`
  const url = `postgres://${login}@127.0.0.1:${relay.port}/${database}`
  const direct = await openApi({ ...ground, close: async () => {} })
  const served = await openApi({ ...ground, target: { ...ground.target, url } as never, close: async () => {} })
  try {
    const writer = await direct.tenant()
    await writer.importValues('CUSTOM/a', { '2024': '1' })
    const reader = writer.at(served)
    const id = await writer.seriesId('CUSTOM/a')
    const ask = async () => {
      const { status, text } = await reader.get(`/series/${id}/values`)
      return status === 200 ? (JSON.parse(text) as { data: { value: unknown }[] }).data.length : status
    }
    expect(await ask()).toBe(1)
    relay.freeze()
    await expect.poll(ask).toBe(503)
    await writer.importValues('CUSTOM/a', { '2025': '2' })
    expect(await ask()).toBe(503)
    relay.wake()
    const seen: unknown[] = []
    await expect.poll(async () => seen.push(await ask()) && seen.at(-1)).toBe(2)
    expect(new Set(seen)).toEqual(seen.length === 1 ? new Set([2]) : new Set([503, 2]))
  } finally {
    relay.wake()
    await Promise.all([direct.close(), served.close()])
    relay.close()
    await ground.close()
  }
})
