// An agreement whose supplier changes: one company signs two periods, is billed, corrected and objects; then another takes its
// place and does the same. Everything of each has its word in it, and figures of its own.
import { expect } from 'vitest'
import type { AdjustmentPage } from '../../../src/views/shapes/agreements.ts'
import type { CorrectionPage } from '../../../src/views/shapes/true-up.ts'
import { type Browser, emails, join, makeSeats, type Seats, signIn, type TestConsole } from '../houses/console.ts'
import { applyList, keepLines } from '../houses/priced-tenant.ts'

export interface SupplierOfOld {
  readonly word: string
  readonly email: string
  readonly side: string
}

export const oldSupplier: SupplierOfOld = { word: 'fennel', email: 'fay@fennel.test', side: 'fennel-forge' }
export const newSupplier: SupplierOfOld = { word: 'pepper', email: 'pia@pepper.test', side: 'pepper-haulage' }
export const thirdSupplier: SupplierOfOld = { word: 'cumin', email: 'cyd@cumin.test', side: 'cumin-works' }
const companies = [oldSupplier, newSupplier, thirdSupplier]

export const shared = 'shared-parts'

/** The same rule for each of them; only the descriptions and the comment tell whose it is. */
export function sharedDocument({ word, side }: SupplierOfOld, status = 'ACTIVE', more = ''): string {
  return `# ${word} comment
slug: ${shared}
name: Parts of ${word}
description: ${word} description
status: ${status}
contract:
  start: 2024-01-01
  end: 2026-12-31
  frequency: QUARTERLY
  price: { amount: 1000.00, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  metal: { series: CUSTOM/metal, weight: 1, base: { value: 100 }, lag: 1 month }
clause: {}
parties: { buyer: [${emails.buyer}], supplier: ${side} }
corrections: { when: EACH }
${more}`
}

const figure = (period: string, value: string, published: string, version = 'FINAL') =>
  `series,period,value,version,published,name\nCUSTOM/metal,${period},${value},${version},${published},Metal\n`

const firstFigures = `series,period,value,version,published,name
CUSTOM/metal,2023-12,100.00,FINAL,2024-01-15,Metal
CUSTOM/metal,2024-03,117.31,FINAL,2024-03-30,Metal
CUSTOM/metal,2024-06,119.57,FINAL,2024-06-30,Metal
CUSTOM/metal,2024-09,121.93,FINAL,2024-09-30,Metal
`

/**
 * Prices of periods that one of them signed, as they were signed and as they were corrected. Receipts go on from exact
 * factors, which are no secret between them: they follow from the rule and the figures.
 */
export const oldFigures = ['1173.10', '1184.70', '117310', '118470']
export const newFigures = ['1257.70', '1231.10', '12311.00', '12577.00']

export interface ChangedHouse extends Seats {
  readonly old: Browser
  readonly next: Browser
  readonly third: Browser
  /** Of the old one: agreed in its time, and proposed after it. Of the new one: proposed. */
  readonly corrections: { readonly agreed: string; readonly late: string; readonly own: string }
  readonly objections: { readonly old: string; readonly next: string }
}

