// A contract whose terms both change, with one act of one side after the other, before and after signatures: no price of a period
// that both signed moves, and what is refused says who must agree. Unit factors and tolerances are dated.
import { describe, expect, test } from 'vitest'
import { applyPriceList } from '../../src/agreements/price-list.ts'
import { importQuantities } from '../../src/agreements/quantities.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { signChange } from '../../src/agreements/terms/sign-change.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { type Party, parties } from '../../src/core/parties.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { openChange } from '../../src/read/agreements/terms-state.ts'
import { Library } from '../../src/read/library.ts'
import { loadAgreementHistory } from '../../src/storage/agreements/agreements.ts'
import { setUnits } from '../../src/storage/agreements/units.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { setPriceTolerance } from '../../src/storage/workspaces/workspaces.ts'
import type { CorrectionPage } from '../../src/views/shapes/true-up.ts'
import { Chance, suiteSeed } from '../faults/chance.ts'
import { type Act, oneSidedActs, perform } from '../support/agreements/one-sided-acts.ts'
import { readList } from '../support/agreements/priced-agreement.ts'
import {
  type AgreedHouse,
  agreedCorrections,
  agreedDocument,
  agreedPeriods,
  keptOf,
  moneyOf,
  openAgreedHouse,
  people,
  revisedMarch,
  signProposal,
  signThrough,
  stages,
  termsOf,
} from '../support/houses/agreed-house.ts'
import { buyer, supplier, type Tenant } from '../support/houses/api.ts'
import { linesOf } from '../support/houses/console.ts'
import { house } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import { onlyLong, roundsOf, seedOr, someOf } from '../support/run/long-form.ts'

const { api } = house()

const slug = 'steel-brackets'
const actors = [...people, 'operator'] as const
type Actor = (typeof actors)[number]
const email = { buyer, supplier } as const
const today = parseDay('2024-11-15')!
const quarters = ['2024-Q2', '2024-Q3', '2024-Q4'] as const

const library = () => new Library(api.sql, 64 * 1024 * 1024, { seals: new Seal(api.ring).rows, report: () => {} })

/** Everything that one side can do to the money of an agreement. */
class OneSided {
  readonly #tenant: Tenant
  readonly #chance: Chance
  readonly #change: string

  constructor(tenant: Tenant, chance: Chance, change: string) {
    this.#tenant = tenant
    this.#chance = chance
    this.#change = change
  }

  get acts(): readonly (() => Promise<unknown>)[] {
    return [
      () => this.#applyList(),
      () => this.#applyList(),
      () => this.#declare(),
      () => this.#applyDocument({ clause: `{ cap: { periodPct: ${this.#chance.int(1, 9)} } }` }),
      () => this.#applyDocument({ price: '{ amount: 12.40, currency: EUR, unit: piece, round: { dp: 0 } }' }),
      () => this.#applyDocument({ end: '2024-05-31' }),
      () => this.#applyDocument({ contract: `${this.#change}  priceDate: INVOICE\n` }),
      () => this.#applyDocument({ contract: '' }),
      () => this.#applyDocument({ parties: '{ supplier: [nova@supplier.test] }' }),
      () => this.#restart(),
      () => this.#setUnit(),
      () => setPriceTolerance(api.owner, this.#tenant.id, `${this.#chance.int(1, 50)}`),
      () => this.#import(),
      () => this.#signHalf(),
    ]
  }

  #by() {
    return { who: this.#chance.pick(['olga@owner.test', 'eva@editor.test']), fromAddress: null }
  }

  #applyList() {
    const key = this.#chance.pick(['A', 'B', slug])
    const { rows } = readList(`item,price,currency\n${key},${this.#chance.int(1, 99)}.5,EUR\n`)
    const from = this.#chance.pick([null, null, 'start', ...quarters])
    const request = { workspaceId: this.#tenant.id, agreement: slug, rows, from, today, by: this.#by() }
    return applyPriceList(api.sql, library(), request)
  }

  #declare() {
    const row = { line: 2, agreement: slug, item: null, period: this.#chance.pick(quarters) }
    const rows = [{ ...row, quantity: `${this.#chance.int(1, 999)}` }]
    const request = { workspaceId: this.#tenant.id, rows, today, by: this.#by(), source: 'quantities.csv' }
    return importQuantities(api.sql, library(), request)
  }

  #applyDocument(changes: Parameters<typeof pricedDocument>[0]) {
    return this.#tenant.applyUnheard(pricedDocument({ contract: this.#change, ...changes }))
  }

  #restart() {
    const price = `{ amount: ${this.#chance.int(1, 20)}, currency: EUR, unit: piece, round: { dp: 2 } }`
    const contract = `${this.#change}  restart: true\n`
    const text = pricedDocument({ price, contract, more: 'effectiveFrom: 2024-07-01\n' })
    return this.#tenant.applyUnheard(text.replace('base: 2023-12', 'base: 2024-06'))
  }

