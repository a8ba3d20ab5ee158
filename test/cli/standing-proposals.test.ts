// What happens to a proposal that somebody has signed: it stays until the other side refuses it, whatever else is proposed and
// whatever people and companies are called; and it ends when the figures behind it move, by themselves.
import { describe, expect, test } from 'vitest'
import { proposeCorrection } from '../../src/agreements/correct.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { limits } from '../../src/limits.ts'
import type { ShownCorrection } from '../../src/read/agreements/correction-view.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import {
  billedInQ2,
  finalMarch,
  openTrueUpHouse,
  type TrueUpChanges,
  type TrueUpHouse,
  trueUpDocument,
} from '../support/houses/true-up-house.ts'
import { longTest } from '../support/run/long-test.ts'

const house = ownHouse(openCommandHouse)

const buyer = ['--party', 'buyer', '--as', 'ann@buyer.test'] as const
const supplier = ['--party', 'supplier', '--as', 'sam@supplier.test'] as const
const each = { corrections: '{ when: EACH }' }

async function revised(changes: TrueUpChanges = {}): Promise<TrueUpHouse> {
  const ground = await openTrueUpHouse(changes, house)
  await ground.importLines(billedInQ2)
  await ground.importFigures(finalMarch)
  return ground
}
const propose = (ground: TrueUpHouse, ...words: string[]) =>
  ground.json<ShownCorrection>('correction', 'propose', 'steel-brackets', ...words)
const sign = (ground: TrueUpHouse, id: string, ...words: string[]) =>
  ground.json<ShownCorrection>('correction', 'sign', id, ...words)
const show = (ground: TrueUpHouse, id: string) => ground.json<ShownCorrection>('correction', 'show', id)
const publish = (ground: TrueUpHouse, period: string, value: string, published: string, version = 'REVISED') =>
  ground.importFigures(
    `series,period,value,version,published\nCUSTOM/metal,${period},${value},${version},${published}\n`,
  )
/** As a person of one side proposes on a page. */
const proposeAs = ({ house: { installation }, workspace }: TrueUpHouse, who: string, reason: string | null) =>
  proposeCorrection(installation.sql, new Seal(installation.ring), {
    workspaceId: workspace.id,
    agreement: 'steel-brackets',
    reason,
    by: { who, fromAddress: null },
  })

describe('a proposal that one side has signed', () => {
  test('is not replaced by another of the other side until that side refuses it', async () => {
    const ground = await revised(each)
    const { id, hash } = await propose(ground)
    await sign(ground, id, ...buyer)
    for (const who of ['sam@supplier.test', 'eva@editor.test', 'operator'])
      await expect(proposeAs(ground, who, 'another reason')).rejects.toThrow(
        `the buyer has signed ${id}, and it still holds; refuse it first, then another can be proposed`,
      )
    const { error } = await ground.refused('correction', 'waive', id, ...supplier)
    expect(error).toContain('refuse it first')
    expect(await propose(ground)).toMatchObject({ id, hash, state: 'SIGNED_BY_BUYER' })
    await ground.json('correction', 'refuse', id, ...supplier, '--reason', 'not like this')
    const { correction } = await proposeAs(ground, 'sam@supplier.test', 'another reason')
    expect(correction).toMatchObject({ reason: 'another reason', state: 'PROPOSED' })
  })

  longTest('commands', 'may be replaced by the side that signed it', async () => {
    const ground = await revised(each)
    const { id } = await propose(ground)
    await sign(ground, id, ...buyer)
    const { supersedes } = await proposeAs(ground, 'ann@buyer.test', 'a better reason')
    expect(supersedes).toBe(id)
  })

  test('is superseded when its figures move, without another proposal', async () => {
    const ground = await revised(each)
    const { id } = await propose(ground)
    await sign(ground, id, ...buyer)
    await publish(ground, '2024-03', '104.0', '2024-10-01')
    expect(await show(ground, id)).toMatchObject({ state: 'SUPERSEDED' })
    const { error } = await ground.refused('correction', 'sign', id, ...supplier)
    expect(error).toContain('the proposal has moved: its net is now -200.00 EUR')
    const { correction } = await proposeAs(ground, 'sam@supplier.test', null)
    expect(correction).toMatchObject({ net: '-200.00', state: 'PROPOSED' })
  })

  longTest(
    'commands',
    'is superseded when its cause goes away, in the list too, and as it was known before it was not',
    async () => {
      const ground = await revised(each)
      const { id } = await propose(ground)
      await sign(ground, id, ...supplier)
      const before = new Date().toISOString()
      await publish(ground, '2024-03', '106.0', '2024-10-01')
      expect(await show(ground, id)).toMatchObject({ state: 'SUPERSEDED' })
      const { data } = await ground.json<{ data: ShownCorrection[] }>('correction', 'list', 'steel-brackets')
      expect(data.map(({ state }) => state)).toEqual(['SUPERSEDED'])
      const then = await ground
        .library()
        .corrections.show(ground.workspace.id, id, { knownAt: before.replace('Z', '000Z'), until: 20_700 })
      expect(then).toMatchObject({ state: 'SIGNED_BY_SUPPLIER' })
      expect((await ground.refused('correction', 'sign', id, ...buyer)).error).toBe(
        'the proposal has moved: nothing is due any more',
      )
    },
  )
})

