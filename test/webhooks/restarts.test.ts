// F31 in one process: processes that deliver lose their database in the middle of what they do, which is what a kill is to everybody
// else. `npm run test:long -- webhook-restarts` kills real servers.
import { expect, test } from 'vitest'
import { openApplication } from '../../src/storage/postgres/database.ts'
import { restartWebhooks } from '../faults/webhook-restarts.ts'
import { house } from '../support/houses/house.ts'
import { WebhookClock, WebhookProcess } from './webhook-ground.ts'

const { api } = house()

test('F31: 3 restarts under load lose no event, and none reaches another workspace', async () => {
  const clock = new WebhookClock()
  const tenants = [await api.tenant(), await api.tenant()]
  const { ground } = new WebhookProcess(api, clock)
  const start = async () => {
    const sql = openApplication(api.target, { connections: 3, name: 'killed' })
    const { delivering } = new WebhookProcess(api, clock, { sql })
    const stopping = new AbortController()
    const going = delivering.run(stopping.signal, 5)
    return {
      async kill(how: 'SIGKILL' | 'SIGTERM') {
        if (how === 'SIGKILL') await sql.end({ timeout: 0 })
        stopping.abort()
        await going
        if (how === 'SIGTERM') await sql.end({ timeout: 5 })
      },
    }
  }
  const whileWaiting = async () => {
    clock.forward(10)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const world = { tenants, ground, start, aliveMs: [50, 150] as const, publishMs: 10, whileWaiting }
  const { failures, events, received } = await restartWebhooks(world, { rounds: 3, seed: 29, say: () => {} })
  expect(failures).toEqual([])
  expect(events).toBeGreaterThan(10)
  // Some were refused at first.
  expect(received).toBeGreaterThan(events)
})
