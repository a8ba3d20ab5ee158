// A supplier that comes back to an agreement (T50): what others agreed on in its place it reads as that, with whom, and signs no number
// under it before it has agreed to it itself.
import { describe, expect, test } from 'vitest'
import { listToSign } from '../../src/agreements/open-signatures.ts'
import { currentInstant } from '../../src/cli/frame/clock.ts'
import { AgreementSnapshot } from '../../src/read/agreements/agreement-snapshot.ts'
import { loadAgreementsNamed } from '../../src/storage/agreements/agreements.ts'
import { rowSealsOf } from '../../src/storage/log/row-seals.ts'
import { listMemberStates } from '../../src/storage/people/people.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { waitsForMember } from '../../src/views/mail-lookout.ts'
import type { AdjustmentPage, WaitingTally } from '../../src/views/shapes/agreements.ts'
import type { TableResult } from '../../src/views/shapes/imports.ts'
import type { Inbox, PeriodsRow, ToSign } from '../../src/views/shapes/inbox.ts'
import type { TermsChangePage, TermsProposed } from '../../src/views/shapes/index-changes.ts'
import type { AgreementPriceRows } from '../../src/views/shapes/invoices.ts'
import type { VersionView } from '../../src/views/shapes/versions.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { eventually } from '../support/houses/api.ts'
import {
  type Browser,
  emails,
  join,
  linesOf,
  makeSeats,
  partsOfConsole,
  type Seats,
  signIn,
} from '../support/houses/console.ts'
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
async function agree(house: Pick<House, 'as'>, supplier: Browser, text: string): Promise<string> {
  const proposed = await house.as.editor.post('/agreements/brackets/amendments', { text, reason: 'other terms' })
  expect(proposed.status, proposed.text).toBe(201)
  return signBoth(house, supplier, (proposed.json as TermsProposed).id)
}

/** A price list from the first period; null where one side may apply it alone, or the proposal that both sign. */
async function applyList({ as }: Pick<House, 'as'>, from = '2024-Q2'): Promise<string | null> {
  const query = `file=a.csv&mode=import&kind=prices&agreement=brackets&from=${from}`
  const reply = await as.editor.upload(`/import?${query}`, 'item,price,currency,unit\nA,5,EUR,piece\n')
  const end = linesOf<TableResult>(reply).at(-1)!
  expect(end.isDone, reply.text).toBe(true)
  return end.list!.proposal
}

/** Proposed where one side has signed a number. */
async function listAfterSignature(house: House): Promise<string> {
  expect((await sign(house.as.buyer, 'buyer')).status).toBe(200)
  return (await applyList(house))!
}

async function signBoth({ as }: Pick<House, 'as'>, supplier: Browser, id: string): Promise<string> {
  for (const [party, browser] of [
    ['buyer', as.buyer],
    ['supplier', supplier],
  ] as const) {
    const { change } = await browser.json<TermsChangePage>(`/terms-changes/${id}`)
    const signed = await browser.post(`/terms-changes/${id}/sign`, { party, hash: change.hash })
    expect(signed.status, signed.text).toBe(200)
  }
  return id
}

async function sign(browser: Browser, party: 'buyer' | 'supplier', wanted = '2024-Q2') {
  const path = `/agreements/brackets/periods/${wanted}`
  const { entry, signing } = await browser.json<AdjustmentPage>(path)
  const reply = await browser.post(`${path}/sign`, { party, periods: [{ period: entry.period, hash: entry.hash }] })
  return { status: reply.status, text: reply.text, whyNot: signing.whyNot }
}

const nothing: WaitingTally = { agreements: 0, periods: 0, corrections: 0, changes: 0 }

/** Once everything is computed. */
const inboxOf = (browser: Browser) =>
  eventually(
    () => browser.json<Inbox>('/sign-offs'),
    ({ pending }) => pending === 0,
  )

const badgeOf = async (browser: Browser) =>
  (await browser.json<{ readonly mineCount: number }>('/sign-offs/count')).mineCount

/** What a mail tells the real supplier. */
async function mailOf({ tenant, at }: House) {
  const { sql } = console.api
  const members = await listMemberStates(sql, tenant.id)
  return waitsForMember(partsOfConsole(console.api), tenant.id, members.find(({ email }) => email === at.real)!)
}

