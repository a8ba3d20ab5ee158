// F7 of docs/SECURITY.md: every way in which the stand-in misbehaves, each for one of the fifteen connectors;
// seven of them in as many ways at once, while the others behave well. `npm run test:long -- bad-providers` lets each of them
// misbehave in every way, alone and with all others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import { type Misbehaviour, misbehaviourKinds } from '../stand-in/misbehaviour.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { onlyLong } from '../support/run/long-form.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { allIn, BadAnswers } from './bad-answers.ts'
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

/** How many of the connectors get a bad answer at once, each of another kind. */
const atOnce = 7

/** One connector for each kind, and the next one for the next kind. */
const groups = Array.from(
  { length: Math.ceil(misbehaviourKinds.length / atOnce) },
  (_, group) =>
    new Map<ProviderName, Misbehaviour>(
      misbehaviourKinds
        .slice(group * atOnce, (group + 1) * atOnce)
        .map((kind, at) => [providerNames[(group * atOnce + at) % providerNames.length]!, kind]),
    ),
)

/** In the long form one kind at a time, for a third of the connectors. */
const thirds = misbehaviourKinds.map((kind, turn) =>
  allIn(
    kind,
    providerNames.filter((_, at) => (at + turn) % 3 === 0),
  ),
)

const rounds = (
  onlyLong('every-connector', 'each bad answer by itself, by a third of the connectors') ? thirds : groups
).map(bad => ({ kinds: [...new Set(bad.values())].join(', '), bad }))

describe('an answer that', () => {
  test.each(rounds)('is $kinds', async ({ bad }) => {
    expect(await answers.try(bad)).toEqual([])
  })

  test('is of any kind comes in one of the rounds', () => {
    expect(new Set(rounds.flatMap(({ bad }) => [...bad.values()]))).toEqual(new Set(misbehaviourKinds))
  })

  test('is over leaves no problem behind', async () => {
    expect(await answers.checkPeace()).toEqual([])
    expect(standIn.trapped).toBe(0)
  })
})
