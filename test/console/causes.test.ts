// Why a signed number would be different today: figures, newer versions and earlier signed periods each have their
// part, and nothing is named that did not change.
import { describe, expect, test } from 'vitest'
import { add, formatShort, type Ratio, ratio, subtract } from '../../src/core/numbers/ratio.ts'
import type { AdjustmentPage, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { CausesView } from '../../src/views/shapes/causes.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()

const plain = { clause: '{ fixed: 0.40 }' }
async function signed(periods: readonly string[] = ['2024-Q2']): Promise<Seats> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.apply(bracketsDocument(plain))
  for (const period of periods) await seats.tenant.signBoth('brackets', period)
  return seats
}

const head = 'series,period,value,version,published\n'
const steel = `${head}CUSTOM/steel,2024-03,108.00,REVISED,2024-05-15\n`
const look = ({ as }: Seats, period = '2024-Q2') =>
  as.buyer.json<AdjustmentPage>(`/agreements/brackets/periods/${period}`)
const table = async ({ as }: Seats) =>
  (await as.buyer.json<AgreementPage>('/agreements/brackets')).entries.map(({ period, today }) => [
    period,
    today === null ? null : today.because,
  ])

/** What the parts explain together. */
function sumOf({ earlier, figures, more, versions }: CausesView): string {
  const all = [earlier, ...figures, more, versions].map(share => ratio(share?.points ?? '0'))
  return formatShort(
    all.reduce((sum: Ratio, each) => add(sum, each), ratio('0')),
    4,
    'HALF_UP',
  )
}

function differenceOf({ entry }: AdjustmentPage): string {
  const difference = subtract(ratio(entry.today!.adjustmentPct!), ratio(entry.adjustmentPct!))
  return formatShort(difference, 4, 'HALF_UP')
}

describe('a signed number that would be different today', () => {
  test('does not exist if nothing changed', async () => {
    const seats = await signed()
    expect(await look(seats)).toMatchObject({ entry: { isSigned: true, today: null }, causes: null })
    expect(await table(seats)).toEqual([
      ['2024-Q2', null],
      ['2024-Q3', null],
      ['2024-Q4', null],
    ])
  })

  test('says which figure changed, from what to what, published when and uploaded by whom', async () => {
    const seats = await signed()
    await seats.tenant.import(steel)
    const page = await look(seats)
    expect(page.causes).toMatchObject({ earlier: null, more: null, versions: null })
    expect(page.causes!.figures).toMatchObject([
      {
        reference: 'CUSTOM/steel',
        name: 'Steel billets',
        period: '2024-03',
        before: '106.71',
        after: '108.00',
        tag: 'REVISED',
        publishedAt: '2024-05-15T00:00:00.000000Z',
        origin: { upload: expect.anything() },
        points: page.entry.today!.differencePoints,
        money: page.entry.today!.differenceMoney,
      },
    ])
    expect((await table(seats))[0]).toEqual(['2024-Q2', ['figures']])
  })

  test('distinguishes figures of one file, and the parts add up', async () => {
    const seats = await signed()
    await seats.tenant.import(`${steel}CUSTOM/labour,2023-Q4,104.10,REVISED,2024-05-15\n`)
    const page = await look(seats)
    expect(page.causes!.figures.map(({ reference, period }) => `${reference} ${period}`).sort()).toEqual([
      'CUSTOM/labour 2023-Q4',
      'CUSTOM/steel 2024-03',
    ])
    for (const { points } of page.causes!.figures) expect(Number(points)).toBeGreaterThan(0)
    expect(sumOf(page.causes!)).toBe(differenceOf(page))
  })

  test('names a newer version if only that changed, and never the figures', async () => {
    const seats = await signed()
    const heavier = bracketsDocument({ steelWeight: '0.45', clause: '{ fixed: 0.30 }' })
    await seats.tenant.apply(heavier)
    const page = await look(seats)
    expect(page.causes).toMatchObject({
      earlier: null,
      figures: [],
      more: null,
      versions: { points: page.entry.today!.differencePoints, since: [{ version: 2 }] },
    })
    expect((await table(seats))[0]).toEqual(['2024-Q2', ['version']])
    await seats.tenant.import(steel)
    const both = await look(seats)
    expect(both.causes!.figures).toHaveLength(1)
    expect(both.causes!.versions).not.toBeNull()
    expect(sumOf(both.causes!)).toBe(differenceOf(both))
    expect((await table(seats))[0]).toEqual(['2024-Q2', ['figures', 'version']])
  })

  test('says what earlier signed periods explain', async () => {
    const seats = await signed()
    await seats.tenant.import(steel)
    // Signed after the revision: it continues from the number of 2024-Q2 that was signed before it.
    await seats.tenant.signBoth('brackets', '2024-Q3')
    const page = await look(seats, '2024-Q3')
    expect(page.causes).toMatchObject({ figures: [], more: null, versions: null })
    expect(page.causes!.earlier).toMatchObject({ points: page.entry.today!.differencePoints })
    expect((await table(seats))[1]).toEqual(['2024-Q3', ['earlier']])
  })
})
