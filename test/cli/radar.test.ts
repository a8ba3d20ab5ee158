// `radar` and `ledger`: what a revision did to agreements of three suppliers, who sees which part of it, and a ledger
// that is the same after a restore.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instant } from '../../src/core/time/instant.ts'
import type { PresentedLedger } from '../../src/core/true-up/ledger-view.ts'
import type { LedgerGroup } from '../../src/read/ledger-groups.ts'
import type { RadarRow } from '../../src/read/radar.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { openCommandHouse, runCommand } from '../support/houses/command-house.ts'
import {
  billedInQ2,
  finalMarch,
  openTrueUpHouse,
  type TrueUpHouse,
  trueUpDocument,
} from '../support/houses/true-up-house.ts'
import { longTest } from '../support/run/long-test.ts'
import { copyEmptyDatabase } from '../support/run/prepared-folder.ts'

let ground: TrueUpHouse
let since: Instant

beforeAll(async () => {
  ground = await openTrueUpHouse({}, await openCommandHouse('apart'))
  const { sql } = ground.house.installation
  for (const name of ['sam', 'pat', 'kim'])
    await createMember(sql, ground.workspace.id, { email: `${name}@supplier.test`, role: 'supplier' })
  await ground.importLines(billedInQ2)
  const held = '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }'
  const [pats, kims] = ['pat', 'kim'].map(name => `{ buyer: [ann@buyer.test], supplier: [${name}@supplier.test] }`)
  await ground.apply(
    trueUpDocument({ slug: 'held-rails', clause: held, corrections: '{ when: EACH }', parties: pats! }),
  )
  await ground.apply(trueUpDocument({ slug: 'open-bolts', corrections: null, parties: kims! }))
  for (const period of ['2024-Q2', '2024-Q3']) await ground.signBoth('held-rails', period, 'pat@supplier.test')
  const [row] = await sql<{ at: Instant }[]>`select clock_timestamp() as at`
  since = row!.at
  await ground.importFigures(finalMarch)
})
afterAll(() => ground.house.close())

const radar = async (...words: string[]) =>
  (await ground.json<{ data: RadarRow[] }>('radar', '--since', since, ...words)).data
const tell = ({ kind, agreement, period, points, amount, policy }: RadarRow) =>
  `${kind} ${agreement} ${period} ${points} ${amount} ${policy}`

describe('radar', () => {
  test('lists nothing since a moment after the newest entry', async () => {
    const later = new Date().toISOString()
    expect(await ground.json('radar', '--since', later)).toMatchObject({ data: [] })
    expect((await ground.run('radar', '--since', later, '--until', '2024-01-01')).err).toContain('must not lie after')
  })

  test('lists every period that a revision moved, the largest amounts first', async () => {
    const rows = await radar()
    expect(rows.map(tell)).toEqual([
      'SIGNED_MOVED steel-brackets 2024-Q2 -2.5 -250.00 DUE',
      'SIGNED_MOVED held-rails 2024-Q2 -2.5 null DUE',
      'SIGNED_MOVED held-rails 2024-Q3 -2.5 null DUE',
      'OPEN_MOVED open-bolts 2024-Q2 -2.5 null NO_POLICY',
    ])
    expect(rows[0]).toEqual({
      kind: 'SIGNED_MOVED',
      agreement: 'steel-brackets',
      period: '2024-Q2',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      cause: { series: 'CUSTOM/metal', period: '2024-03', before: '106.0', after: '103.5', tag: 'FINAL' },
      points: '-2.5',
      priceBefore: '106.00',
      priceAfter: '103.50',
      amount: '-250.00',
      currency: 'EUR',
      policy: 'DUE',
    })
  })

  test('is about one agreement, or one span of time, if requested', async () => {
    expect((await radar('--pam', 'open-bolts')).map(tell)).toEqual([
      'OPEN_MOVED open-bolts 2024-Q2 -2.5 null NO_POLICY',
    ])
    expect(await radar('--until', since)).toEqual([])
    expect((await ground.refused('radar', '--pam', 'nothing')).error).toBe('there is no agreement "nothing"')
    const { status, err } = await ground.run('radar', '--since', '2024-02-30')
    expect(status, err).toBe(1)
  })

  test('shows suppliers only their own agreements', async () => {
    const seen = async (name: string) => {
      const rows = await radar('--as', `${name}@supplier.test`)
      return [...new Set(rows.map(({ agreement }) => agreement))]
    }
    expect(await seen('sam')).toEqual(['steel-brackets'])
    expect(await seen('pat')).toEqual(['held-rails'])
    expect(await seen('kim')).toEqual(['open-bolts'])
    expect(await radar('--as', 'ann@buyer.test')).toHaveLength(4)
    expect((await ground.refused('radar', '--as', 'x@nowhere.test')).error).toContain('nobody in this workspace')
  })

  test('is a table for people', async () => {
    const { out } = await ground.run('radar', '--since', since)
    expect(out).toContain('CUSTOM/metal 2024-03 106.0 → 103.5 FINAL')
    expect(out).toContain('-250.00 EUR')
  })
})