/** How much the command lists for each side. */
async function listedFor({ tenant }: House) {
  const { buyer, supplier } = await withWorkspace(console.api.sql, tenant.id, async tx => {
    const [kept] = await loadAgreementsNamed(tx, tenant.id, ['brackets'])
    return listToSign(tx, new AgreementSnapshot(kept!, rowSealsOf(tx)), currentInstant())
  })
  return { buyer: buyer.length, supplier: supplier.length }
}

/** The one row that waits for others: its periods, whom it is offered to, and what is in the way. */
function periodsOf({ others: { rows } }: Inbox) {
  const [row] = rows as readonly PeriodsRow[]
  return [row?.periods.map(({ period }) => period), row?.as, row?.hindrance]
}

const originOf = async (browser: Browser) =>
  (await browser.json<readonly VersionView[]>('/agreements/brackets/versions'))[0]!.origin

const billed = (text: string) => text.replace('frequency: QUARTERLY', 'frequency: QUARTERLY\n  priceDate: ORDER')

/** The billing terms beside the versions, the newest first. */
const billingOf = async (browser: Browser) =>
  (await browser.json<readonly VersionView[]>('/agreements/brackets/versions')).flatMap(({ billing }) => billing)

const listsOf = async (browser: Browser) =>
  (await browser.json<AgreementPriceRows>('/agreements/brackets/prices')).lists