/** Before the change: what the first of them did. */
export async function openUnchanged(console: TestConsole) {
  const seats = await makeSeats(console.api)
  const { tenant, as, slug } = seats
  for (const { word, side } of companies) {
    const added = await as.editor.post('/parties', { slug: side, name: `${word} Incorporated` })
    expect(added.status, added.text).toBe(201)
  }
  const browsers: Browser[] = []
  for (const { email, side } of companies) {
    const id = await join(console.api, tenant.id, email, 'supplier')
    expect((await as.owner.patch(`/people/${id}`, { party: side })).status).toBe(200)
    browsers.push(await signIn(console.api, email, slug))
  }
  const [old, next, third] = browsers as [Browser, Browser, Browser]
  for (const browser of [as.buyer, old, next]) await browser.confirm()
  await tenant.import(firstFigures)
  await tenant.apply(sharedDocument(oldSupplier))
  await applyList(tenant, shared, 'item,price,currency,per,unit\nfennel-item,1000.00,EUR,1,piece\n')
  await signThrough(as.buyer, 'buyer', '2024-Q3')
  await signThrough(old, 'supplier', '2024-Q3')
  const objection = await objectTo(old, '2024-Q4', 'fennel objection')
  const talk = `/agreements/${shared}/periods/2024-Q4/objections/${objection}`
  expect((await as.buyer.post(`${talk}/answers`, { words: 'an answer to fennel' })).status).toBe(201)
  expect((await old.post(`${talk}/withdraw`, { words: 'fennel gives in' })).status).toBe(201)
  await signThrough(old, 'supplier', '2024-Q4')
  const line = { agreement: shared, item: 'fennel-item', currency: 'EUR', line: '1' }
  await keepLines(tenant, [
    { ...line, invoice: 'FENNEL-4711', quantity: '100', unitPrice: '1173.10', amount: '117310.00', date: '2024-05-10' },
    { ...line, invoice: 'FENNEL-4712', quantity: '10', unitPrice: '1219.30', amount: '12193.00', date: '2024-10-15' },
  ])
  await tenant.import(figure('2024-03', '118.47', '2024-08-13', 'REVISED'))
  const agreed = await propose(as.owner)
  await signCorrection(as.buyer, 'buyer', agreed)
  await signCorrection(old, 'supplier', agreed)
  const note = await as.owner.post(`/corrections/${agreed}/note`, { number: 'FENNEL-NOTE-1', date: '2024-09-01' })
  expect(note.status, note.text).toBe(201)
  return { ...seats, old, next, third, agreed, objection }
}

/** After it: what the second one did, and what came for the first one later. */
export async function openChanged(console: TestConsole): Promise<ChangedHouse> {
  const house = await openUnchanged(console)
  const { tenant, as, old, next, agreed, objection } = house
  await tenant.apply(sharedDocument(newSupplier))
  await tenant.import(figure('2024-12', '125.77', '2024-12-30'))
  await applyList(tenant, shared, 'item,price,currency,per,unit\npepper-item,1000.00,EUR,1,piece\n', '2024-Q4')
  await signThrough(as.buyer, 'buyer', '2024-Q4')
  await signThrough(next, 'supplier', '2024-Q4')
  const spoken = await objectTo(next, '2025-Q1', 'pepper objection')
  const line = { agreement: shared, item: 'pepper-item', currency: 'EUR', line: '1' }
  await keepLines(tenant, [
    { ...line, invoice: 'PEPPER-1', quantity: '10', unitPrice: '1219.30', amount: '12193.00', date: '2024-11-10' },
  ])
  await tenant.import(figure('2024-06', '119.83', '2025-02-01', 'REVISED'))
  await tenant.import(figure('2024-09', '123.11', '2025-02-01', 'REVISED'))
  const late = await propose(as.owner)
  const own = await propose(as.owner)
  return {
    ...house,
    old,
    next,
    corrections: { agreed, late, own },
    objections: { old: objection, next: spoken },
  }
}

export async function propose(browser: Browser): Promise<string> {
  const { status, json, text } = await browser.post(`/agreements/${shared}/corrections`, { reason: null })
  expect(status, text).toBe(201)
  return (json as { id: string }).id
}

export async function signCorrection(browser: Browser, party: string, id: string): Promise<void> {
  const { correction } = await browser.json<CorrectionPage>(`/corrections/${id}`)
  const { status, text } = await browser.post(`/corrections/${id}/sign`, { party, hash: correction.hash })
  expect(status, text).toBe(200)
}

export async function signThrough(browser: Browser, party: string, period: string): Promise<void> {
  const path = `/agreements/${shared}/periods/${period}`
  const { signing } = await browser.json<AdjustmentPage>(path)
  const periods = signing.periods.map(each => ({ period: each.period, hash: each.hash }))
  const { status, text } = await browser.post(`${path}/sign`, { party, periods })
  expect(status, text).toBe(200)
}

async function objectTo(browser: Browser, period: string, reason: string): Promise<string> {
  const path = `/agreements/${shared}/periods/${period}`
  const { entry } = await browser.json<AdjustmentPage>(path)
  const said = { hash: entry.hash, about: { kind: 'number' }, reason, reading: null }
  const { status, text, json } = await browser.post(`${path}/objections`, said)
  expect(status, text).toBe(201)
  return (json as AdjustmentPage).objections.list[0]!.id
}
