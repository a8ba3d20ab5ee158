// The true-up of a stored agreement as the library loads it: signed, settled and restated numbers, what was billed, what is due
// and what the ledger says, now and as it stood at any moment.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDay } from '../../src/core/day.ts'
import type { Instant } from '../../src/core/instant.ts'
import { balancesOf, isBalanced } from '../../src/core/ledger.ts'
import { writeExact, writeFixed } from '../../src/core/ratio.ts'
import type { TrueUp } from '../../src/read/true-up.ts'
import { billedInQ2, finalMarch, openTrueUpHouse, type TrueUpHouse } from '../support/true-up-house.ts'

let ground: TrueUpHouse
let beforeFinal: Instant
beforeAll(async () => {
  ground = await openTrueUpHouse()
  await ground.importLines(billedInQ2)
  beforeFinal = await now()
  await ground.importFigures(finalMarch)
})
afterAll(() => ground.close())

async function now(): Promise<Instant> {
  const [row] = await ground.house.installation.sql<{ at: Instant }[]>`select clock_timestamp() as at`
  return row!.at
}

const until = parseDay('2026-11-16')!
const load = async (knownAt: Instant | null = null, library = ground.library()): Promise<TrueUp> =>
  (await library.trueUps.find(ground.workspace.id, 'steel-brackets', { knownAt, until }))!
const money = (amount: { n: bigint; d: bigint } | null) => (amount === null ? null : writeFixed(amount, 2))
const balances = (trueUp: TrueUp) =>
  Object.fromEntries(Object.entries(balancesOf(trueUp.ledger)).map(([name, amount]) => [name, money(amount)]))

describe('the true-up of an agreement', () => {
  it('has the signed numbers, and those that the figures known now would give', async () => {
    const { signed, restated } = await load()
    expect(signed.map(({ period, factor }) => `${period} ${writeExact(factor)}`)).toEqual([
      '2024-Q2 1.06',
      '2024-Q3 1.05',
    ])
    expect(restated.map(({ factor }) => writeExact(factor))).toEqual(['1.035', '1.05'])
    expect(signed.every(({ agreedAt }) => agreedAt > '2024')).toBe(true)
  })

  it('says what is due by the policy, in money', async () => {
    const { assessment, open } = await load()
    expect(assessment.moved.map(({ restated, state }) => `${restated.signed.period} ${state}`)).toEqual(['2024-Q2 DUE'])
    expect(money(assessment.draft!.net)).toBe('-250.00')
    expect(money(open.due)).toBe('-250.00')
  })

  it('keeps books that balance', async () => {
    const trueUp = await load()
    expect(isBalanced(trueUp.ledger)).toBe(true)
    expect(balances(trueUp)).toEqual({
      entitled: '10600.00',
      provisional: '0.00',
      billed: '10600.00',
      billingDifferences: '0.00',
      agreed: '0.00',
      waived: '0.00',
    })
  })

  it('is as it stood at an instant', async () => {
    const before = await load(beforeFinal)
    expect(before.restated.map(({ factor }) => writeExact(factor))).toEqual(['1.06', '1.05'])
    expect(before.assessment.moved).toEqual([])
    expect(before.lines).toHaveLength(1)
  })

  it('is computed once, until something is billed under the agreement', async () => {
    const library = ground.library()
    const first = await load(null, library)
    expect(await load(null, library)).toBe(first)
    await ground.importLines(billedInQ2.replaceAll('4711', '4712'))
    const [{ id } = { id: '' }] = await ground.house.installation.owner<{ id: string }[]>`
      select id from assize.invoice where workspace_id = ${ground.workspace.id} order by seq desc limit 1`
    library.forget({ seq: 0, scope: ground.workspace.id, kind: 'invoice', subject: id })
    const second = await load(null, library)
    expect(second).not.toBe(first)
    expect(money(second.assessment.draft!.net)).toBe('-500.00')
    expect(await load(null, library)).toBe(second)
  })
})
