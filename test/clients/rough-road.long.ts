import { walkRoughRoad } from '../faults/client-walks.ts'
import { changesPerHistory, syncByChanges } from '../faults/delta-sync.ts'
import { withApi } from '../faults/grounds.ts'
import { PythonClient } from '../support/clients/python-client.ts'
import { scenario } from '../support/run/long-test.ts'

/** The rounds are series; one history for two hundred of them follows. */
scenario(
  'clients',
  'each client walks series over a rough road and under a real limit, then keeps a copy through changes',
  { long: 10_000 },
  ({ rounds, seed }) =>
    withApi(async api => {
      const calm = new PythonClient({ isHasty: false })
      const hasty = new PythonClient()
      const histories = { rounds: Math.ceil(rounds / 200), seed }
      const failures: string[] = []
      const summaries: string[] = []
      const clients = [
        { name: 'TypeScript', walker: undefined, keep: undefined },
        { name: 'Python', walker: calm.walk, keep: hasty.keep },
      ]
      for (const { name, walker, keep } of clients) {
        const walked = await walkRoughRoad(api, { series: rounds, seed, perMinute: 600 }, walker)
        const synced = await syncByChanges(api, histories, keep)
        const { passed = 0, ...rough } = walked.met
        const bumps = Object.values(rough).reduce((sum, each) => sum + each, 0) + synced.bumps
        const changes = histories.rounds * changesPerHistory
        summaries.push(`${name}: ${passed} pages passed unharmed, ${changes} changes, ${bumps} bumps`)
        failures.push(...[...walked.failures, ...synced.failures].map(words => `${name}: ${words}`))
      }
      await Promise.all([calm.close(), hasty.close()])
      return { summary: summaries.join('; '), failures }
    }),
)
