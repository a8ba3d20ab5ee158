// Honest histories: several processes publish, let the log grow, restart and give out slips in any order. Who kept any of it finds
// no contradiction afterwards.
import { usualLogName } from '../../src/agreements/installation-log.ts'
import { Seal } from '../../src/agreements/seal.ts'
import type { KeptCheckpoint } from '../../src/storage/proof/kept-checkpoint.ts'
import { LogKeys } from '../../src/storage/proof/log-keys.ts'
import { PublicLog } from '../../src/storage/proof/public-log.ts'
import { makeSlips } from '../../src/storage/proof/slips.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { type TestDatabase, testSecret } from '../support/run/postgres.ts'
import { Chance } from './chance.ts'
import { auditNow } from './log-rewrites.ts'

/** What an honest history leads to; null as it should. All of them go on in one log. */
export async function honestHistory(
  db: Pick<TestDatabase, 'sql' | 'owner'>,
  kept: KeptCheckpoint,
  seed: number,
  secret: string = testSecret,
): Promise<string | null> {
  const name = usualLogName(new Seal(secret))
  const chance = new Chance(seed)
  const problems: string[] = []
  const keys = new LogKeys(secret)
  const start = () => new PublicLog({ sql: db.sql, keys, name, kept, report: problem => problems.push(problem) })
  const processes = Array.from({ length: 1 + chance.int(0, 2) }, start)
  const { id: scope } = await makeWorkspace(db)
  const series = await makeSeries(db.sql, scope, 'one')
  const slips: string[] = []
  const checkpoints: string[] = []
  const steps = 4 + chance.int(0, 7)
  for (let step = 0; step < steps; step++) {
    const at = chance.int(0, processes.length - 1)
    const process = processes[at]!
    const what = chance.int(0, 3)
    if (what === 0) processes[at] = start()
    else if (what === 1) await publishRows(db.sql, scope, series, [{ period: 24_000 + step, value: `${step}` }])
    else {
      // Several at once, as when a ticker and signatures come together.
      const all = await Promise.all(
        processes.slice(0, what).map(each => each.advance(chance.int(0, 1) === 0 ? null : scope)),
      )
      for (const { checkpoint, stopped } of all)
        if (checkpoint === null) return `it was stopped: ${stopped}`
        else checkpoints.push(checkpoint.note)
      await process.advance(scope)
      slips.push(...(await makeSlips(db.sql, keys, scope, [{ seq: 1, hasContent: true }])))
    }
  }
  await processes[0]!.advance(scope)
  const key = keys.signersOf(name)[0]!.key
  const found = await auditNow({ owner: db.owner, keys, scope }, { slips, checkpoints, key })
  return found ?? problems[0] ?? null
}
