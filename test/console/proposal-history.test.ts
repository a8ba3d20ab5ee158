// The history of a period's number: every number that was proposed with its cause, pages as they stood, and what a person saw
// last, in whichever browser.
import { describe, expect, test } from 'vitest'
import type { AdjustmentPage, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { AgreementMoments, ProposalHistory } from '../../src/views/shapes/history.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { emails, makeSeats, type Seats, signIn } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()

const head = 'series,period,value,version,published\n'
const steel = `${head}CUSTOM/steel,2024-03,108.00,REVISED,2024-05-15\n`
const plain = { clause: '{ fixed: 0.40 }' }

async function begin(): Promise<Seats> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.apply(bracketsDocument(plain))
  return seats
}

const address = (period: string) => `/agreements/brackets/periods/${period}`
const history = ({ as }: Seats, period = '2024-Q2') => as.buyer.json<ProposalHistory>(`${address(period)}/history`)
const page = ({ as }: Seats, period = '2024-Q2') => as.buyer.json<AdjustmentPage>(address(period))

describe('the history of a number', () => {
  test('begins with the version that made it', async () => {
    const seats = await begin()
    const { entry } = await page(seats)
    const { events, isCut } = await history(seats)
    expect(isCut).toBe(false)
    expect(events).toMatchObject([
      {
        kind: 'proposed',
        number: { adjustmentPct: entry.adjustmentPct, price: entry.price, formulaVersion: 1 },
        points: null,
        causes: { isDate: false, figures: [], versions: [{ version: 1 }], signed: [] },
      },
    ])
  })

  test('has each number with the figure, the version or the signed period that made it', async () => {
    const seats = await begin()
    const first = (await page(seats)).entry
    await seats.tenant.import(steel)
    const second = (await page(seats)).entry
    await seats.tenant.apply(bracketsDocument({ steelWeight: '0.45', clause: '{ fixed: 0.30 }' }))
    const third = (await page(seats)).entry
    const { events } = await history(seats)
    expect(events).toMatchObject([
      { number: { adjustmentPct: third.adjustmentPct }, causes: { versions: [{ version: 2 }], figures: [] } },
      {
        number: { adjustmentPct: second.adjustmentPct },
        causes: {
          versions: [],
          figures: [
            { name: 'Steel billets', period: '2024-03', before: '106.71', after: '108.00', origin: { upload: {} } },
          ],
        },
      },
      { number: { adjustmentPct: first.adjustmentPct }, causes: { versions: [{ version: 1 }] } },
    ])
    expect(new Set([first, second, third].map(({ adjustmentPct }) => adjustmentPct)).size).toBe(3)
  })

  test('leaves out what did not change the number', async () => {
    const seats = await begin()
    await seats.tenant.import(`${head}CUSTOM/steel,2024-09,120.00,FINAL,2024-10-15\n`)
    expect((await history(seats)).events).toHaveLength(1)
  })

  test('ends with the second signature; a later period continues from it', async () => {
    const seats = await begin()
    await seats.tenant.import(steel)
    await seats.tenant.signBoth('brackets', '2024-Q2')
    await seats.tenant.import(`${head}CUSTOM/steel,2024-03,90.00,REVISED,2024-06-15\n`)
    const { events } = await history(seats)
    expect(events.map(({ kind }) => kind)).toEqual(['signed', 'signed', 'proposed', 'proposed'])
    const later = await history(seats, '2024-Q3')
    // Signing changed nothing by itself; the revision after it did, through the period before alone.
    expect(later.events.flatMap(each => (each.kind === 'proposed' ? [each.causes.signed] : [])).flat()).toEqual([])
    expect(later.events[0]).toMatchObject({ kind: 'proposed' })
  })

  test('shows the page as it stood at each of its moments, to be read and not to be signed', async () => {
    const seats = await begin()
    await seats.tenant.import(steel)
    const { events } = await history(seats)
    for (const event of events) {
      if (event.kind !== 'proposed') continue
      const then = await seats.as.buyer.json<AdjustmentPage>(`${address('2024-Q2')}?knownAt=${event.at}`)
      expect(then.entry).toMatchObject({ adjustmentPct: event.number!.adjustmentPct, price: event.number!.price })
      expect(then.signing.as).toBeNull()
      expect(then.objections.as).toBeNull()
      const formula = await seats.as.buyer.json<AgreementPage>(`/agreements/brackets?knownAt=${event.at}`)
      expect(formula.entries[0]!.adjustmentPct).toBe(event.number!.adjustmentPct)
    }
    const published = await seats.as.buyer.json<AgreementPage>('/agreements/brackets?asOf=2024-07-31')
    expect(published.entries.map(({ period }) => period)).toEqual(['2024-Q2', '2024-Q3'])
    const before = await seats.as.buyer.get('/agreements/brackets?knownAt=2020-01-01')
    expect([before.status, before.text]).toEqual([404, expect.stringContaining('did not exist then')])
    for (const wrong of ['knownAt=2999-01-01', 'asOf=yesterday'])
      expect((await seats.as.buyer.get(`/agreements/brackets?${wrong}`)).status).toBe(422)
  })

  test('shows no signature and no objection of a later day', async () => {
    const seats = await begin()
    const { buyer } = seats.as
    const read = (path: string) => buyer.json<AdjustmentPage>(path)
    const today = new Date().toISOString().slice(0, 10)
    await seats.tenant.sign('brackets', '2024-Q2', 'buyer')
    await seats.tenant.sign('brackets', '2024-Q2', 'supplier')
    const then = await read(`${address('2024-Q2')}?asOf=2024-12-15`)
    const now = await read(address('2024-Q2'))
    // The same number: it was signed later.
    expect(then.entry.hash).toBe(now.entry.hash)
    expect(now.entry.signatures).toMatchObject({ buyer: { means: 'PASSWORD' }, supplier: { means: 'PASSWORD' } })
    expect(then.entry).toMatchObject({ isSigned: false, signatures: { buyer: null, supplier: null } })
    expect([then.signers, then.signing.moved]).toEqual([{ buyer: [], supplier: [] }, []])
    const whole = await buyer.json<AgreementPage>('/agreements/brackets?asOf=2024-12-15')
    expect(whole.entries.map(({ signatures }) => signatures)).toEqual(
      whole.entries.map(() => ({ buyer: null, supplier: null })),
    )
    const given = await read(`${address('2024-Q2')}?asOf=${today}`)
    expect(given.entry.signatures).toEqual(now.entry.signatures)

    await buyer.confirm()
    const { hash } = (await read(address('2024-Q3'))).entry
    const objection = { hash, about: { kind: 'number' }, reason: 'not so', reading: null }
    const objected = await buyer.post(`${address('2024-Q3')}/objections`, objection)
    expect(objected.status, objected.text).toBeLessThan(300)
    const undisputed = await read(`${address('2024-Q3')}?asOf=2024-12-15`)
    expect([undisputed.entry.disputedBy, undisputed.objections.list]).toEqual([[], []])
    expect((await read(`${address('2024-Q3')}?asOf=${today}`)).objections.list).toHaveLength(1)
  })

  test('has the days on which something was published or recorded', async () => {
    const seats = await begin()
    await seats.tenant.import(steel)
    const moments = await seats.as.viewer.json<AgreementMoments>('/agreements/brackets/moments')
    expect(moments.published).toContainEqual({ day: '2024-05-15', isRevision: true })
    expect(moments.published.every(({ day }) => day >= '2024-01-01')).toBe(true)
    expect(moments.recorded).toHaveLength(1)
  })

  test('shows a supplier no past in which it was not named or the formula was a draft', async () => {
    const seats = await makeSeats(console.api)
    await seats.tenant.import(bracketsTable)
    await seats.tenant.apply(bracketsDocument({ ...plain, status: 'DRAFT' }))
    await seats.tenant.import(steel)
    await seats.tenant.apply(bracketsDocument(plain))
    const all = await history(seats)
    const own = await seats.as.supplier.json<ProposalHistory>(`${address('2024-Q2')}/history`)
    const proposed = (events: ProposalHistory['events']) => events.filter(({ kind }) => kind === 'proposed')
    expect(proposed(all.events)).toHaveLength(2)
    expect(proposed(own.events)).toMatchObject([{ number: { formulaVersion: 1 }, points: null }])
    const [, asDraft] = proposed(all.events)
    expect((await seats.as.supplier.get(`${address('2024-Q2')}?knownAt=${asDraft!.at}`)).status).toBe(404)
    expect((await seats.as.buyer.get(`${address('2024-Q2')}?knownAt=${asDraft!.at}`)).status).toBe(200)
  })
})

describe('what a person saw last', () => {
  test('is the same in every browser, and another person’s own', async () => {
    const seats = await begin()
    const before = await page(seats)
    expect(before.lastLook).toBeNull()
    const look = await seats.as.buyer.post(`${address('2024-Q2')}/look`, { hash: before.entry.hash })
    expect(look.status).toBe(204)
    await seats.tenant.import(steel)
    const elsewhere = await signIn(console.api, emails.buyer, seats.slug)
    const after = await elsewhere.json<AdjustmentPage>(address('2024-Q2'))
    expect(after.lastLook).toMatchObject({ hash: before.entry.hash })
    expect(after.entry.hash).not.toBe(before.entry.hash)
    expect((await seats.as.viewer.json<AdjustmentPage>(address('2024-Q2'))).lastLook).toBeNull()
    expect((await seats.as.buyer.post(`${address('2024-Q2')}/look`, { hash: 'x' })).status).toBe(422)
    expect((await seats.as.buyer.post(`${address('2031-Q2')}/look`, { hash: before.entry.hash })).status).toBe(404)
  })
})
