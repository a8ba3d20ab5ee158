// F16: repeated backup and restore, with writes in between: every table has the same hash, every chain
// verifies, and a server on the copy gives the same bytes to the same keys.

import { hashTables } from '../../src/storage/upkeep/backup.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import type { Api, Ground, Tenant } from '../support/houses/api.ts'
import { openApi } from '../support/houses/api.ts'
import { everyRoute, fillSample, type Sample } from '../support/houses/sample.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { scenario } from '../support/run/long-test.ts'
import { restoreBeside, withApi } from './grounds.ts'

async function answersOf(tenant: Tenant, sample: Sample, at: string): Promise<string[]> {
  const texts: string[] = []
  for (const path of everyRoute(sample)) {
    const cut = /values$|vintages$|adjustment$|receipt$/.test(path) ? `?knownAt=${at}` : ''
    texts.push((await tenant.get(path + cut)).text)
  }
  return texts
}

async function restoreAgainAndAgain(api: Api, ground: Ground, { rounds, say }: LongRun): Promise<string[]> {
  const tenant = await api.tenant()
  const sample = await fillSample(tenant)
  const failures: string[] = []
  for (let round = 0; round < rounds; round++) {
    await tenant.importValues('CUSTOM/steel', {
      [`${2025 + Math.floor(round / 12)}-${String((round % 12) + 1).padStart(2, '0')}`]: `${round}.50`,
    })
    const copy = await restoreBeside(ground, api.secret)
    const twin = await openApi(copy, { secret: api.secret })
    try {
      const after = await hashTables(copy.owner)
      if (JSON.stringify(after) !== JSON.stringify(copy.tables)) failures.push(`round ${round}: tables differ`)
      for (const { scope, problem } of await verifyAllChains(copy.owner))
        if (problem !== null) failures.push(`round ${round}: ${scope}: ${problem.message}`)
      const at = new Date().toISOString()
      const [here, there] = [await answersOf(tenant, sample, at), await answersOf(tenant.at(twin), sample, at)]
      if (here.join('\n') !== there.join('\n')) failures.push(`round ${round}: answers differ\n${here}\n${there}`)
    } finally {
      await twin.close()
    }
    say(`restore ${round + 1}: ${copy.tables.reduce((sum, { rows }) => sum + rows, 0)} rows`)
  }
  return failures
}

scenario('backups', 'F16: backup and restore: every table equal, chains verify, the same answers', { long: 20 }, run =>
  withApi(async (api, ground) => ({
    summary: `${run.rounds} copies`,
    failures: await restoreAgainAndAgain(api, ground, run),
  })),
)