describe('a supplier that comes back', () => {
  test('reads with whom they were agreed, and signs under them only once it has agreed', async () => {
    const house = await newHouse()
    const { as, tenant, real, puppet, at, document } = house
    const id = await agree(house, puppet, document('puppet', theirs))
    await tenant.apply(document('real', theirs))
    const words = expect.stringMatching(new RegExp(`^agreed without you, with ${at.puppet} as supplier, on \\d`))
    expect(await originOf(real)).toEqual({ kind: 'WITHOUT_YOU', words, needsConsent: true })
    const { between, withoutYou } = await as.buyer.json<TermsChangePage>(`/terms-changes/${id}`)
    expect([between, withoutYou]).toEqual([`the buyer ${at.ann} and the supplier ${at.puppet}`, null])
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
      text: document('real', theirs),
      reason: 'again',
    })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('says what brackets says already')])
  })

  test('is offered nothing to sign under them, and is led to the versions', async () => {
    const house = await newHouse()
    const { as, tenant, real, puppet, document } = house
    await agree(house, puppet, document('puppet', theirs))
    await tenant.apply(document('real', theirs))
    const ours = await inboxOf(real)
    expect([ours.mine.rows, ours.counts.mine, await badgeOf(real), await mailOf(house)]).toEqual([[], nothing, 0, []])
    const told = {
      isConsent: true,
      words: expect.stringMatching(/^Formula 2 of brackets was agreed without you, with /),
    }
    expect(periodsOf(ours)).toEqual([['2024-Q2', '2024-Q3', '2024-Q4'], null, told])
    const overview = await real.json<{ waitsForMe: boolean; waiting: { as: unknown }[] }>('/overview')
    expect([overview.waitsForMe, overview.waiting.map(each => each.as)]).toEqual([false, [null, null, null]])
    expect((await real.json<{ found: number }>('/agreements?state=WAITS_FOR_ME')).found).toBe(0)
    const asked = await real.post('/sign-offs/to-sign', { agreements: [{ slug: 'brackets' }] })
    const { agreements, refused } = asked.json as ToSign
    expect([agreements, refused]).toEqual([
      [],
      [expect.objectContaining({ why: expect.stringContaining('without you') })],
    ])
    expect(await listedFor(house)).toEqual({ buyer: 3, supplier: 0 })
    // The buyer signs, and reads whom it then waits for.
    const theirInbox = await inboxOf(as.buyer)
    expect(theirInbox.counts.mine).toMatchObject({ periods: 3 })
    expect((await sign(as.buyer, 'buyer')).status).toBe(200)
    const half = await inboxOf(as.buyer)
    expect(periodsOf(half)).toEqual([
      ['2024-Q2'],
      null,
      { isConsent: true, words: expect.stringContaining('agreed without the supplier') },
    ])
    await agree(house, real, document('real', theirs))
    const after = await inboxOf(real)
    expect([after.counts.mine, after.others.rows, await badgeOf(real)]).toEqual([
      { ...nothing, agreements: 1, periods: 3 },
      [],
      3,
    ])
    expect((await mailOf(house))?.map(({ periods }) => periods)).toEqual([3])
  })

  test('signs what comes before those terms, and no more', async () => {
    const house = await newHouse()
    const { tenant, real, puppet, document } = house
    const later = (supplier: 'real' | 'puppet') => `${document(supplier, theirs)}\neffectiveFrom: 2024-07-01\n`
    await agree(house, puppet, later('puppet'))
    await tenant.apply(later('real'))
    const { mine, others } = await inboxOf(real)
    const own = mine.rows as readonly PeriodsRow[]
    const rest = others.rows as readonly PeriodsRow[]
    expect([own, rest].map(rows => rows.flatMap(row => row.periods.map(({ period }) => period)))).toEqual([
      ['2024-Q2'],
      ['2024-Q3', '2024-Q4'],
    ])
    // A page of a later period tells what of the periods before it is in the way.
    const page = await real.json<AdjustmentPage>('/agreements/brackets/periods/2024-Q4')
    expect(page.signing).toMatchObject({ as: null, whyNot: expect.stringContaining('agreed without you') })
    const asked = await real.post('/sign-offs/to-sign', { agreements: [{ slug: 'brackets' }] })
    expect((asked.json as ToSign).agreements.map(({ periods }) => periods.map(({ period }) => period))).toEqual([
      ['2024-Q2'],
    ])
    expect((await sign(real, 'supplier')).status).toBe(200)
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
      text: document('real', theirs),
      reason: 'consent',
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

  test.each(['BOTH', 'ONE'])(
    'signs nothing priced by a list that others signed before it signs it too, %s',
    async change => {
      const house = await newHouse(change)
      const { as, tenant, real, puppet, at, document } = house
      expect((await sign(as.buyer, 'buyer')).status).toBe(200)
      await signBoth(house, puppet, (await applyList(house))!)
      await tenant.apply(document('real', first))
      const refused = await sign(real, 'supplier')
      const words = `price list 1 of brackets was agreed without you, with ${at.puppet} as supplier, on `
      expect([refused.status, refused.whyNot]).toEqual([409, expect.stringContaining(words)])
      expect(refused.text).toContain('before you sign 2024-Q2, agree to the same list from 2024-Q2, or to another')
      const again = (await applyList(house))!
      expect((await sign(real, 'supplier')).status).toBe(409)
      await signBoth(house, real, again)
      expect((await sign(real, 'supplier')).status).toBe(200)
    },
  )

  test('reads of such a list that it was agreed without it, with whom, and no more of it', async () => {
    const house = await newHouse()
    const { as, tenant, real, puppet, at, document } = house
    await signBoth(house, puppet, await listAfterSignature(house))
    await tenant.apply(document('real', first))
    const [list] = await listsOf(real)
    const words = expect.stringMatching(new RegExp(`^agreed without you, with ${at.puppet} as supplier, on \\d`))
    const origin = { kind: 'WITHOUT_YOU', words, needsConsent: true }
    expect(list).toEqual({ version: 1, from: '2024-Q2', recordedAt: list!.recordedAt, origin, applied: null })
    expect((await listsOf(as.buyer))[0]).toMatchObject({ origin: { kind: 'BOTH' }, applied: { items: 1 } })
    // Who came in its place and left again reads of its own list alone.
    const again = (await applyList(house))!
    await signBoth(house, real, again)
    expect((await listsOf(real)).map(each => each.origin.kind)).toEqual(['BOTH', 'WITHOUT_YOU'])
    expect((await listsOf(puppet)).map(each => [each.version, each.origin.kind])).toEqual([[1, 'BOTH']])
    expect((await real.json<TermsChangePage>(`/terms-changes/${again}`)).withoutYou).toBeNull()
  })

  test('is offered no number that such a list prices, and is led to it', async () => {
    const house = await newHouse()
    const { as, tenant, real, puppet, document } = house
    await signBoth(house, puppet, await listAfterSignature(house))
    await tenant.apply(document('real', first))
    const ours = await inboxOf(real)
    expect([ours.mine.rows, ours.counts.mine, await badgeOf(real), await mailOf(house)]).toEqual([[], nothing, 0, []])
    const words = expect.stringMatching(
      /^Price list 1 of brackets was agreed without you, .* agree to the same list from 2024-Q2, or to another\.$/,
    )
    expect(periodsOf(ours)).toEqual([['2024-Q2', '2024-Q3', '2024-Q4'], null, { isConsent: true, words }])
    expect((await listedFor(house)).supplier).toBe(0)
    expect((await sign(as.buyer, 'buyer')).status).toBe(200)
    expect(periodsOf(await inboxOf(as.buyer))).toEqual([
      ['2024-Q2'],
      null,
      { isConsent: true, words: expect.stringMatching(/^Price list 1 was agreed without the supplier, /) },
    ])
    await signBoth(house, real, (await applyList(house))!)
    expect((await inboxOf(real)).counts.mine).toMatchObject({ periods: 3 })
  })

  test.each(['BOTH', 'ONE'])('is not held to a number that it signed before such a list, %s', async change => {
    const house = await newHouse(change)
    const { as, tenant, real, puppet, document } = house
    await tenant.apply(document('real', first))
    expect((await sign(real, 'supplier')).status).toBe(200)
    await tenant.apply(document('puppet', first))
    const proposal = await applyList(house)
    if (proposal !== null) await signBoth(house, puppet, proposal)
    await tenant.apply(document('real', first))
    // Its own signature is of the same number as before.
    const refused = await sign(as.buyer, 'buyer')
    expect([refused.status, refused.whyNot]).toEqual([
      409,
      'the supplier signed 2024-Q2 before price list 1 of brackets, which was agreed without it; the supplier first agrees to it, or to other terms',
    ])
    const theirs = await inboxOf(as.buyer)
    expect([theirs.counts.mine, periodsOf(theirs)[2]]).toEqual([
      nothing,
      { isConsent: true, words: expect.stringMatching(/^The supplier signed 2024-Q2 before/) },
    ])
    expect((await listedFor(house)).buyer).toBe(0)
    await signBoth(house, real, (await applyList(house))!)
    expect((await sign(as.buyer, 'buyer')).status).toBe(200)
  })

  test('signs what counts from a renegotiated price, which such a list does not govern', async () => {
    const house = await newHouse('ONE')
    const { as, tenant, real, puppet, document } = house
    await tenant.apply(document('real', first))
    expect((await sign(as.buyer, 'buyer')).status).toBe(200)
    expect((await sign(real, 'supplier')).status).toBe(200)
    await tenant.apply(document('puppet', first))
    await signBoth(house, puppet, (await applyList(house))!)
    await tenant.apply(document('real', first))
    expect((await sign(real, 'supplier', '2024-Q3')).status).toBe(409)
    const renegotiated = document('real', first).replace('frequency:', 'restart: true\n  frequency:')
    await agree(house, real, `${renegotiated}\neffectiveFrom: 2024-07-01\n`)
    expect((await inboxOf(real)).counts.mine).toMatchObject({ periods: 2 })
    expect((await sign(real, 'supplier', '2024-Q3')).status).toBe(200)
    expect((await sign(real, 'supplier', '2024-Q4')).status).toBe(200)
  })

  test('reads billing terms that others agreed on, and signs under them only once it has agreed', async () => {
    const house = await newHouse()
    const { as, tenant, real, puppet, at, document } = house
    const id = await agree(house, puppet, billed(document('puppet', first)))
    await tenant.apply(billed(document('real', first)))
    const words = expect.stringMatching(new RegExp(`^agreed without you, with ${at.puppet} as supplier, on \\d`))
    const terms = { references: [], priceDate: 'ORDER', prorate: 'NONE' }
    const without = { kind: 'WITHOUT_YOU', words, needsConsent: true }
    expect(await billingOf(real)).toEqual([{ version: 2, recordedAt: expect.any(String), origin: without, terms }])
    expect(await billingOf(as.buyer)).toMatchObject([{ version: 2, origin: { kind: 'BOTH', proposal: id }, terms }])
    expect((await real.get(`/terms-changes/${id}`)).status).toBe(404)
    const refused = await sign(real, 'supplier')
    expect([refused.status, refused.whyNot]).toEqual([
      409,
      expect.stringContaining(`billing version 2 of brackets was agreed without you, with ${at.puppet} as supplier`),
    ])
    expect(refused.text).toContain('agree to it by an amendment with the same document')
    const ours = await inboxOf(real)
    expect([ours.mine.rows, ours.counts.mine, await badgeOf(real), await mailOf(house)]).toEqual([[], nothing, 0, []])
    expect(periodsOf(ours)).toEqual([
      ['2024-Q2', '2024-Q3', '2024-Q4'],
      null,
      { isConsent: true, words: expect.stringMatching(/^Billing version 2 of brackets was agreed without you, with /) },
    ])
    expect(await listedFor(house)).toEqual({ buyer: 3, supplier: 0 })
    expect((await sign(as.buyer, 'buyer')).status).toBe(200)
    await agree(house, real, billed(document('real', first)))
    expect(await billingOf(real)).toMatchObject([{ version: 2, origin: { ...without, needsConsent: false } }])
    expect((await sign(real, 'supplier')).status).toBe(200)
    const again = await as.editor.post('/agreements/brackets/amendments', {
      ...{ text: billed(document('real', first)), reason: 'again' },
    })
    expect([again.status, again.text]).toEqual([409, expect.stringContaining('says what brackets says already')])
    // Of terms that govern no more their content is not told, and a former supplier reads of its own alone.
    await agree(house, real, document('real', first))
    expect((await billingOf(real)).map(each => each.terms?.priceDate ?? null)).toEqual(['SERVICE', null])
    expect(await billingOf(puppet)).toMatchObject([{ version: 2, origin: { kind: 'BOTH' }, terms }])
  })

  test('is not held to a number that it signed before such billing terms', async () => {
    const house = await newHouse()
    const { as, tenant, real, puppet, document } = house
    await tenant.apply(document('real', first))
    expect((await sign(real, 'supplier')).status).toBe(200)
    await agree(house, real, document('puppet', first))
    await agree(house, puppet, billed(document('puppet', first)))
    await agree(house, puppet, billed(document('real', first)))
    const refused = await sign(as.buyer, 'buyer')
    expect([refused.status, refused.whyNot]).toEqual([
      409,
      'the supplier signed 2024-Q2 before billing version 2 of brackets, which was agreed without it; the supplier first agrees to it, or to other terms',
    ])
    await agree(house, real, billed(document('real', first)))
    expect((await sign(as.buyer, 'buyer')).status).toBe(200)
  })

  test('has agreed to no billing terms that others agreed on in the same document that brings it back', async () => {
    const house = await newHouse()
    const { real, puppet, document } = house
    await agree(house, puppet, billed(document('real', first)))
    expect((await sign(real, 'supplier')).whyNot).toContain('billing version 2 of brackets was agreed without you')
    // Other terms that it agrees to count as well.
    await agree(house, real, document('real', first))
    expect((await billingOf(real)).map(each => [each.version, each.origin.kind, each.terms?.priceDate])).toEqual([
      [3, 'BOTH', 'SERVICE'],
      [2, 'WITHOUT_YOU', 'ORDER'],
    ])
    expect((await sign(real, 'supplier')).status).toBe(200)
  })

  test('reads that one side changed the billing terms alone, where the contract lets it', async () => {
    const { tenant, real, document } = await newHouse('ONE')
    await tenant.apply(billed(document('puppet', first)))
    await tenant.apply(billed(document('real', first)))
    expect(await billingOf(real)).toMatchObject([{ origin: { kind: 'WITHOUT_YOU', needsConsent: false } }])
    expect((await sign(real, 'supplier')).status).toBe(200)
  })

  test.each([
    ['when prices are corrected', (text: string) => `${text}\ncorrections: { when: EACH }\n`],
    ['what a missing figure does', (text: string) => text.replace('lag: 1 month', 'lag: 1 month, missing: LAST_KNOWN')],
    ['an earlier end', (text: string) => text.replace('end: 2024-12-31', 'end: 2024-11-30')],
  ])('agrees first to a formula version that changes %s', async (_, changed) => {
    const house = await newHouse()
    const { tenant, real, puppet, document } = house
    await agree(house, puppet, changed(document('puppet', first)))
    await tenant.apply(changed(document('real', first)))
    expect((await sign(real, 'supplier')).whyNot).toContain('formula 2 of brackets was agreed without you')
  })

  test('is asked about no name and no way of signing: neither moves a price', async () => {
    const house = await newHouse()
    const { tenant, real, puppet, document } = house
    const described = (supplier: 'real' | 'puppet') =>
      document(supplier, first)
        .replace('name: Steel brackets', 'name: Brackets of steel')
        .replace('parties: {', 'parties: { signWith: [password, passkey],')
    await agree(house, puppet, described('puppet'))
    await tenant.apply(described('real'))
    expect(await sign(real, 'supplier')).toMatchObject({ status: 200, whyNot: null })
  })

  test('signs under a list that one side applied alone, where the contract lets it', async () => {
    const house = await newHouse('ONE')
    expect(await applyList(house, 'start')).toBeNull()
    await house.tenant.apply(house.document('real', first))
    expect((await sign(house.real, 'supplier')).status).toBe(200)
  })
})
