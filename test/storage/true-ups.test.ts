// The true-up of a stored agreement as the library loads it: signed, settled and restated numbers, what was billed, what is due
// and what the ledger says, now and as it stood at any moment.
import { beforeAll, describe, expect, test } from 'vitest'
import { formatExact, formatFixed } from '../../src/core/numbers/ratio.ts'
import { parseDay } from '../../src/core/time/day.ts'
import type { Instant } from '../../src/core/time/instant.ts'
import { balancesOf, isBalanced } from '../../src/core/true-up/ledger.ts'
import type { TrueUp } from '../../src/read/agreements/true-up.ts'
import type { Library } from '../../src/read/library.ts'
import { ownHouse } from '../support/houses/house.ts'
import { billedInQ2, finalMarch, openTrueUpHouse, trueUpDocument } from '../support/houses/true-up-house.ts'

let beforeFinal: Instant
const ground = ownHouse(openTrueUpHouse)
beforeAll(async () => {
  await ground.importLines(billedInQ2)
  beforeFinal = await now()
  await ground.importFigures(finalMarch)
})

async function now(): Promise<Instant> {
  const [row] = await ground.house.installation.sql<{ at: Instant }[]>`select clock_timestamp() as at`
  return row!.at
}

const until = parseDay('2026-11-16')!
const load = async (knownAt: Instant | null = null, library = ground.library()): Promise<TrueUp> =>
  (await library.trueUps.find(ground.workspace.id, 'steel-brackets', { knownAt, until }))!
const money = (amount: { n: bigint; d: bigint } | null) => (amount === null ? null : formatFixed(amount, 2))
const balances = (trueUp: TrueUp) =>
  Object.fromEntries(Object.entries(balancesOf(trueUp.ledger)).map(([name, amount]) => [name, money(amount)]))

describe('the true-up of an agreement', () => {
  test('has the signed numbers, and those that the figures known now would give', async () => {
    const { signed, restated } = await load()
    expect(signed.map(({ period, factor }) => `${period} ${formatExact(factor)}`)).toEqual([
      '2024-Q2 1.06',
      '2024-Q3 1.05',
    ])
    expect(restated.map(({ factor }) => formatExact(factor))).toEqual(['1.035', '1.05'])
    expect(signed.every(({ agreedAt }) => agreedAt > '2024')).toBe(true)
  })

  test('says what is due by the policy, in money', async () => {
    const { assessment, open } = await load()
    expect(assessment.moved.map(({ restated, state }) => `${restated.signed.period} ${state}`)).toEqual(['2024-Q2 DUE'])
    expect(money(assessment.draft!.net)).toBe('-250.00')
    expect(money(open.due)).toBe('-250.00')
  })

  test('keeps books that balance', async () => {
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

  test('is as it stood at an instant', async () => {
    const before = await load(beforeFinal)
    expect(before.restated.map(({ factor }) => formatExact(factor))).toEqual(['1.06', '1.05'])
    expect(before.assessment.moved).toEqual([])
    expect(before.lines).toHaveLength(1)
  })

  test('is computed once, until something is billed under the agreement', async () => {
    const library = ground.library()
    const first = await load(null, library)
    expect(await load(null, library)).toBe(first)
    await ground.importLines(billedInQ2.replaceAll('4711', '4712'))
    const [{ id } = { id: '' }] = await ground.house.installation.owner<{ id: string }[]>`
      select id from assize.invoice where workspace_id = ${ground.workspace.id} order by seq desc limit 1`
    library.changes.entered({ seq: 0, scope: ground.workspace.id, kind: 'invoice', subject: id })
    const second = await load(null, library)
    expect(second).not.toBe(first)
    expect(money(second.assessment.draft!.net)).toBe('-500.00')
    expect(await load(null, library)).toBe(second)
  })
})

describe('an invoice that arrives while ledgers load', () => {
  let imported = 0

  /** Imports one and notifies the library of it, as the server does. */
  async function arrives(library: Library, slug: string): Promise<string> {
    const number = `W-${++imported}`
    await ground.importLines(billedInQ2.replaceAll('4711', number).replaceAll('steel-brackets', slug))
    const [{ id } = { id: '' }] = await ground.house.installation.owner<{ id: string }[]>`
      select id from assize.invoice where workspace_id = ${ground.workspace.id} order by seq desc limit 1`
    library.changes.entered({ seq: 0, scope: ground.workspace.id, kind: 'invoice', subject: id })
    return number
  }

  const numbersIn = async (library: Library, slug: string): Promise<readonly string[]> => {
    const trueUp = await library.trueUps.find(ground.workspace.id, slug, { knownAt: null, until })
    return trueUp!.lines.map(({ invoice }) => invoice)
  }

  /** Calls back once, after the load with this number has read and before its caller goes on. */
  function atLoad(library: Library, place: number, callBack: () => Promise<void>): { readonly loads: () => number } {
    let count = 0
    const newest = async () => {
      count++
      if (count === place) await callBack()
      return new Map()
    }
    library.changes.keepUpWith({ newest, since: async () => [] })
    return { loads: () => count }
  }

  beforeAll(async () => {
    await ground.apply(trueUpDocument({ slug: 'second' }))
  })

  test('is shown by the next request for its own agreement, whichever load it arrives at', async () => {
    let last = 1
    for (let place = 1; place <= last; place++) {
      const library = ground.library()
      await numbersIn(library, 'second')
      await arrives(library, 'steel-brackets')
      let number = ''
      const { loads } = atLoad(library, place, async () => {
        number = await arrives(library, 'second')
      })
      await numbersIn(library, 'steel-brackets')
      last = Math.max(last, loads())
      if (number === '') break
      expect([place, await numbersIn(library, 'second')]).toEqual([place, expect.arrayContaining([number])])
    }
    expect(last).toBeGreaterThan(3)
  })

  test('is not lost to a request that began before it and ends after one that has shown it', async () => {
    // What was billed, and the price lists: what two requests share is loaded before, they would wait for each other.
    for (const place of [1, 2]) {
      const library = ground.library()
      const { id: workspaceId } = ground.workspace
      const id = (await library.index(workspaceId)).agreementId('steel-brackets')!
      const cached = (await library.agreement(workspaceId, id))!
      await library.adjustments(workspaceId, cached, { knownAt: null, until, asOf: null, version: null })
      let number = ''
      atLoad(library, place, async () => {
        number = await arrives(library, 'steel-brackets')
        expect(await numbersIn(library, 'steel-brackets')).toContain(number)
      })
      await numbersIn(library, 'steel-brackets')
      expect([place, number]).toEqual([place, expect.stringMatching(/^W-/)])
      expect([place, await numbersIn(library, 'steel-brackets')]).toEqual([place, expect.arrayContaining([number])])
    }
  })
})
