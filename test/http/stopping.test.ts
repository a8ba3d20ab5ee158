// Stopping under load: nothing that was sent is lost, and nobody is served for longer than it takes to say so.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { BusyThread } from '../support/clients/busy-clients.ts'
import type { Tenant } from '../support/houses/api.ts'
import { openOwnApi, ownHouse } from '../support/houses/house.ts'
import { fillSample } from '../support/houses/sample.ts'
import { roundsOf } from '../support/run/long-form.ts'

const clients = 16
const stops = roundsOf('stops', 'stops under load', 4, 20)

let tenant: Tenant
const api = ownHouse(openOwnApi)
beforeAll(async () => {
  tenant = await api.tenant()
  await fillSample(tenant)
})

describe('a server that is told to stop', () => {
  test(`loses none of the requests of ${clients} busy clients, ${stops} times`, async () => {
    let answered = 0
    const thread = new BusyThread()
    onTestFinished(() => thread.close())
    for (let stop = 0; stop < stops; stop++) {
      const { port } = api.client
      const busy = await thread.start({ port, path: '/v1/series', headers: tenant.authorization, clients })
      await sleep(20 + 7 * stop)
      await api.stop()
      const { lost, last, answered: good } = await busy.report
      expect(lost).toEqual([])
      // Each was answered on the connection it had, and none was served on a second one.
      expect(last).toBe(clients)
      answered += good
      await api.start()
    }
    expect(answered).toBeGreaterThan(clients * stops)
  })

  test('closes an idle connection at once, and one that was just used after it was silent for a moment', async () => {
    const { port } = api.client
    const closed: string[] = []
    const open = async (name: string) => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(`GET /v1/health HTTP/1.1\r\nHost: a\r\n\r\n`)
      await once(socket, 'data')
      socket.on('data', () => {})
      return once(socket, 'close').then(() => closed.push(name))
    }
    const idle = open('idle')
    await sleep(limits.silentConnectionMs + 50)
    const recent = open('recent')
    await sleep(50)
    await api.stop()
    await Promise.all([idle, recent])
    expect(closed).toEqual(['idle', 'recent'])
    await api.start()
  })

  test('finishes a request under way and says that the connection ends', async () => {
    const { port } = api.client
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    let text = ''
    socket.setEncoding('latin1').on('data', part => {
      text += part
    })
    const closed = once(socket, 'close')
    // The body is still to come when the stop begins.
    socket.write(
      'POST /console/sign-in HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n',
    )
    socket.write('Sec-Fetch-Site: same-origin\r\nContent-Length: 35\r\n\r\n{"email":')
    // Others that come after it are answered: the server has read it by then.
    for (let i = 0; i < 3; i++) await tenant.get('/series')
    const stopped = api.stop()
    await sleep(100)
    socket.write('"a@b.test","password":"x"}')
    await Promise.all([closed, stopped])
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n')
    await api.start()
  })
})
