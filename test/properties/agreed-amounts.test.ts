// What both have signed about money is said once: over random histories of prints, signatures, lines at old and new prices and
// corrections, the radar (API and command), revisions, correction pages, their API and the ledger agree with somebody who keeps it by hand.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import type { RadarRow } from '../../src/read/radar.ts'
import type { MoneyState } from '../../src/views/shapes/revision-rows.ts'
import type { CorrectionPage, LedgerPage, Revisions } from '../../src/views/shapes/true-up.ts'
import { Chance, suiteSeed } from '../faults/chance.ts'
import { Tenant } from '../support/houses/api.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { askUntilKnown, emails } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { keepLines } from '../support/houses/priced-tenant.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { roundsOf, seedOr } from '../support/run/long-form.ts'
import { testSecret, urlOf } from '../support/run/postgres.ts'
import { AgreedModel, type ModelRow, writeCents } from '../true-up/agreed-model.ts'

const histories = roundsOf(
  'properties',
  'histories of corrections that both signed, wherever an amount of them is said',
  1,
  50,
)
const seed = seedOr(suiteSeed)
const labels = ['2024-Q2', '2024-Q3', '2024-Q4'] as const
const months = ['2024-03', '2024-06', '2024-09'] as const
const days = ['2024-05-10', '2024-08-10', '2024-11-10'] as const

const console = consoleHouse()
let withMoney: Tenant
beforeAll(async () => {
  const { api, tenant } = console
  withMoney = new Tenant(api, tenant.id, await api.issueKey(tenant.id, null, 'erp', 'money'))
  for (const side of ['buyer', 'supplier'] as const) await console.as[side].confirm()
})

/** A moment between two acts, and where the model was then. */
interface Mark {
  readonly instant: string
  readonly at: number
}

class LivedHistory {
  readonly #slug: string
  readonly #chance: Chance
  readonly #model = new AgreedModel(labels)
  readonly #ids: string[] = []
  readonly #marks: Mark[] = []
  #prints = 0
  #lines = 0

  constructor(number: number) {
    this.#slug = `drawn-${number}`
    this.#chance = new Chance(seed + number)
  }

