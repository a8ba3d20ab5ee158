// How much waits for whom, over random portfolios: first page, badge, inbox, list and mail say the same numbers as the stored rows, for
// buyer, suppliers of today and before, and auditor.
import { describe, expect, test } from 'vitest'
import { proposeCorrection, refuseCorrection, signCorrection } from '../../src/agreements/correct.ts'
import { objectToPeriod } from '../../src/agreements/object.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { proposeAmendment } from '../../src/agreements/terms/propose.ts'
import { signChange } from '../../src/agreements/terms/sign-change.ts'
import { limits } from '../../src/limits.ts'
import { listMemberStates } from '../../src/storage/people/people.ts'
import type { WaitingCount } from '../../src/views/calls/agreement-calls.ts'
import { waitsForMember } from '../../src/views/mail-lookout.ts'
import type { AgreementList, WaitingTally } from '../../src/views/shapes/agreements.ts'
import type { Inbox } from '../../src/views/shapes/inbox.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import type { CorrectionPage } from '../../src/views/shapes/true-up.ts'
import type { ViewContext } from '../../src/views/sight/view-parts.ts'
import { Chance } from '../faults/chance.ts'
import { eventually } from '../support/houses/api.ts'
import { type Browser, emails, join, makeSeats, partsOfConsole, type Seats, signIn } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { keepLines } from '../support/houses/priced-tenant.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { roundsOf, seedOr } from '../support/run/long-form.ts'

const console = consoleHouse()

/** More than there are lives of a correction. */
const agreements = roundsOf('properties', 'agreements of a portfolio in which something waits', 11, 14)

const suppliers = [emails.supplier, 'fay@fennel.test', 'pia@pepper.test'] as const
type Supplier = (typeof suppliers)[number]