describe('ledger', () => {
  test('has balances that satisfy the equation, postings that sum to 0, and what is open', async () => {
    const ledger = await ground.json<PresentedLedger>('ledger', 'steel-brackets')
    expect(ledger).toMatchObject({
      agreement: 'steel-brackets',
      currency: 'EUR',
      balances: { entitled: '10600.00', provisional: '0.00', billed: '10600.00', agreed: '0.00', waived: '0.00' },
      open: { due: '-250.00', waitingForFinal: '0.00', underMinimum: '0.00', lapsed: '0.00' },
    })
    expect(ledger.entries.map(({ event, period, legs }) => ({ event, period, legs }))).toEqual([
      { event: 'INVOICE_LINE', period: '2024-Q2', legs: { ENTITLED: '-10600.00', BILLED: '10600.00' } },
    ])
  })

  test('says first who owes whom, of one agreement and of all by supplier and currency', async () => {
    expect((await ground.run('ledger', 'steel-brackets')).out).toMatch(/^Nobody owes anything\n\nentitled /)
    const { data } = await ground.json<{ data: LedgerGroup[] }>('ledger', '--all')
    expect(data).toMatchObject([
      {
        supplier: 'sam@supplier.test',
        currency: 'EUR',
        sentence: 'Nobody owes anything',
        owed: { total: '0.00', due: '-250.00' },
        agreements: [{ slug: 'steel-brackets' }],
      },
    ])
    expect((await ground.run('ledger', '--all')).out).toMatch(/^Nobody owes anything\.\n {2}steel-brackets +0\.00 EUR/)
    for (const words of [[], ['steel-brackets', '--all'], ['--all', '--known-at', '2024-01-01']])
      expect((await ground.run('ledger', ...words)).status).toBe(2)
  })

  const asItStood = () => {
    const words = ['ledger', 'steel-brackets', '--known-at', since, '--workspace', ground.workspace.slug, '--json']
    return { words, told: ground.house.run(words) }
  }

  test('is as it stood at an instant', async () => {
    const { told } = asItStood()
    expect((JSON.parse((await told).out) as PresentedLedger).open.due).toBe('0.00')
  })

  longTest('restores', 'is as it stood at an instant, to the byte, after a restore', async () => {
    const { words, told } = asItStood()
    const before = await told
    const file = `${await ground.house.write('backup', '')}.assize`
    expect((await ground.house.run(['backup', file])).status).toBe(0)
    const env = { ASSIZE_DATA: `${file}-restored` }
    await copyEmptyDatabase(env.ASSIZE_DATA)
    expect((await runCommand(['restore', file], env)).status).toBe(0)
    const secret = ground.house.installation.ring.secrets.join(' ')
    expect(await runCommand(words, { ...env, ASSIZE_SECRET: secret })).toEqual(before)
  })

  test('refuses an agreement that does not exist and a time that is not over', async () => {
    expect((await ground.refused('ledger', 'nothing')).error).toBe('there is no agreement "nothing"')
    const { status, err } = await ground.run('ledger', 'steel-brackets', '--known-at', '2999-01-01')
    expect(status).toBe(2)
    expect(err).toContain('--known-at must be an instant that is past')
  })
})

describe('a change of the supplier', () => {
  test('shows the new one nothing of what the one before signed, and the one before nothing more', async () => {
    const kims = '{ buyer: [ann@buyer.test], supplier: [kim@supplier.test] }'
    const held = '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }'
    await ground.apply(
      trueUpDocument({ slug: 'held-rails', clause: held, corrections: '{ when: EACH }', parties: kims }),
    )
    await ground.importFigures('series,period,value,version,published\nCUSTOM/metal,2024-03,102.9,REVISED,2024-09-13\n')
    const seen = async (name: string) => (await radar('--as', `${name}@supplier.test`)).map(tell)
    expect((await seen('kim')).filter(row => row.includes('held-rails'))).toEqual([])
    expect(await seen('pat')).toEqual([])
    expect((await radar()).filter(({ agreement }) => agreement === 'held-rails')).toHaveLength(2)
  })
})
