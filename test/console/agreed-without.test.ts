// A supplier that comes back to an agreement (T50): what others agreed on in its place it reads as that, with whom, and signs no number
// under it before it has agreed to it itself.
import { describe, expect, test } from 'vitest'
import type { AdjustmentPage } from '../../src/views/shapes/agreements.ts'
import type { TermsChangePage, TermsProposed } from '../../src/views/shapes/index-changes.ts'
import type { VersionView } from '../../src/views/shapes/versions.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { type Browser, emails, join, makeSeats, type Seats, signIn } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()
const first = '{ fixed: 0.40, cap: { periodPct: 5 } }'
const theirs = '{ fixed: 0.40, cap: { periodPct: 4 } }'
const others = '{ fixed: 0.40, cap: { periodPct: 3 } }'

interface House extends Seats {
  readonly real: Browser
  readonly puppet: Browser
  readonly at: { readonly ann: string; readonly real: string; readonly puppet: string }
  readonly document: (supplier: 'real' | 'puppet', clause: string, change?: string) => string
}

let houses = 0
/** The real supplier is named, then another in its place. */
async function newHouse(change = 'BOTH'): Promise<House> {
  const prefix = `without-${++houses}-`
  const seats = await makeSeats(console.api, prefix)
  const at = {
    ann: `${prefix}${emails.buyer}`,
    real: `${prefix}${emails.supplier}`,
    puppet: `pia-${houses}@puppet.test`,
  }
  await join(console.api, seats.tenant.id, at.puppet, 'supplier')
  const puppet = await signIn(console.api, at.puppet, seats.slug)
  for (const browser of [seats.as.buyer, seats.as.supplier, puppet]) await browser.confirm()
  await seats.tenant.import(bracketsTable)
  const document = (supplier: 'real' | 'puppet', clause: string) =>
    bracketsDocument({ clause, more: `parties: { buyer: [${at.ann}], supplier: [${at[supplier]}] }` }).replace(
      'frequency: QUARTERLY',
      `frequency: QUARTERLY\n  change: ${change}`,
    )
  await seats.tenant.apply(document('real', first))
  await seats.tenant.apply(document('puppet', first))
  return { ...seats, real: seats.as.supplier, puppet, at, document }
}

/** An amendment that both sides sign. */
async function agree({ as }: Pick<House, 'as'>, supplier: Browser, text: string): Promise<void> {
  const proposed = await as.editor.post('/agreements/brackets/amendments', { text, reason: 'other terms' })
  expect(proposed.status, proposed.text).toBe(201)
  const { id } = proposed.json as TermsProposed
  for (const [party, browser] of [
    ['buyer', as.buyer],
    ['supplier', supplier],
  ] as const) {
    const { change } = await browser.json<TermsChangePage>(`/terms-changes/${id}`)
    const signed = await browser.post(`/terms-changes/${id}/sign`, { party, hash: change.hash })
    expect(signed.status, signed.text).toBe(200)
  }
}

async function sign(browser: Browser, party: 'buyer' | 'supplier') {
  const path = '/agreements/brackets/periods/2024-Q2'
  const { entry, signing } = await browser.json<AdjustmentPage>(path)
  const reply = await browser.post(`${path}/sign`, { party, periods: [{ period: entry.period, hash: entry.hash }] })
  return { status: reply.status, text: reply.text, whyNot: signing.whyNot }
}

const originOf = async (browser: Browser) =>
  (await browser.json<readonly VersionView[]>('/agreements/brackets/versions'))[0]!.origin

describe('a supplier that comes back', () => {
  test('reads with whom they were agreed, and signs under them only once it has agreed', async () => {
    const house = await newHouse()
    const { as, tenant, real, puppet, at, document } = house
    await agree(house, puppet, document('puppet', theirs))
    await tenant.apply(document('real', theirs))
    const words = expect.stringMatching(new RegExp(`^agreed without you, with ${at.puppet} as supplier, on \\d`))
    expect(await originOf(real)).toEqual({ kind: 'WITHOUT_YOU', words, needsConsent: true })
    const refused = await sign(real, 'supplier')
    expect([refused.status, refused.whyNot]).toEqual([409, expect.stringContaining('agreed without you, with')])
    expect(refused.text).toContain('agree to it by an amendment with the same document')
    // Who was there all the time signs.
    expect((await sign(as.buyer, 'buyer')).status).toBe(200)
    expect(await originOf(as.buyer)).toMatchObject({ kind: 'BOTH' })
    await agree(house, real, document('real', theirs))
    expect(await originOf(real)).toMatchObject({ kind: 'WITHOUT_YOU', needsConsent: false })
    expect((await sign(real, 'supplier')).status).toBe(200)
    // What was agreed to says nothing else a second time.
    const again = await as.editor.post('/agreements/brackets/amendments', {
      ...{ text: document('real', theirs), reason: 'again' },
    })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('says what brackets says already')])
  })

  test('signs under other terms that it has agreed to', async () => {
    const house = await newHouse()
    const { tenant, real, puppet, document } = house
    await agree(house, puppet, document('puppet', theirs))
    await tenant.apply(document('real', theirs))
    await agree(house, real, document('real', others))
    expect(await originOf(real)).toMatchObject({ kind: 'BOTH' })
    expect((await sign(real, 'supplier')).status).toBe(200)
  })

  test('is bound by what only proposed, or signed by one side, no more than before', async () => {
    const house = await newHouse()
    const { as, tenant, real, puppet, document } = house
    await agree(house, puppet, document('puppet', theirs))
    await tenant.apply(document('real', theirs))
    const proposed = await as.editor.post('/agreements/brackets/amendments', {
      ...{ text: document('real', theirs), reason: 'consent' },
    })
    const { id } = proposed.json as TermsProposed
    const { hash } = (await as.buyer.json<TermsChangePage>(`/terms-changes/${id}`)).change
    expect((await as.buyer.post(`/terms-changes/${id}/sign`, { party: 'buyer', hash })).status).toBe(200)
    expect((await sign(real, 'supplier')).status).toBe(409)
  })

  test('reads that one side changed the terms alone, where the contract lets it', async () => {
    const { tenant, real, document } = await newHouse('ONE')
    await tenant.apply(document('puppet', theirs))
    await tenant.apply(document('real', theirs))
    expect(await originOf(real)).toMatchObject({ kind: 'WITHOUT_YOU', needsConsent: false })
    expect((await sign(real, 'supplier')).status).toBe(200)
  })

  test('is not asked about what was there before it came first', async () => {
    const house = await newHouse()
    const { tenant, puppet, document } = house
    await agree(house, puppet, document('puppet', theirs))
    await tenant.apply(document('real', theirs))
    await tenant.apply(document('puppet', theirs))
    expect(await originOf(puppet)).toMatchObject({ kind: 'BOTH' })
    expect((await sign(puppet, 'supplier')).status).toBe(200)
  })
})