  async live(): Promise<void> {
    await this.#begin()
    for (let act = this.#chance.int(14, 20); act > 0; act--) {
      await this.#act()
      if (this.#chance.chance(25)) await this.#mark()
      if (this.#chance.chance(15)) await this.#look(this.#chance.pick(this.#marks))
    }
    for (const mark of this.#marks) await this.#look(mark)
    await this.#lookByCommand(this.#marks[0]!)
  }

  async #begin(): Promise<void> {
    const { tenant } = console
    for (const place of labels.keys()) await this.#print(place)
    const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`
    await tenant.apply(`slug: ${this.#slug}
name: ${this.#slug}
status: ACTIVE
contract:
  start: 2024-01-01
  end: 2024-12-31
  frequency: QUARTERLY
  price: { amount: 37.41, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  metal: { series: CUSTOM/${this.#slug}, weight: 1, base: { value: 100 }, lag: 1 month }
clause: {}
parties: ${parties}
corrections: { when: EACH }
`)
    await this.#sign()
    await this.#mark()
  }

  async #act(): Promise<void> {
    const acts = [this.#bill, this.#bill, this.#reprint, this.#reprint, this.#agree, this.#agree, this.#sign]
    await this.#chance.pick(acts).call(this)
  }

  async #print(place: number): Promise<void> {
    const tenths = this.#chance.int(900, 1_200)
    const published = new Date(Date.UTC(2024, 9, 15 + this.#prints++)).toISOString().slice(0, 10)
    const row = `CUSTOM/${this.#slug},${months[place]},${Math.floor(tenths / 10)}.${tenths % 10},PRELIMINARY,${published}`
    await console.tenant.import(`series,period,value,version,published\n${row}\n`)
    this.#model.print(place, BigInt(tenths))
  }

  #reprint(): Promise<void> {
    return this.#print(this.#chance.int(0, labels.length - 1))
  }

  async #sign(): Promise<void> {
    const place = this.#model.periods.findIndex(({ signedAt }) => signedAt === null)
    if (place < 0) return
    for (const party of ['buyer', 'supplier'] as const) await console.tenant.sign(this.#slug, labels[place]!, party)
    this.#model.sign(place)
  }

  async #bill(): Promise<void> {
    const place = this.#chance.int(0, labels.length - 1)
    const hundredths = this.#chance.int(1, 90_000) * (this.#chance.chance(15) ? -1 : 1)
    const isSigned = this.#model.periods[place]!.signedAt !== null
    const which = isSigned && this.#chance.chance(50) ? 'settled' : 'newest'
    const price = this.#model.price(place, which)
    const billed = (BigInt(hundredths) * price) / 100n
    await keepLines(console.tenant, [
      {
        invoice: `${this.#slug}-${++this.#lines}`,
        line: '1',
        agreement: this.#slug,
        item: this.#slug,
        quantity: writeCents(BigInt(hundredths)),
        amount: writeCents(billed),
        currency: 'EUR',
        date: days[place]!,
      },
    ])
    this.#model.bill(place, BigInt(hundredths), billed)
  }

  /** Proposed, waived now and then, and signed by both. */
  async #agree(): Promise<void> {
    const { buyer, supplier } = console.as
    const due = this.#model.due()
    const proposed = await buyer.post(`/agreements/${this.#slug}/corrections`, { reason: null })
    expect(proposed.status, proposed.text).toBe(due.length === 0 ? 409 : 201)
    if (due.length === 0) return
    let { id } = proposed.json as { id: string }
    const net = due.reduce((total, { amount }) => total + (amount ?? 0n), 0n)
    const isWaiver = net !== 0n && this.#chance.chance(20)
    if (isWaiver) {
      const waived = await buyer.post(`/corrections/${id}/waive`)
      expect(waived.status, waived.text).toBe(201)
      id = (waived.json as { id: string }).id
    }
    const { correction } = await buyer.json<CorrectionPage>(`/corrections/${id}`)
    for (const [party, browser] of [['buyer', buyer] as const, ['supplier', supplier] as const]) {
      const { status, text } = await browser.post(`/corrections/${id}/sign`, { party, hash: correction.hash })
      expect(status, text).toBe(200)
    }
    this.#ids.push(id)
    this.#model.agree(isWaiver)
  }

  async #mark(): Promise<void> {
    const [row] = await console.api.owner<{ instant: string }[]>`select clock_timestamp() as instant`
    this.#marks.push({ instant: row!.instant, at: this.#model.at })
  }

  async #look({ instant, at }: Mark): Promise<void> {
    const rows = this.#model.radar(at)
    const { data } = await withMoney.extJson<ExtWire<'RadarList'>>(`/radar?since=${instant}&pam=${this.#slug}`)
    expect(tellRadar(data), `radar of ${this.#slug}`).toEqual(rows.map(tellModel).sort())
    const asked = `/revisions?since=${instant}&q=${this.#slug}`
    for (const side of ['buyer', 'supplier'] as const) {
      const revisions = await askUntilKnown<Revisions>(console.as[side], asked)
      expect(tellRadar(revisions.rows)).toEqual(rows.map(tellModel).sort())
      expect(tellMoney(revisions)).toEqual(moneyOf(rows))
      expect(revisions.mayPropose).toBe(rows.some(({ kind, left }) => kind === 'SIGNED_MOVED' && left !== null))
    }
    await this.#lookAtLedger()
    await this.#lookAtCorrections()
  }

  async #lookAtLedger(): Promise<void> {
    const { entitled, provisional, billed, agreed, waived, due } = this.#model.books()
    const expected = [entitled, provisional, billed, agreed, waived, due].map(writeCents)
    const { ledger } = await console.as.buyer.json<LedgerPage>(`/agreements/${this.#slug}/ledger`)
    const answered = await withMoney.extJson<ExtWire<'TrueUpLedger'>>(`/pams/${this.#slug}/ledger`)
    for (const { balances: of, open } of [ledger, answered])
      expect([of.entitled, of.provisional, of.billed, of.agreed, of.waived, open.due]).toEqual(expected)
  }

  async #lookAtCorrections(): Promise<void> {
    const { corrections, periods } = this.#model
    for (const [place, { periods: own, isWaiver }] of corrections.entries()) {
      const { correction, sheets } = await console.as.supplier.json<CorrectionPage>(`/corrections/${this.#ids[place]!}`)
      const answered = await withMoney.extJson<ExtWire<'Correction'>>(`/corrections/${this.#ids[place]!}`)
      const expected = own.map(({ label, amount }) => `${label} ${amount === null ? null : writeCents(amount)}`)
      for (const { periods: told, waived, state } of [correction, answered]) {
        expect(told.map(({ period, amount }) => `${period} ${amount}`)).toEqual(expected)
        expect([waived, state]).toEqual([isWaiver, 'AGREED'])
      }
      for (const { period, settled } of sheets) {
        const newest = corrections.findLast(each => each.periods.some(({ label }) => label === period))
        const isNewest = newest === corrections[place]
        const { before } = own.find(({ label }) => label === period)!
        const isBack = periods.find(({ label }) => label === period)!.settled === before
        expect(settled, period).toBe(isNewest ? 'after' : isBack ? expect.anything() : null)
      }
    }
  }

  async #lookByCommand({ instant, at }: Mark): Promise<void> {
    const env = { DATABASE_URL: urlOf(console.api.target), ASSIZE_SECRET: testSecret }
    const of = ['--workspace', console.slug, '--json']
    const { out, status } = await runCommand(['radar', '--since', instant, '--pam', this.#slug, ...of], env)
    expect(status, out).toBe(0)
    expect(tellRadar((JSON.parse(out) as { data: RadarRow[] }).data)).toEqual(
      this.#model.radar(at).map(tellModel).sort(),
    )
  }
}

function tellRadar(rows: readonly Pick<RadarRow, 'kind' | 'period' | 'priceBefore' | 'priceAfter' | 'amount'>[]) {
  return rows
    .filter(({ kind }) => kind.endsWith('_MOVED'))
    .map(({ kind, period, priceBefore, priceAfter, amount }) =>
      [kind, period, priceBefore, priceAfter, amount].join(' '),
    )
    .sort()
}

function tellModel({ kind, label, priceBefore, priceAfter, amount }: ModelRow): string {
  const cents = amount === null ? null : writeCents(amount)
  return [kind, label, writeCents(priceBefore), writeCents(priceAfter), cents].join(' ')
}

/** What goes which way, by what becomes of it. */
function tellMoney({ money }: Pick<Revisions, 'money'>): readonly string[] {
  return money.flatMap(({ state, flows }) =>
    flows.map(({ from, amount }) => `${state} ${from === emails.supplier ? '-' : ''}${amount}`),
  )
}

function moneyOf(rows: readonly ModelRow[]): readonly string[] {
  const signed = rows.filter(({ kind }) => kind === 'SIGNED_MOVED')
  const total = (amounts: readonly (bigint | null)[]) => amounts.reduce<bigint>((all, each) => all + (each ?? 0n), 0n)
  const sums: readonly (readonly [MoneyState, bigint])[] = [
    ['DUE', total(signed.map(({ left }) => left?.amount ?? null))],
    ['AGREED', total(signed.map(({ agreed }) => agreed))],
    ['WAIVED', total(signed.map(({ waived }) => waived))],
  ]
  return sums.flatMap(([state, amount]) => (amount === 0n ? [] : [`${state} ${writeCents(amount)}`]))
}

describe('money that both have signed', () => {
  test(`is the same wherever it is said, over ${histories} random histories`, async () => {
    for (let number = 0; number < histories; number++) await new LivedHistory(number).live()
  })
})

/** 100 pieces were billed at 106.00; the final figure makes 103.50 of it, and both sign that. */
describe('250.00 EUR that both have signed', () => {
  const slug = 'rails'
  let beforeFinal: string
  let beforeSigned: string
  let id: string
  const bill = (line: string, price: string) =>
    keepLines(console.tenant, [
      {
        invoice: slug,
        line,
        agreement: slug,
        item: slug,
        quantity: '100',
        unitPrice: price,
        currency: 'EUR',
        date: '2024-05-10',
      },
    ])
  const now = async () => (await console.api.owner<{ at: string }[]>`select clock_timestamp() as at`)[0]!.at
  const revisions = (query: string) => askUntilKnown<Revisions>(console.as.buyer, `/revisions?q=${slug}&${query}`)
  const radar = async () =>
    (await withMoney.extJson<ExtWire<'RadarList'>>(`/radar?since=${beforeFinal}&pam=${slug}`)).data
  const said = ({ money }: Revisions) =>
    money.map(({ state, flows }) => [state, ...flows.map(each => each.amount)].join(' '))

  beforeAll(async () => {
    await console.tenant.import(firstPrints)
    const parties = `{ buyer: [${emails.buyer}], supplier: [${emails.supplier}] }`
    await console.tenant.apply(trueUpDocument({ slug, parties, corrections: '{ when: EACH }' }))
    for (const party of ['buyer', 'supplier'] as const) await console.tenant.sign(slug, '2024-Q2', party)
    await bill('1', '106.00')
    beforeFinal = await now()
    await console.tenant.import(finalMarch)
    beforeSigned = await now()
    id = ((await console.as.buyer.post(`/agreements/${slug}/corrections`, { reason: null })).json as { id: string }).id
    const { correction, sheets } = await console.as.buyer.json<CorrectionPage>(`/corrections/${id}`)
    expect(sheets.map(({ settled }) => settled)).toEqual(['before'])
    for (const [party, browser] of [['buyer', console.as.buyer] as const, ['supplier', console.as.supplier] as const])
      expect((await browser.post(`/corrections/${id}/sign`, { party, hash: correction.hash })).status).toBe(200)
  })

  test('stay 250.00 EUR when a line at the corrected price is billed, and when one at the old price is', async () => {
    await bill('2', '103.50')
    await bill('3', '106.00')
    const found = await revisions(`since=${beforeFinal}`)
    expect(said(found)).toEqual(['AGREED 250.00'])
    expect(found.rows).toMatchObject([{ amount: '-250.00', correction: { id, state: 'AGREED' }, left: null }])
    expect(await radar()).toMatchObject([{ amount: '-250.00', policy: 'NONE' }])
    const { ledger } = await console.as.buyer.json<LedgerPage>(`/agreements/${slug}/ledger`)
    expect([ledger.balances.agreed, ledger.balances.billingDifferences]).toEqual(['-250.00', '-250.00'])
  })

  test('were not signed yet as it stood before', async () => {
    const then = await revisions(`since=${beforeFinal}&until=${beforeSigned}`)
    expect(said(then)).toEqual(['DUE 250.00'])
    expect(then.rows).toMatchObject([{ amount: '-250.00', correction: null, left: { amount: '-250.00' } }])
  })

  test('are the settled calculation on the page of the correction', async () => {
    const { sheets, sentence } = await console.as.supplier.json<CorrectionPage>(`/corrections/${id}`)
    expect(sheets.map(({ settled, after }) => [settled, after?.price])).toEqual([['after', '103.50']])
    expect(sentence).toContain('That changed the settled price of 2024-Q2.')
  })

  test('stay so under a newer figure, which makes a difference of its own over all lines', async () => {
    await console.tenant.import(
      'series,period,value,version,published\nCUSTOM/metal,2024-03,104.0,REVISED,2024-09-13\n',
    )
    const found = await revisions(`since=${beforeFinal}`)
    expect(said(found)).toEqual(['DUE 150.00', 'AGREED 250.00'])
    expect(found.rows).toMatchObject([
      {
        amount: '-100.00',
        policy: 'DUE',
        correction: null,
        agreed: [{ id, amount: '-250.00' }],
        left: { amount: '150.00' },
      },
    ])
    expect(await radar()).toMatchObject([{ amount: '-100.00', policy: 'DUE' }])
    const { ledger } = await console.as.buyer.json<LedgerPage>(`/agreements/${slug}/ledger`)
    expect([ledger.balances.agreed, ledger.open?.due]).toEqual(['-250.00', '150.00'])
  })
})
