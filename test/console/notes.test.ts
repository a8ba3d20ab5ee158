// Billing details and notes over HTTP: who reads and changes what a company keeps, and who issues, reads and prints a note.
import { describe, expect, test } from 'vitest'
import type { PrintedSheet } from '../../src/formats/print/printed-sheet.ts'
import type { NoteFile, PartyBilling } from '../../src/views/shapes/billing.ts'
import type { CorrectionPage } from '../../src/views/shapes/true-up.ts'
import { newSupplier, oldSupplier, openChanged } from '../support/agreements/changed-supplier.ts'
import type { Browser } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { madeOnce } from '../support/run/made-once.ts'

const console = consoleHouse()
const opened = madeOnce(() => openChanged(console))

const billing = (slug: string) => `/parties/${slug}/billing`
const keep = (browser: Browser, slug: string, details: object) => browser.post(billing(slug), { details })
const read = (browser: Browser, slug: string) => browser.json<PartyBilling>(billing(slug))
const statusOf = async (browser: Browser, path: string) => (await browser.get(path)).status

const supplierDetails = {
  street: 'Mill 1',
  city: 'Akron',
  country: 'US',
  vat: 'DE999000228',
  'payment.iban': 'DE89370400440532013000',
  'tax.category': 'S',
  'tax.rate': '19',
  'payment.days': '30',
}
const buyerDetails = { city: 'Graz', country: 'AT', vat: 'ATU12345678', profile: 'en16931', language: 'fr' }

describe('billing details', () => {
  test('are changed by people of the company alone once it has some, and those of the workspace by who manages it', async () => {
    const { as, old } = await opened()
    expect((await keep(old, oldSupplier.side, supplierDetails)).status).toBe(200)
    expect((await keep(as.owner, '-', buyerDetails)).status).toBe(200)
    for (const browser of [as.owner, as.buyer, as.viewer])
      expect((await keep(browser, oldSupplier.side, { city: 'Elsewhere' })).status).toBe(403)
    for (const browser of [as.buyer, as.viewer])
      expect((await keep(browser, '-', { city: 'Elsewhere' })).status).toBe(403)
    expect((await keep(old, oldSupplier.side, { 'payment.iban': 'DE00370400440532013000' })).status).toBe(422)
    expect(await read(old, oldSupplier.side)).toMatchObject({ details: supplierDetails, whyNot: null })
    expect(await read(as.viewer, oldSupplier.side)).toMatchObject({
      details: supplierDetails,
      whyNot: expect.any(String),
    })
    expect(await read(as.buyer, '-')).toMatchObject({ details: buyerDetails, whyNot: expect.any(String) })
  })

  test('are none of the business of another supplier, nor are those of the workspace', async () => {
    const { old, next, third } = await opened()
    for (const browser of [next, third]) {
      expect(await statusOf(browser, billing(oldSupplier.side))).toBe(404)
      expect((await keep(browser, oldSupplier.side, { city: 'Elsewhere' })).status).toBe(404)
    }
    for (const slug of ['-', newSupplier.side, 'no-such-party']) {
      expect(await statusOf(old, billing(slug))).toBe(404)
      expect((await keep(old, slug, { city: 'Elsewhere' })).status).toBe(404)
    }
  })
})

describe('a note', () => {
  test('of a former supplier is read and printed by both sides and who reads, and by no other supplier', async () => {
    const { as, old, next, third, corrections } = await opened()
    const note = `/corrections/${corrections.agreed}/notes/1`
    for (const browser of [as.buyer, as.viewer, old]) {
      const file = await browser.json<NoteFile>(`${note}?form=cii`)
      expect([file.fileName, file.text.includes('DE999000228')]).toEqual(['shared-parts-FENNEL-NOTE-1.cii.xml', true])
      // In the language of the buyer, unless another is asked for.
      expect(await browser.json<PrintedSheet>(`${note}/sheet`)).toMatchObject({ language: 'fr' })
      const sheet = await browser.json<PrintedSheet>(`${note}/sheet?language=de`)
      expect(sheet).toMatchObject({ language: 'de', title: expect.stringMatching(/ FENNEL-NOTE-1$/) })
    }
    for (const browser of [next, third])
      for (const path of [`${note}?form=ubl`, `${note}/sheet`]) expect(await statusOf(browser, path)).toBe(404)
    for (const path of [`/corrections/${corrections.agreed}/notes/2/sheet`, '/corrections/cor_none/notes/1/sheet'])
      expect(await statusOf(as.buyer, path)).toBe(404)
    expect(await statusOf(as.buyer, `${note}?form=pdf`)).toBe(422)
  })

  test('is issued by nobody who only reads or who supplies something else', async () => {
    const { as, next, third, corrections } = await opened()
    const issue = (browser: Browser) =>
      browser.post(`/corrections/${corrections.agreed}/note`, { number: 'N-9', date: '2024-09-09', form: 'ubl' })
    expect((await issue(as.viewer)).status).toBe(403)
    for (const browser of [next, third]) expect((await issue(browser)).status).toBe(404)
    // It has one already.
    expect((await issue(as.buyer)).status).toBe(409)
    const { correction } = await as.buyer.json<CorrectionPage>(`/corrections/${corrections.agreed}`)
    expect(correction.notes.map(({ number }) => number)).toEqual(['FENNEL-NOTE-1'])
  })
})