describe('one side', () => {
  test('proposes so often a day and no more, and the other still may', async () => {
    const ground = await revised(each)
    for (let i = 0; i < limits.proposing.ofSidePerDay; i++) await proposeAs(ground, 'sam@supplier.test', `reason ${i}`)
    await expect(proposeAs(ground, 'sam@supplier.test', 'once more')).rejects.toThrow(
      `the supplier has proposed ${limits.proposing.ofSidePerDay} corrections of steel-brackets within 24 hours`,
    )
    const { correction } = await proposeAs(ground, 'ann@buyer.test', null)
    await sign(ground, correction.id, ...buyer)
    expect(await sign(ground, correction.id, ...supplier)).toMatchObject({ state: 'AGREED' })
  })
})

longTest(
  'commands',
  'names in an open proposal are those it was made with: it is the same after everything was renamed, and verifies',
  async () => {
    const ground = await openTrueUpHouse({}, house)
    await ground.json('party', 'create', 'graz', '--name', 'Graz Assembly')
    await ground.json('user', 'create', 'gil@graz.test', '--role', 'buyer', '--party', 'graz')
    await ground.apply(trueUpDocument({ ...each, parties: '{ buyer: graz, supplier: [sam@supplier.test] }' }))
    await ground.importLines(billedInQ2)
    await ground.importFigures(finalMarch)
    const { id, hash } = await propose(ground)
    await sign(ground, id, ...supplier)
    await ground.json('party', 'rename', 'graz', '--name', 'Graz Works')
    await house.run(['workspace', 'set', ground.workspace.slug, '--name', 'Another name'])
    const renamed = trueUpDocument({ ...each, parties: '{ buyer: graz, supplier: [sam@supplier.test] }' })
    await ground.apply(renamed.replace('name: steel-brackets', 'name: Brackets of steel'))
    expect(await show(ground, id)).toMatchObject({ hash, state: 'SIGNED_BY_SUPPLIER' })
    expect(await propose(ground)).toMatchObject({ id, hash, state: 'SIGNED_BY_SUPPLIER' })
    const gil = ['--party', 'buyer', '--as', 'gil@graz.test', '--hash', hash] as const
    expect(await sign(ground, id, ...gil)).toMatchObject({ id, hash, state: 'AGREED' })
    const receipt = await ground.run('correction', 'show', id, '--receipt')
    expect(receipt.out).toContain('Graz Assembly')
    expect(receipt.out).not.toContain('Another name')
    const verified = await house.run(['verify', await ground.file('c.json', receipt.out)])
    expect([verified.status, verified.err]).toEqual([0, ''])
  },
)

describe('what has lapsed', () => {
  const within = { corrections: '{ when: EACH, within: { months: 3, of: PERIOD } }' }

  test('is refused by hand at once', async () => {
    const ground = await revised(within)
    const { error } = await ground.refused('correction', 'propose', 'steel-brackets', '--by-hand', '--reason', 'please')
    expect(error).toBe(
      'steel-brackets: nothing can be proposed any more: 2024-Q2 has lapsed: the contract corrects nothing that old',
    )
  })
})

longTest(
  'commands',
  'a period that was signed after a correction with REBASE is not touched when the policy becomes HEAL, or a figure of an earlier period is withdrawn',
  async () => {
    const clause = '{ basis: CHAINED, cap: { periodPct: 4 } }'
    const rebase = { clause, corrections: '{ when: EACH, level: REBASE }' }
    const ground = await openTrueUpHouse(rebase, house)
    await ground.importLines(billedInQ2)
    await ground.importFigures(finalMarch)
    const { id } = await propose(ground)
    await sign(ground, id, ...buyer)
    await sign(ground, id, ...supplier)
    await ground.signBoth('steel-brackets', '2024-Q4')
    await ground.importLines(billedInQ2.replaceAll('4711', '4713').replace('2024-05-10', '2024-11-10'))
    const nothing = async () =>
      (await ground.refused('correction', 'propose', 'steel-brackets', '--by-hand', '--reason', 'any')).error
    expect(await nothing()).toBe('steel-brackets: no signed price has moved')
    await ground.apply(trueUpDocument({ clause, corrections: '{ when: EACH, level: HEAL }' }))
    expect(await nothing()).toBe('steel-brackets: no signed price has moved')
    // Another revision of March: Q2 and Q3 alone, measured from what is settled.
    await publish(ground, '2024-03', '103.1', '2024-11-05')
    const next = await propose(ground)
    expect(next.periods.map(({ period }) => period)).toEqual(['2024-Q2'])
    expect(next.causes).toEqual([
      { series: 'CUSTOM/metal', period: '2024-03', before: '103.5', after: '103.1', tag: 'REVISED' },
    ])
    // 100 × (103.10 − 103.50)
    expect(next.net).toBe('-40.00')
  },
)
