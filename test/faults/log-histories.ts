// Honest histories: several processes publish, let the log grow, restart and give out slips in any order. Who kept any of it finds
// no contradiction afterwards. All of them go on in one log, several at a time, and those who kept something look together: most of
// the time of a history is spent on waiting for the database, and most of a look on reading what is public.

import { Seal } from '../../src/agreements/seal.ts'
import type { KeyRing } from '../../src/storage/keys/key-ring.ts'
import { logNameOf } from '../../src/storage/keys/receipt-key.ts'
import { LogKeys } from '../../src/storage/proof/log-keys.ts'
import type { NewestCheckpoint } from '../../src/storage/proof/newest-checkpoint.ts'
import { PublicLog } from '../../src/storage/proof/public-log.ts'
import { makeSlips } from '../../src/storage/proof/slips.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { auditTogether } from '../support/proof/auditor.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { makeTestRing, type TestDatabase } from '../support/run/postgres.ts'
import { Chance } from './chance.ts'
import { logIn, memberIn } from './log-rewrites.ts'

/** Histories that go on at the same time, and those after which everybody looks. */
const atOnce = 8
const lookedAtTogether = 100

interface Ground {
  readonly db: Pick<TestDatabase, 'sql' | 'owner'>
  readonly kept: NewestCheckpoint
  readonly ring?: KeyRing
}

/** What the histories led to: nothing, as it should. */
export async function honestHistories(
  { db, kept, ring = makeTestRing() }: Ground,
  { rounds, seed, say }: LongRun,
): Promise<readonly string[]> {
  const [keys, name] = [new LogKeys(ring), logNameOf(new Seal(ring).publicKey)]
  const failures: string[] = []
  /** Of every look one looks again at the end, when the log is many times as large. */
  const again: Lived[] = []
  for (let first = 0; first < rounds; first += lookedAtTogether) {
    const seeds = Array.from({ length: Math.min(lookedAtTogether, rounds - first) }, (_, i) => seed + first + i)
    const lived: Lived[] = []
    const waiting = seeds.values()
    const live = async () => {
      for (const own of waiting) lived.push(await honestHistory({ db, kept, keys, name }, own))
    }
    await Promise.all(Array.from({ length: atOnce }, live))
    failures.push(...(await lookBack(db, keys, name, lived)))
    again.push(lived[0]!)
    say(`${first + seeds.length} histories`)
  }
  return [...failures, ...(await lookBack(db, keys, name, again))]
}

/** What is left of a history. */
interface Lived {
  readonly seed: number
  readonly scope: string
  readonly slips: readonly string[]
  readonly checkpoints: readonly string[]
  /** What a process complained about meanwhile. */
  readonly problem: string | null
}

interface Place {
  readonly db: Pick<TestDatabase, 'sql' | 'owner'>
  readonly kept: NewestCheckpoint
  readonly keys: LogKeys
  readonly name: string
}

async function honestHistory({ db, kept, keys, name }: Place, seed: number): Promise<Lived> {
  const chance = new Chance(seed)
  const problems: string[] = []
  const start = () => new PublicLog({ sql: db.sql, keys, name, kept, report: problem => problems.push(problem) })
  const processes = Array.from({ length: 1 + chance.int(0, 2) }, start)
  const { id: scope } = await makeWorkspace(db)
  const series = await makeSeries(db.sql, scope, 'one')
  const slips: string[] = []
  const checkpoints: string[] = []
  const whatIsLeft = { seed, scope, slips, checkpoints }
  const steps = 4 + chance.int(0, 7)
  for (let step = 0; step < steps; step++) {
    const at = chance.int(0, processes.length - 1)
    const process = processes[at]!
    const what = chance.int(0, 3)
    if (what === 0) processes[at] = start()
    else if (what === 1 && chance.int(0, 3) > 0) await makeSeries(db.sql, scope, `${step}`)
    else if (what === 1) await publishRows(db.sql, scope, series, [{ period: 24_000 + step, value: `${step}` }])
    else {
      // Several at once, as when a ticker and signatures come together.
      const all = await Promise.all(
        processes.slice(0, what).map(each => each.advance(chance.int(0, 1) === 0 ? null : scope)),
      )
      for (const { checkpoint, stopped } of all)
        if (checkpoint === null) return { ...whatIsLeft, problem: `it was stopped: ${stopped}` }
        else checkpoints.push(checkpoint.note)
      await process.advance(scope)
      slips.push(...(await makeSlips(db.sql, keys, scope, [{ seq: 1, hasContent: true }])))
    }
  }
  await processes[0]!.advance(scope)
  return { ...whatIsLeft, problem: problems[0] ?? null }
}

/** What they find who kept something of a history. */
async function lookBack(
  { owner }: Ground['db'],
  keys: LogKeys,
  name: string,
  lived: readonly Lived[],
): Promise<readonly string[]> {
  const found = await owner.begin(async tx => {
    const all = []
    for (const { scope, slips, checkpoints } of lived)
      all.push({ kept: { slips, checkpoints }, member: await memberIn(tx, { keys, scope }) })
    return auditTogether(await logIn(tx), keys.signerOf(name).key, all)
  })
  return lived.flatMap(({ seed, problem }, at) => {
    const why = problem ?? found[at]!
    return why === null ? [] : [`history ${seed}: ${why}`]
  })
}
