// F7 of docs/SECURITY.md in its short form: every way in which the stand-in misbehaves, each for a few of the fifteen connectors
// while the others behave well. `npm run faults -- bad-providers` lets each of them misbehave in every way.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import { type Misbehaviour, misbehaviourKinds } from '../stand-in/misbehaviour.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { isLongForm } from '../support/run/long-form.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { BadAnswers } from './bad-answers.ts'
import { basesOf } from './support.ts'

let db: TestDatabase
let standIn: StandIn
let answers: BadAnswers
beforeAll(async () => {
  db = await openTestDatabase()
  standIn = await startStandIn({ at: '2026-11-10', slowMs: 30_000 })
  answers = await BadAnswers.open(db, {
    bases: () => basesOf(standIn),
    misbehave: (provider, kind) => standIn.misbehave(provider, kind),
    behave: () => standIn.behave(),
  })
})
afterAll(async () => {
  await answers.close()
  await standIn.close()
  await db.close()
})

/** One connector, and the next one for the next kind; a third of them in the long form. */
function chosen(kind: Misbehaviour): readonly ProviderName[] {
  const turn = misbehaviourKinds.indexOf(kind)
  return providerNames.filter((_, at) => (at + turn) % (isLongForm ? 3 : providerNames.length) === 0)
}

describe('an answer that', () => {
  test.each(misbehaviourKinds)('is %s', async kind => {
    expect(await answers.try(kind, chosen(kind))).toEqual([])
  })

  test('is over leaves no problem behind', async () => {
    expect(await answers.checkPeace()).toEqual([])
    expect(standIn.trapped).toBe(0)
  })
})
