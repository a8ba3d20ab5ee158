import { setTimeout as sleep } from 'node:timers/promises'
import { instantOfMicros } from '../../src/core/time/instant.ts'
import { webhookSecrets } from '../../src/storage/webhooks/webhook-secrets.ts'
import { scenario } from '../support/run/long-test.ts'
import { withApi } from './grounds.ts'
import { serveFolder } from './served-process.ts'
import { restartWebhooks } from './webhook-restarts.ts'

scenario(
  'webhook-restarts',
  'F31: servers killed under load while webhooks are delivered: each event at least once, none of another workspace',
  { long: 30 },
  run =>
    withApi(async (api, ground) => {
      const world = {
        tenants: [await api.tenant(), await api.tenant()],
        ground: { sql: api.sql, secrets: webhookSecrets(ground.ring), now: () => instantOfMicros(Date.now() * 1000) },
        async start() {
          const env = { LOG_LEVEL: 'warn', ASSIZE_PRIVATE_HOSTS: '127.0.0.1' }
          const server = await serveFolder(ground.folder, { env })
          const ended = () => !server.isAlive()
          return {
            async kill(how: 'SIGKILL' | 'SIGTERM') {
              if (how === 'SIGTERM') return void (await server.stop())
              server.signal('SIGKILL')
              while (!ended()) await sleep(10)
              server.client.close()
            },
          }
        },
        aliveMs: [10, 2_000] as const,
        publishMs: 1_500,
        whileWaiting: () => sleep(500),
      }
      const { failures, events, received, twice, ends } = await restartWebhooks(world, run)
      const ended = `${ends.SIGKILL} killed, ${ends.SIGTERM} stopped`
      return { summary: `${ended}: ${events} events, ${received} messages, ${twice} of them again`, failures }
    }),
)
