// What the preview of a file says it will do to agreements, signed and open, is what the radar says after its import: by hand,
// and in random portfolios.
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { UploadEffects } from '../../src/views/shapes/series.ts'
import type { Revisions } from '../../src/views/shapes/true-up.ts'
import { askUntilKnown, emails } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { keepLines } from '../support/houses/priced-tenant.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { UploadHouse } from '../support/houses/upload-house.ts'
import { roundsOf } from '../support/run/long-form.ts'

const house = ownHouse(() => UploadHouse.open())
const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`

async function effectsOf(file: string): Promise<UploadEffects> {
  return (await house.result('new.csv', file, 'preview')).effects!
}

const now = async () => (await house.seats.as.viewer.json<Revisions>('/revisions')).until

/** What the radar says a file did, in the same words. */
async function importAndLook(file: string): Promise<Pick<UploadEffects, 'count' | 'agreements' | 'kinds' | 'rows'>> {
  const since = await now()
  await house.result('new.csv', file)
  const query = `?since=${encodeURIComponent(since)}`
  const { count, agreements, kinds, rows } = await askUntilKnown<Revisions>(house.seats.as.viewer, `/revisions${query}`)
  return { count, agreements, kinds, rows: rows.map(({ correction: _, agreed: __, left: ___, ...row }) => row) }
}

/** Without the instant, which is not known before. */
function comparable({
  count,
  agreements,
  kinds,
  rows,
}: Pick<UploadEffects, 'count' | 'agreements' | 'kinds' | 'rows'>) {
  return { count, agreements, kinds, rows: rows.map(({ at: _, ...row }) => row) }
}

describe('the preview of a file', () => {
  beforeAll(async () => {
    const { tenant } = house.seats
    await tenant.import(firstPrints)
    await tenant.apply(trueUpDocument({ parties }))
    await tenant.apply(trueUpDocument({ slug: 'no-clause', parties, corrections: null }))
    await tenant.apply(trueUpDocument({ slug: 'not-signed', parties }))
    for (const slug of ['steel-brackets', 'no-clause']) await tenant.signBoth(slug, '2024-Q3', { through: true })
    const line = { agreement: 'steel-brackets', item: 'steel-brackets', quantity: '100', unitPrice: '106.00' }
    await keepLines(tenant, [
      { ...line, invoice: '4711', line: '1', amount: '10600.00', currency: 'EUR', date: '2024-05-10' },
    ])
  })

  test('counts signed agreements as well as open numbers, with the money that falls due and to whom', async () => {
    const effects = await effectsOf(finalMarch)
    expect(effects).toMatchObject({
      count: 3,
      agreements: 3,
      readers: 3,
      notComputed: 0,
      kinds: { SIGNED_MOVED: 2, OPEN_MOVED: 1 },
      money: [
        {
          state: 'DUE',
          agreements: 1,
          withoutAmount: 0,
          flows: [{ from: emails.supplier, to: house.seats.slug, amount: '250.00', currency: 'EUR' }],
        },
        { state: 'NO_POLICY', agreements: 1, withoutAmount: 1, flows: [] },
      ],
    })
    expect(effects.rows[0]).toMatchObject({
      agreement: 'steel-brackets',
      name: 'steel-brackets',
      period: '2024-Q2',
      kind: 'SIGNED_MOVED',
      policy: 'DUE',
      priceBefore: '106.00',
      priceAfter: '103.50',
      amount: '-250.00',
      unit: 'piece',
    })
    expect(comparable(await importAndLook(finalMarch))).toEqual(comparable(effects))
  })

  const months = ['2023-12', '2024-03', '2024-06', '2024-09'] as const
  const figure = fc.record({
    month: fc.constantFrom(...months),
    tenths: fc.integer({ min: 950, max: 1150 }),
    tag: fc.constantFrom('PRELIMINARY', 'FINAL', ''),
  })
  const figures = fc.uniqueArray(figure, { selector: ({ month }) => month, maxLength: months.length })
  const agreement = fc.record({
    series: fc.integer({ min: 0, max: 1 }),
    corrections: fc.constantFrom(
      null,
      '{ when: FINAL }',
      '{ when: EACH }',
      '{ when: EACH, min: { amount: 60.00, below: KEEP } }',
    ),
    clause: fc.constantFrom('{}', '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }'),
    signed: fc.constantFrom(null, '2024-Q2', '2024-Q3'),
    quantity: fc.option(fc.integer({ min: 1, max: 200 })),
  })
  const portfolio = fc.record({
    first: fc.tuple(figures, figures),
    agreements: fc.array(agreement, { minLength: 1, maxLength: 4 }),
    next: fc.tuple(figures, figures),
  })
  let made = 0

  test('says what the radar says after the import, in random portfolios', async () => {
    await fc.assert(
      fc.asyncProperty(portfolio, async ({ first, agreements, next }) => {
        const { tenant } = house.seats
        const place = ++made
        const table = (of: typeof first, day: string, prints: readonly string[] = []) =>
          of.flatMap((list, series) => [
            ...prints.map(month => `CUSTOM/drawn-${place}-${series},${month},100.0,PRELIMINARY,2024-07-01`),
            ...list.map(
              ({ month, tenths, tag }) => `CUSTOM/drawn-${place}-${series},${month},${tenths / 10},${tag},${day}`,
            ),
          ])
        const head = 'series,period,value,version,published'
        await tenant.import(`${[head, ...table(first, '2024-07-10', months.slice(0, 3))].join('\n')}\n`)
        const lines: Parameters<typeof keepLines>[1][number][] = []
        for (const [i, { series, corrections, clause, signed, quantity }] of agreements.entries()) {
          const slug = `drawn-${place}-${i}`
          const text = trueUpDocument({ slug, parties, corrections, clause })
          await tenant.apply(text.replace('CUSTOM/metal', `CUSTOM/drawn-${place}-${series}`))
          if (signed !== null) await tenant.signBoth(slug, signed, { through: true })
          const billed = { quantity: `${quantity}`, unitPrice: '100.00', currency: 'EUR', date: '2024-05-10' }
          if (quantity !== null) lines.push({ agreement: slug, item: slug, invoice: slug, line: '1', ...billed })
        }
        if (lines.length > 0) await keepLines(tenant, lines)
        const rows = table(next, '2024-10-20')
        if (rows.length === 0) return
        const file = `${[head, ...rows].join('\n')}\n`
        const effects = await effectsOf(file)
        expect(comparable(await importAndLook(file))).toEqual(comparable(effects))
      }),
      { numRuns: roundsOf('properties', 'previews of files against the radar after their import', 2, 20) },
    )
  })
})