  #setUnit() {
    const unit = { unit: 'box', other: 'piece', factor: `${this.#chance.int(2, 99)}` }
    return setUnits(api.sql, this.#tenant.id, [unit], 'eva@editor.test', async () => {})
  }

  #import() {
    const value = this.#chance.int(90, 130)
    const second = `${this.#chance.int(10, 59)}`
    return this.#tenant.importUnheard(
      `series,period,value,version,published\nCUSTOM/steel,2024-06,${value}.00,REVISED,2024-11-01T10:00:${second}Z\n`,
    )
  }

  /** One side signs what is proposed: it is not agreed by that. */
  async #signHalf() {
    const kept = (await withWorkspace(api.sql, this.#tenant.id, tx => loadAgreementHistory(tx, this.#tenant.id, slug)))!
    const change = openChange(kept)
    if (change === null || change.signatures.length > 0) return
    const party: Party = this.#chance.pick(parties)
    const proof = { means: 'PASSWORD' as const }
    const request = { id: change.id, hash: change.hash, party, email: email[party], proof, fromAddress: null }
    await signChange(api.sql, new Seal(api.ring), this.#tenant.id, request)
  }
}

/** Of every price of the periods that both signed, and of `start` once there is one. */
async function agreedPrices({ id }: Tenant, signed: ReadonlySet<string>): Promise<readonly string[]> {
  if (signed.size === 0) return []
  const rows = await library().prices.rows(id, slug, { knownAt: null, until: today })
  return rows
    .filter(({ row }) => row.period === 'start' || signed.has(row.period))
    .map(({ row }) => `${row.item} ${row.period} ${row.price} ${row.factor} ${row.status} ${row.receiptHash}`)
}

async function orRefusal(act: () => Promise<unknown>): Promise<string | null> {
  try {
    const done = (await act()) as {
      readonly outcome?: string
      readonly problems?: readonly { message: string }[]
    } | null
    return done?.outcome === 'refused' ? (done.problems?.[0]?.message ?? '') : null
  } catch (error) {
    // A document that does not hold is refused before anybody is asked.
    if (error instanceof Refusal || `${error}`.includes('the document is refused')) return (error as Error).message
    throw error
  }
}

describe('a contract whose terms both change', () => {
  test.each(Array.from({ length: roundsOf('both-sides', 'F37: histories of acts of one side', 1, 10) }, (_, i) => i))(
    'keeps every price that both signed through the acts of one side, %s',
    async round => {
      const chance = new Chance(seedOr(suiteSeed) + round)
      const tenant = await api.tenant()
      await tenant.importUnheard(steelPrices)
      const change = '  change: BOTH\n'
      await tenant.applyUnheard(pricedDocument({ contract: change }))
      const { acts } = new OneSided(tenant, chance, change)
      const signed = new Set<string>()
      for (const period of [null, ...quarters]) {
        if (period !== null) {
          const before = await agreedPrices(tenant, signed)
          const outcomes = []
          for (const party of parties) outcomes.push(await orRefusal(() => tenant.signUnheard(slug, period, party)))
          if (outcomes.every(each => each === null)) signed.add(period)
          const after = await agreedPrices(tenant, signed)
          expect(after).toEqual(expect.arrayContaining([...before]))
        }
        for (let i = 0; i < 12; i++) {
          const act = chance.pick(acts)
          const before = await agreedPrices(tenant, signed)
          const refusal = await orRefusal(act)
          expect(await agreedPrices(tenant, signed), `${act} ${refusal}`).toEqual(before)
          if (refusal?.includes('both') === true) expect(refusal).toMatch(/buyer and supplier/)
        }
      }
    },
  )

  test('leaves the parties, and quantities of what both signed, to both', async () => {
    const tenant = await api.tenant()
    await tenant.importUnheard(steelPrices)
    const document = { contract: '  change: BOTH\n' }
    await tenant.applyUnheard(pricedDocument(document))
    const declare = (quantity: string, period = '2024-Q2') =>
      importQuantities(api.sql, library(), {
        workspaceId: tenant.id,
        today,
        source: 'q.csv',
        by: { who: 'eva@editor.test', fromAddress: null },
        rows: [{ line: 2, agreement: slug, item: null, period, quantity }],
      })
    expect(await declare('100')).toMatchObject({ outcome: 'imported' })
    for (const party of parties) await tenant.signUnheard(slug, '2024-Q2', party)
    expect(await declare('100')).toMatchObject({ outcome: 'unchanged' })
    expect(await declare('10')).toMatchObject({
      outcome: 'refused',
      problems: [
        { line: 2, column: 'quantity', message: expect.stringMatching(/^buyer and supplier have both signed/) },
      ],
    })
    expect(await declare('10', '2024-Q3')).toMatchObject({ outcome: 'imported' })
    expect(await declare('20', '2024-Q3')).toMatchObject({ outcome: 'imported' })
    const another = pricedDocument({ ...document, parties: '{ supplier: [nova@supplier.test] }' })
    expect(await tenant.applyUnheard(another)).toMatchObject({ outcome: 'proposed' })
  })
})

describe('a quantity of what both signed', () => {
  const quantities = 'agreement,item,period,quantity\n'
  const declare = (house: AgreedHouse, rows: string) => house.browsers.editor.upload(quantityFile, quantities + rows)
  const quantityFile = '/import?file=q.csv&mode=import&kind=quantities'
  /** What a correction of all that is due comes to. */
  const net = async ({ browsers: { editor } }: AgreedHouse) => {
    const { json } = await editor.post(`/agreements/${slug}/corrections`, { reason: null })
    const page = await editor.json<CorrectionPage>(`/corrections/${(json as { id: string }).id}`)
    return page.correction.net
  }

  /** Of A there is a line of 100 pieces, of B a quantity of 100 alone, and nothing of C. */
  async function openDeclared(): Promise<AgreedHouse> {
    const house = await openAgreedHouse(api, 'nothing')
    const { buyer: ann, supplier: sam, editor } = house.browsers
    const list = 'item,price,currency,unit\nA,12.40,EUR,piece\nB,9.00,EUR,piece\nC,8.00,EUR,piece\n'
    await editor.upload(`/import?file=l.csv&mode=import&kind=prices&agreement=${slug}`, list)
    expect((await declare(house, `${slug},B,2024-Q2,100\n`)).text).toContain('"isDone":true')
    for (const [browser, party] of [[ann, 'buyer'] as const, [sam, 'supplier'] as const])
      expect(await signThrough(browser, party, '2024-Q2')).toMatchObject({ status: 200 })
    return house
  }

  test('is refused in its own line of the file, whatever other lines say', async () => {
    const house = await openDeclared()
    const reply = await declare(house, `${slug},C,2024-Q2,7\n${slug},B,2024-Q2,7\n${slug},B,2024-Q3,7\n`)
    expect(linesOf<{ readonly problems?: unknown }>(reply).at(-1)!.problems).toEqual([
      { line: 3, message: expect.stringMatching(/buyer and supplier have both signed 2024-Q2 .* with 100 of "B"/) },
    ])
  })

  test('gives way to the invoice lines that are kept, as its refusal says', async () => {
    const house = await openDeclared()
    expect((await declare(house, `${slug},B,2024-Q2,7\n`)).text).toContain('its invoice lines count in its place')
    await house.tenant.importUnheard(revisedMarch('101.00', '40'))
    // 12.78 becomes 12.52 for 100 of A, and 9.28 becomes 9.09 for 100 of B, then for 7 of it.
    expect(await net(house)).toBe('-45.00')
    const line = `${slug},B,7,piece,64.96,EUR,2024-05-12`
    const file = `invoice,line,agreement,item,quantity,unit,amount,currency,date\n4720,1,${line}\n`
    const kept = await house.browsers.editor.upload('/import?file=i.csv&mode=import&kind=invoices', file)
    expect(kept.text).toContain('"isDone":true')
    expect(await net(house)).toBe('-27.33')
  })

  test('is replaced once both signed an amendment without contract.change: BOTH, as its refusal says', async () => {
    const house = await openDeclared()
    const row = `${slug},B,2024-Q2,7\n`
    expect((await declare(house, row)).text).toContain('both first sign an amendment without contract.change: BOTH')
    const { editor, buyer: ann, supplier: sam } = house.browsers
    const text = agreedDocument({ contract: '' })
    expect(await editor.post(`/agreements/${slug}/amendments`, { text, reason: 'by one side' })).toMatchObject({
      status: 201,
    })
    const { id } = openChange(await keptOf(house))!
    expect(await signProposal(ann, 'buyer', 'terms-changes', id)).toMatchObject({ status: 200 })
    expect((await declare(house, row)).text).toContain('buyer and supplier have both signed')
    expect(await signProposal(sam, 'supplier', 'terms-changes', id)).toMatchObject({ status: 200 })
    expect((await declare(house, row)).text).toContain('"isDone":true')
    expect(await termsOf(house)).toContain('B 2024-Q2 7')
  })
})

/** So few that no side proposes as many changes as it may within a day. */
const actsAtOnce = 12

/** Tries acts in houses of their own, few in each. */
async function inHouses(
  acts: readonly Act[],
  open: () => Promise<AgreedHouse>,
  attempt: (house: AgreedHouse, acts: readonly Act[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < acts.length; from += actsAtOnce)
    await attempt(await open(), acts.slice(from, from + actsAtOnce))
}

function shuffled<T>(chance: Chance, all: readonly T[]): readonly T[] {
  const keyed = all.map(each => ({ each, key: chance.next() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ each }) => each)
}

const actingIn = (house: AgreedHouse, actor: Actor) => (actor === 'operator' ? actor : house.browsers[actor])

describe.each(stages.map((stage, place) => ({ stage, place })))('with $stage signed', ({ stage, place }) => {
  test.each(
    someOf('both-sides', 'F37: those who act, at each stage of signing', actors, {
      oneIn: actors.length,
      from: 3 * place,
    }),
  )('every act of the %s moves no price that both signed', async actor => {
    const acts = shuffled(
      new Chance(seedOr(suiteSeed) + place),
      someOf('both-sides', 'F37: acts of one side', oneSidedActs, { oneIn: 12, from: place }),
    )
    await inHouses(
      acts,
      () => openAgreedHouse(api, stage),
      (house, some) => keepsAgreedMoney(house, actor, some),
    )
  })
})

async function keepsAgreedMoney(house: AgreedHouse, actor: Actor, acts: readonly Act[]): Promise<void> {
  let agreed = await agreedPeriods(house)
  let money = await moneyOf(house, agreed)
  let corrections = await agreedCorrections(house)
  for (const act of acts) {
    const done = await perform(act, actingIn(house, actor), house)
    if (done === null) continue
    const told = `${act.name}: ${done.said}`
    if (!done.isDone) {
      if (/\bboth\b/i.test(done.said)) expect.soft(done.said, told).toMatch(/buyer and supplier/)
      continue
    }
    const after = await moneyOf(house, agreed)
    // A correction that both signed restates what both signed.
    const correctionsAfter = await agreedCorrections(house)
    if (correctionsAfter === corrections) expect.soft(after, told).toEqual(expect.arrayContaining([...money]))
    const agreedAfter = await agreedPeriods(house)
    if (!act.name.startsWith('a signature')) expect.soft(agreedAfter, told).toEqual(agreed)
    money = agreedAfter.size === agreed.size ? after : await moneyOf(house, agreedAfter)
    agreed = agreedAfter
    corrections = correctionsAfter
  }
  // Nor did what was refused.
  expect.soft(await moneyOf(house, agreed)).toEqual(expect.arrayContaining([...money]))
}

const leftToBoth = oneSidedActs.filter(({ forBoth }) => forBoth !== null)
/** Who may change terms: what they are refused is refused because of the other side. */
const changing = ['editor', 'owner', 'operator'] as const

describe.each([
  { stage: 'both sides', by: changing },
  {
    stage: 'both sides and halves',
    by: onlyLong('both-sides', 'F37: acts left to both, by everybody, after halves too')
      ? changing
      : (['operator'] as const),
  },
] as const)('what is left to both, with $stage signed', ({ stage, by }) => {
  test.each(by.map((actor, place) => ({ actor, place })))(
    'is proposed by the $actor, or refused with the words that name buyer and supplier',
    async ({ actor, place }) => {
      const acts = someOf('both-sides', 'F37: acts left to both', leftToBoth, { oneIn: changing.length, from: place })
      await inHouses(
        acts,
        () => openAgreedHouse(api, stage),
        async (house, some) => {
          for (const act of some) {
            const [before, { changes }] = [await termsOf(house), await keptOf(house)]
            const done = await perform(act, actingIn(house, actor), house)
            if (done === null) continue
            const told = `${act.name}: ${done.said}`
            expect.soft(await termsOf(house), told).toEqual(before)
            const proposed = (await keptOf(house)).changes.length - changes.length
            expect.soft(proposed, told).toBe(done.isDone ? 1 : 0)
            if (!done.isDone) expect.soft(done.said, told).toMatch(/buyer and supplier/)
          }
        },
      )
    },
  )
})

test.each(
  someOf(
    'both-sides',
    'F37: the same acts where one side decides',
    leftToBoth.filter(({ forBoth }) => forBoth === 'CONTRACT'),
    { oneIn: 7, from: 2 },
  ).map((act, i) => ({ act, name: act.name, actor: i % 2 === 0 ? ('editor' as const) : ('operator' as const) })),
)(
  '$name of the $actor takes effect where the contract leaves it to one side, and only by both where it does not',
  async ({ act, actor }) => {
    const free = await openAgreedHouse(api, 'both sides', '')
    const freeTerms = await termsOf(free)
    const alone = await perform(act, actingIn(free, actor), free)
    expect(alone, alone?.said).toMatchObject({ isDone: true })
    expect(await termsOf(free)).not.toEqual(freeTerms)

    const house = await openAgreedHouse(api, 'both sides')
    const terms = await termsOf(house)
    const { isDone, said } = (await perform(act, actingIn(house, actor), house))!
    expect(await termsOf(house)).toEqual(terms)
    if (!isDone) {
      expect(said).toMatch(/buyer and supplier/)
      return
    }
    const { id } = openChange(await keptOf(house))!
    expect(await signProposal(house.browsers.buyer, 'buyer', 'terms-changes', id)).toMatchObject({ status: 200 })
    expect(await termsOf(house)).toEqual(terms)
    expect(await signProposal(house.browsers.supplier, 'supplier', 'terms-changes', id)).toMatchObject({ status: 200 })
    expect(await termsOf(house)).not.toEqual(terms)
  },
)

test('a correction takes both and moves money', async () => {
  const house = await openAgreedHouse(api, 'both sides')
  const { editor, buyer, supplier } = house.browsers
  const agreed = await agreedPeriods(house)
  const before = await moneyOf(house, agreed)
  await editor.post(`/agreements/${slug}/corrections`, { reason: null })
  const sign = oneSidedActs.filter(({ name }) => name.startsWith('a signature of a correction'))
  for (const [i, by] of [buyer, supplier].entries()) {
    expect(await moneyOf(house, agreed)).toEqual(before)
    expect(await perform(sign[i]!, by, house)).toMatchObject({ isDone: true })
  }
  expect(await moneyOf(house, agreed)).not.toEqual(expect.arrayContaining([...before]))
})

describe('unit factors and tolerances', () => {
  test('of a period that both signed are those of the first of the two signatures', async () => {
    const tenant = await api.tenant()
    await tenant.importUnheard(steelPrices)
    await tenant.applyUnheard(pricedDocument())
    const setUnit = (factor: string, unit = 'box') =>
      setUnits(api.sql, tenant.id, [{ unit, other: 'piece', factor }], 'eva@editor.test', async () => {})
    await setUnit('10')
    await setPriceTolerance(api.owner, tenant.id, '1')
    await tenant.signUnheard(slug, '2024-Q2', 'buyer')
    await setUnit('20')
    await setPriceTolerance(api.owner, tenant.id, '90')
    await tenant.signUnheard(slug, '2024-Q2', 'supplier')
    await setUnit('5', 'crate')
    const check = async (unit: string, date: string, amount: string) => {
      const line = readLine(1, { invoice: '1', line: '1', agreement: slug, quantity: '1', unit, date, amount })
      const { data } = await library().prices.check(tenant.id, [line], { knownAt: null, until: today })
      return `${data[0]!.outcome} ${data[0]!.amount}`
    }
    // 12.69 of 2024-Q2, 13.02 of 2024-Q3, 12.40 of the start.
    expect(await check('box', '2024-05-10', '126.90')).toBe('OK 126.90')
    expect(await check('box', '2024-05-10', '130.00')).toBe('OVER 126.90')
    expect(await check('box', '2024-02-10', '124.00')).toBe('OK 124.00')
    expect(await check('box', '2024-08-10', '260.40')).toBe('PROVISIONAL 260.40')
    expect(await check('crate', '2024-05-10', '63.45')).toBe('OK 63.45')
  })
})