/** Months with a figure, each of which is an adjustment date: more than any list or page shows. */
const months = Array.from(
  { length: 24 },
  (_, i) => `${2023 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
)

/** One agreement, drawn at random. */
interface Drawn {
  readonly slug: string
  readonly supplier: Supplier
  /** In whose place another is named in the end; null where none is. */
  readonly next: Supplier | null
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'EXPIRED' | 'ARCHIVED' | 'DRAFT'
  /** How many of its periods both sign, and how many more each side signs alone. */
  readonly both: number
  readonly alone: { readonly party: 'buyer' | 'supplier'; readonly count: number }
  readonly objects: boolean
  /** Who signs an amendment that is proposed for it; null where none is. */
  readonly amends: 'nobody' | 'buyer' | 'supplier' | null
  /** What happens to the correction of its first period, one after the other. */
  readonly correction: readonly ('propose' | 'buyer' | 'supplier' | 'refuse' | 'revise')[]
}

const correctionLives: readonly Drawn['correction'][] = [
  [],
  ['propose'],
  ['propose', 'buyer'],
  ['propose', 'supplier'],
  ['propose', 'buyer', 'supplier'],
  ['propose', 'refuse'],
  ['propose', 'refuse', 'propose', 'supplier'],
  ['propose', 'revise'],
  ['propose', 'buyer', 'revise'],
  ['propose', 'revise', 'propose'],
]

function draw(chance: Chance, n: number): Drawn {
  const supplier = chance.pick(suppliers)
  const others = suppliers.filter(each => each !== supplier)
  // The first few have each a life of their own, so that every one occurs.
  const correction = correctionLives[n] ?? chance.pick(correctionLives)
  return {
    slug: `agreement-${n}`,
    supplier,
    next: chance.chance(30) ? chance.pick(others) : null,
    status: chance.chance(65) ? 'ACTIVE' : chance.pick(['SUSPENDED', 'EXPIRED', 'ARCHIVED', 'DRAFT'] as const),
    both: chance.int(correction.length > 0 ? 1 : 0, 8),
    alone: { party: chance.pick(['buyer', 'supplier'] as const), count: chance.int(0, 4) },
    objects: chance.chance(30),
    amends: chance.chance(40) ? chance.pick(['nobody', 'buyer', 'supplier'] as const) : null,
    correction,
  }
}

const documentOf = ({ slug }: Drawn, supplier: Supplier, status: string) => `slug: ${slug}
name: ${slug}
status: ${status}
contract: { start: 2022-12-01, end: 2024-12-31, frequency: MONTHLY, price: { amount: 100.00, currency: EUR, unit: piece, round: { dp: 2 } } }
inputs: { x: { series: CUSTOM/${slug}, weight: 1, base: { value: 100 } } }
clause: {}
parties: { supplier: [${supplier}] }
corrections: { when: EACH }
`

/** All of them step by step, the figures of every step in one file. */
async function make({ tenant }: Seats, portfolio: readonly Drawn[]): Promise<void> {
  const { sql, ring } = console.api
  const seal = new Seal(ring)
  const workspaceId = tenant.id
  const publish = (rows: readonly string[]) =>
    rows.length === 0 ? null : tenant.import(`series,period,value,version,published\n${rows.join('\n')}\n`)
  await publish(
    portfolio.flatMap(({ slug }) => months.map((month, i) => `CUSTOM/${slug},${month},${101 + i},FINAL,2025-07-01`)),
  )
  const speakerOf = ({ slug, supplier }: Drawn) => ({
    workspaceId,
    agreement: slug,
    party: 'supplier' as const,
    email: supplier,
    means: 'SESSION' as const,
    fromAddress: null,
  })
  for (const drawn of portfolio) {
    const { slug, supplier, both, alone, objects } = drawn
    await tenant.apply(documentOf(drawn, supplier, 'ACTIVE'))
    const sign = async (party: 'buyer' | 'supplier', count: number) => {
      const email = party === 'buyer' ? emails.buyer : supplier
      if (count > 0) await tenant.signUnheard(slug, months[count - 1]!, party, { through: true, email })
    }
    await sign('buyer', both)
    await sign('supplier', both)
    if (alone.count > 0) await sign(alone.party, both + alone.count)
    const about = {
      period: months.at(-1)!,
      hash: null,
      about: { kind: 'number' as const },
      reason: 'No.',
      reading: null,
    }
    if (objects) await objectToPeriod(sql, seal, { ...speakerOf(drawn), ...about })
  }
  let value = 200
  const revise = (some: readonly Drawn[]) =>
    publish(some.map(({ slug }) => `CUSTOM/${slug},${months[0]},${++value},REVISED,2025-08-01`))
  await revise(portfolio.filter(({ correction }) => correction.length > 0))
  const ids = new Map<Drawn, string>()
  for (let step = 0; step < Math.max(...correctionLives.map(each => each.length)); step++) {
    await revise(portfolio.filter(({ correction }) => correction[step] === 'revise'))
    for (const drawn of portfolio) {
      const act = drawn.correction[step]
      const id = ids.get(drawn) ?? ''
      if (act === 'propose') {
        const by = { who: emails.editor, fromAddress: null }
        const proposed = await proposeCorrection(sql, seal, { workspaceId, agreement: drawn.slug, reason: null, by })
        ids.set(drawn, proposed.correction.id)
      } else if (act === 'refuse')
        await refuseCorrection(sql, seal, { ...speakerOf(drawn), id, hash: null, reason: 'No.' })
      else if (act === 'buyer' || act === 'supplier') {
        const email = act === 'buyer' ? emails.buyer : drawn.supplier
        const signer = { party: act, email, proof: { means: 'PASSWORD' as const }, fromAddress: null }
        await signCorrection(sql, seal, { workspaceId, id, hash: null, ...signer })
      }
    }
  }
  for (const drawn of portfolio) {
    const { slug, supplier, amends } = drawn
    if (amends === null) continue
    const text = documentOf(drawn, supplier, 'ACTIVE').replace('clause: {}', 'clause: { cap: { periodPct: 500 } }')
    const by = { who: emails.editor, fromAddress: null }
    const { id } = await proposeAmendment(sql, { workspaceId, agreement: slug, text, by, reason: 'A cap.' })
    if (amends === 'nobody') continue
    const email = amends === 'buyer' ? emails.buyer : supplier
    const signer = { party: amends, email, proof: { means: 'PASSWORD' as const }, fromAddress: null }
    await signChange(sql, seal, workspaceId, { id, hash: null, ...signer })
  }
  for (const drawn of portfolio) {
    const { supplier, next, status } = drawn
    if (next !== null) await tenant.apply(documentOf(drawn, next, 'ACTIVE'))
    if (status !== 'ACTIVE') await tenant.apply(documentOf(drawn, next ?? supplier, status))
  }
}

interface Counted {
  readonly mine: WaitingTally
  readonly others: WaitingTally
  readonly disputed: number
  /** Agreements of which something waits for somebody. */
  readonly any: number
}

/** What is open, from the rows that are stored and the months that have a figure; it shares no code with what is counted. */
async function countRows(workspaceId: string, who: 'buyer' | 'viewer' | Supplier): Promise<Counted> {
  const rows = await console.api.owner<StoredRow[]>`
    select a.slug, last.status, last.parties -> 'supplier' ->> 0 as supplier,
      (select coalesce(jsonb_agg(jsonb_build_object('period', o.period, 'party', o.party, 'by', o.signed_by, 'seq', o.seq)), '[]')
        from sign_off o where o.agreement_id = a.id) as "signOffs",
      (select coalesce(jsonb_agg(jsonb_build_object('period', o.period, 'seq', o.seq)), '[]') from objection o where o.agreement_id = a.id) as objections,
      (select min(s.seq) from agreement_state s where s.agreement_id = a.id and s.parties = last.parties) as since,
      (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'period', c.periods[1], 'isNewest', c.seq = (
          select max(n.seq) from correction n where n.agreement_id = c.agreement_id),
        'isMoved', exists (select from vintage v join series s on s.id = v.series_id
          where s.code = a.slug and s.owner = a.workspace_id and v.seq > c.seq),
        'isRefused', exists (select from correction_refusal r where r.correction_id = c.id),
        'signedBy', (select coalesce(jsonb_agg(s.party), '[]') from correction_signature s where s.correction_id = c.id))), '[]')
        from correction c where c.agreement_id = a.id) as corrections,
      (select jsonb_build_object('seq', c.seq, 'lastState', (select max(s.seq) from agreement_state s where s.agreement_id = a.id),
          'signedBy', (select coalesce(jsonb_agg(s.party), '[]') from terms_change_signature s where s.change_id = c.id))
        from terms_change c where c.agreement_id = a.id) as amendment
    from agreement a join lateral (
      select status, parties from agreement_state s where s.agreement_id = a.id order by seq desc limit 1) last on true
    where a.workspace_id = ${workspaceId}`
  const counted = { mine: { ...nothing }, others: { ...nothing }, disputed: 0, any: 0 }
  for (const row of rows) addRow(counted, row, who)
  return counted
}

const nothing = { agreements: 0, periods: 0, corrections: 0, changes: 0 }

interface StoredRow {
  readonly slug: string
  readonly status: string
  readonly supplier: string
  readonly signOffs: readonly {
    readonly period: string
    readonly party: string
    readonly by: string
    readonly seq: number
  }[]
  readonly objections: readonly { readonly period: string; readonly seq: number }[]
  /** When the parties of now were named: what one side did before is about another receipt. */
  readonly since: number
  readonly corrections: readonly {
    readonly period: string
    readonly isNewest: boolean
    readonly isMoved: boolean
    readonly isRefused: boolean
    readonly signedBy: readonly string[]
  }[]
  /** Of an amendment; a state that is saved later closes it. */
  readonly amendment: { readonly seq: number; readonly lastState: number; readonly signedBy: readonly string[] } | null
}

interface Tallies {
  readonly mine: Tally
  readonly others: Tally
  disputed: number
  any: number
}

type Tally = { -readonly [K in keyof WaitingTally]: number }

function addRow(counted: Tallies, row: StoredRow, who: 'buyer' | 'viewer' | Supplier): void {
  const isSupplier = who !== 'buyer' && who !== 'viewer'
  const side = isSupplier ? 'supplier' : who
  const signersOf = (period: string) => row.signOffs.filter(each => each.period === period)
  const own = { mine: { ...nothing }, others: { ...nothing } }
  const put = (what: 'periods' | 'corrections' | 'changes', signedBy: readonly string[]) => {
    const isMine = side !== 'viewer' && !signedBy.includes(side)
    own[isMine ? 'mine' : 'others'][what]++
  }
  if (row.status === 'ACTIVE' && (!isSupplier || row.supplier === who))
    for (const period of months) {
      const signed = signersOf(period)
      if (signed.length === 2) continue
      put(
        'periods',
        signed.filter(({ seq }) => seq > row.since).map(({ party }) => party),
      )
      if (row.objections.some(each => each.period === period && each.seq > row.since)) counted.disputed++
    }
  for (const { period, isNewest, isMoved, isRefused, signedBy } of row.corrections) {
    const isOpen = isNewest && !isMoved && !isRefused && signedBy.length < 2
    const signer = signersOf(period).find(({ party }) => party === 'supplier')!.by
    const canBeSigned = row.status === 'ACTIVE' || row.status === 'EXPIRED'
    if (isOpen && canBeSigned && (!isSupplier || signer === who)) put('corrections', signedBy)
  }
  const { amendment } = row
  if (amendment !== null && amendment.lastState < amendment.seq && row.status === 'ACTIVE')
    if (!isSupplier || row.supplier === who) put('changes', amendment.signedBy)
  if (Object.values(own).some(({ periods, corrections, changes }) => periods + corrections + changes > 0)) counted.any++
  for (const which of ['mine', 'others'] as const) {
    const { periods, corrections, changes } = own[which]
    counted[which].periods += periods
    counted[which].corrections += corrections
    counted[which].changes += changes
    if (periods + corrections + changes > 0) counted[which].agreements++
  }
}

/** What each place says. */
async function askEverywhere(parts: ViewContext, seats: Seats, browser: Browser, email: string) {
  const badge = await eventually(
    () => browser.json<WaitingCount>('/sign-offs/count'),
    ({ pending }) => pending === 0,
  )
  const { waits } = await browser.json<Overview>('/overview')
  const { counts } = await browser.json<Inbox>('/sign-offs')
  const found = async (state: string) => (await browser.json<AgreementList>(`/agreements?state=${state}&limit=1`)).found
  const members = await listMemberStates(console.api.sql, seats.tenant.id)
  const mailed = (await waitsForMember(parts, seats.tenant.id, members.find(each => each.email === email)!))!
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  return {
    badge,
    waits,
    counts,
    listed: { mine: await found('WAITS_FOR_ME'), any: await found('WAITS') },
    mail: {
      agreements: mailed.length,
      periods: sum(mailed.map(({ periods }) => periods)),
      corrections: sum(mailed.map(({ corrections }) => corrections.length)),
      changes: sum(mailed.map(({ changes }) => changes.length)),
    },
  }
}

describe('what waits', () => {
  test('has a correction until both have signed it, it is refused, or something billed has changed it', async () => {
    const { tenant, as } = await makeSeats(console.api)
    for (const browser of [as.buyer, as.supplier]) await browser.confirm()
    await tenant.import(firstPrints)
    await tenant.apply(trueUpDocument({ parties: `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }` }))
    await tenant.signBoth('steel-brackets', '2024-Q4', { through: true })
    const bill = (invoice: string, quantity: string) =>
      keepLines(tenant, [
        {
          agreement: 'steel-brackets',
          item: 'steel-brackets',
          currency: 'EUR',
          line: '1',
          date: '2024-05-10',
          invoice,
          quantity,
          unitPrice: '106.00',
        },
      ])
    await bill('4711', '100')
    await tenant.import(finalMarch)
    const wait = async () => {
      const told = await Promise.all(
        [as.buyer, as.supplier, as.viewer].map(async browser => {
          const { mine, others } = (
            await eventually(
              () => browser.json<Inbox>('/sign-offs'),
              ({ pending }) => pending === 0,
            )
          ).counts
          const { mineCount } = await browser.json<WaitingCount>('/sign-offs/count')
          expect(mineCount).toBe(mine.corrections + mine.periods)
          return `${mine.corrections} ${others.corrections}`
        }),
      )
      return told.join(', ')
    }
    const propose = async () => {
      const { status, json } = await as.editor.post('/agreements/steel-brackets/corrections', { reason: null })
      expect(status).toBe(201)
      return (json as { id: string }).id
    }
    expect(await wait()).toBe('0 0, 0 0, 0 0')
    await propose()
    expect(await wait()).toBe('1 0, 1 0, 0 1')
    await bill('4712', '10')
    expect(await wait()).toBe('0 0, 0 0, 0 0')
    const id = await propose()
    expect(await wait()).toBe('1 0, 1 0, 0 1')
    const { correction } = await as.buyer.json<CorrectionPage>(`/corrections/${id}`)
    const signed = { party: 'buyer', hash: correction.hash }
    expect((await as.buyer.post(`/corrections/${id}/sign`, signed)).status).toBe(200)
    expect(await wait()).toBe('0 1, 1 0, 0 1')
    const refusal = { hash: correction.hash, reason: 'Not yet.' }
    expect((await as.supplier.post(`/corrections/${id}/refuse`, refusal)).status).toBe(200)
    expect(await wait()).toBe('0 0, 0 0, 0 0')
    const again = await propose()
    for (const [browser, party] of [
      [as.buyer, 'buyer'],
      [as.supplier, 'supplier'],
    ] as const) {
      const { hash } = (await browser.json<CorrectionPage>(`/corrections/${again}`)).correction
      expect((await browser.post(`/corrections/${again}/sign`, { party, hash })).status).toBe(200)
    }
    expect(await wait()).toBe('0 0, 0 0, 0 0')
  })

  test.each(
    Array.from(
      { length: roundsOf('properties', 'portfolios in which something waits', 1, 10) },
      (_, i) => seedOr(27) + i,
    ),
  )(
    'is the same number on the first page, in the badge, the inbox, the list and mail as in the stored rows (seed %i)',
    async seed => {
      const seats = await makeSeats(console.api)
      const { tenant, slug, as } = seats
      for (const email of suppliers.slice(1)) await join(console.api, tenant.id, email, 'supplier')
      const chance = new Chance(seed)
      const portfolio = Array.from({ length: agreements }, (_, n) => draw(chance, n))
      await make(seats, portfolio)
      const parts = partsOfConsole(console.api)
      const people: [who: 'buyer' | 'viewer' | Supplier, browser: Browser, email: string][] = [
        ['buyer', as.buyer, emails.buyer],
        ['viewer', as.viewer, emails.viewer],
        [emails.supplier, as.supplier, emails.supplier],
      ]
      for (const email of suppliers.slice(1)) people.push([email, await signIn(console.api, email, slug), email])
      let most = 0
      for (const [who, browser, email] of people) {
        const stored = await countRows(tenant.id, who)
        const { mine, others, disputed, any } = stored
        const { badge, waits, counts, listed, mail } = await askEverywhere(parts, seats, browser, email)
        expect({ ...badge }, who).toEqual({
          ...mine,
          mineCount: mine.periods + mine.corrections + mine.changes,
          pending: 0,
        })
        for (const told of [waits, counts]) expect(told, who).toEqual({ mine, others, disputed, byCalendar: 0 })
        expect(mail, who).toEqual(mine)
        expect(listed, who).toEqual({ mine: mine.agreements, any })
        most = Math.max(most, mine.periods)
      }
      // No bound of the first page is as large: one that were taken for the number would be found.
      expect(most).toBeGreaterThan(limits.overviewRows)
    },
    120_000,
  )
})
