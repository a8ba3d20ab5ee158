// Over random histories of signatures, revisions, corrections, price lists and quantities, every place shows the same step of a period:
// the price before and after, the percent of these two, its money, and what lies between it and what is paid. Through storage and
// the real server, compared with a model of its own.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ShownStep, StepFromSettled } from '../../src/core/prices/shown-step.ts'
import { adjustmentSheet } from '../../src/formats/print/adjustment-sheet.ts'
import type { Cell, Sheet } from '../../src/formats/sheet.ts'
import type {
  AdjustmentPage,
  AgreementList,
  AgreementListRow,
  AgreementPage,
} from '../../src/views/shapes/agreements.ts'
import type { Inbox, InboxPeriod, PeriodsRow, RecentlySigned, ToSign } from '../../src/views/shapes/inbox.ts'
import type { Overview } from '../../src/views/shapes/overview.ts'
import type { CorrectionPage, LedgerPage } from '../../src/views/shapes/true-up.ts'
import { formatGround } from '../../web/components/words/step-words.ts'
import { inboxSheet } from '../../web/pages/agreements/sign-offs/inbox-sheet.ts'
import { figuresOf } from '../../web/pages/agreements/sign-offs/row-figures.ts'
import { eventually } from '../support/houses/api.ts'
import { type Browser, emails, makeSeats, type Seats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { applyList, declareQuantities } from '../support/houses/priced-tenant.ts'
import { roundsOf, seedOr } from '../support/run/long-form.ts'
import { type AgreementFacts, type ExpectedStep, expectedSteps, type PeriodFacts } from './shown-step-model.ts'

const slug = 'random-parts'
const months = ['2024-03', '2024-06', '2024-09', '2024-12', '2025-03'] as const
const console = consoleHouse()

type Step = 'sign' | 'buyer signs' | 'supplier signs' | 'revise' | 'agree correction' | 'declare'

interface History {
  readonly price: string
  readonly clause: string
  readonly decimals: number
  readonly level: 'HEAL' | 'REBASE'
  readonly item: string | null
  readonly steps: readonly (readonly [Step, number])[]
}

const steps: readonly Step[] = ['sign', 'buyer signs', 'supplier signs', 'revise', 'agree correction', 'declare']

const history: fc.Arbitrary<History> = fc
  .record({
    terms: fc.constantFrom(['12.40', 2] as const, ['97.65', 2] as const, ['2.838', 3] as const, ['0.0875', 4] as const),
    rounding: fc.constantFrom(null, 3),
    clause: fc.constantFrom('', 'basis: CHAINED', 'basis: CHAINED, cap: { periodPct: 4 }', 'threshold: { pct: 1 }'),
    level: fc.constantFrom<History['level'][]>('HEAL', 'HEAL', 'REBASE'),
    item: fc.constantFrom(null, '7.77', '130.5'),
    more: fc.array(fc.tuple(fc.constantFrom(...steps), fc.integer({ min: 0, max: 999 })), {
      minLength: 2,
      maxLength: 6,
    }),
  })
  .map(({ terms: [price, written], rounding, clause, level, item, more }) => {
    const parts = [clause, rounding === null ? '' : `rounding: { price: { dp: ${rounding} } }`].filter(Boolean)
    return {
      price,
      level,
      item,
      clause: `{ ${parts.join(', ')} }`,
      decimals: rounding ?? written,
      // Of each there is a correction, a period that one side signed, and quantities.
      steps: [
        ['sign', 0],
        ['declare', 7],
        ['revise', 702],
        ['agree correction', 0],
        ['buyer signs', 0],
        ...more,
      ] as const,
    }
  })

const documentOf = ({ price, clause, level }: History) => `slug: ${slug}
name: Random parts
status: ACTIVE
contract: { start: 2024-01-01, end: 2025-06-30, frequency: QUARTERLY, price: { amount: ${price}, currency: EUR, unit: piece } }
inputs: { metal: { series: CUSTOM/metal, weight: 1, base: { value: 100 }, lag: 1 month } }
clause: ${clause}
parties: { buyer: [${emails.buyer}], supplier: [${emails.supplier}] }
corrections: { when: EACH, level: ${level} }
`

const figure = (period: string, value: string, published: string) =>
  `CUSTOM/metal,${period},${value},FINAL,${published},Metal\n`
const head = 'series,period,value,version,published,name\n'

interface World {
  readonly given: History
  readonly seats: Seats
  readonly money: Map<string, string>
  published: number
}

async function open(given: History): Promise<World> {
  const seats = await makeSeats(console.api)
  const { tenant, as } = seats
  for (const browser of [as.buyer, as.supplier]) await browser.confirm()
  const first = months.map((month, i) => figure(month, `${103 + (i % 2 === 0 ? 2 * i : -i)}.3`, '2025-04-10'))
  await tenant.import(`${head}${first.join('')}`)
  await tenant.apply(documentOf(given))
  if (given.item !== null)
    await applyList(tenant, slug, `item,price,currency,per,unit\nbolt,${given.item},EUR,1,piece\n`)
  return { given, seats, money: new Map(), published: 0 }
}

/** What cannot be done now is left out. */
async function go(world: World, [step, drawn]: readonly [Step, number]): Promise<void> {
  const { as, tenant } = world.seats
  const { entries } = await as.buyer.json<AgreementPage>(`/agreements/${slug}`)
  if (step === 'revise') {
    world.published += 1
    const day = new Date(Date.UTC(2025, 4, 1 + world.published)).toISOString().slice(0, 10)
    await tenant.import(`${head}${figure(months[drawn % 5]!, `${101 + (drawn % 7)}.${drawn}`, day)}`)
  } else if (step === 'declare') {
    const rows = entries.slice(drawn % 3).map(({ period }) => ({ agreement: slug, period, quantity: `${10 + drawn}` }))
    await declareQuantities(tenant, rows)
    for (const { period, quantity } of rows) world.money.set(period, quantity)
  } else if (step === 'agree correction') await agreeCorrection(as)
  else {
    const waits = entries.filter(({ isSigned }) => !isSigned)
    const wanted = waits[drawn % Math.max(1, Math.min(2, waits.length))]
    if (wanted === undefined) return
    if (step !== 'supplier signs') await signThrough(as.buyer, 'buyer', wanted.period)
    if (step !== 'buyer signs') await signThrough(as.supplier, 'supplier', wanted.period)
  }
}

async function agreeCorrection(as: Seats['as']): Promise<void> {
  const proposed = await as.owner.post(`/agreements/${slug}/corrections`, { reason: null })
  if (proposed.status !== 201) return
  const { id } = proposed.json as { id: string }
  const { hash } = (await as.owner.json<CorrectionPage>(`/corrections/${id}`)).correction
  for (const party of ['buyer', 'supplier'] as const)
    expect((await as[party].post(`/corrections/${id}/sign`, { party, hash })).status).toBe(200)
}

async function signThrough(browser: Browser, party: string, period: string): Promise<void> {
  const path = `/agreements/${slug}/periods/${period}`
  const { signing } = await browser.json<AdjustmentPage>(path)
  if (signing.as !== party) return
  const shown = signing.periods.map(each => ({ period: each.period, hash: each.hash }))
  const { status, text } = await browser.post(`${path}/sign`, { party, periods: shown })
  expect(status, text).toBe(200)
}

interface WrittenReceipt {
  readonly body: { readonly result: { readonly factor: string }; readonly carriedIn: { readonly factor: string } }
  readonly signatures?: readonly { readonly party: string }[]
}

/** From receipts, agreed corrections and what was declared. */
async function factsOf({ given, seats, money }: World): Promise<AgreementFacts> {
  const { owner } = seats.as
  const { entries } = await owner.json<AgreementPage>(`/agreements/${slug}`)
  const { corrections } = await owner.json<LedgerPage>(`/agreements/${slug}/ledger`)
  const agreed = corrections.filter(({ state }) => state === 'AGREED').sort((a, b) => (a.id < b.id ? -1 : 1))
  const periods = await Promise.all(
    entries.map(async ({ period }): Promise<PeriodFacts> => {
      const { body, signatures = [] } = await owner.json<WrittenReceipt>(
        `/agreements/${slug}/periods/${period}/receipt`,
      )
      const last = agreed.flatMap(each => each.periods).findLast(each => each.period === period)
      return {
        period,
        factor: body.result.factor,
        factorBefore: body.carriedIn.factor,
        corrected: last?.factorAfter ?? null,
        signedBy: signatures.map(({ party }) => party),
        quantity: money.get(period) ?? null,
      }
    }),
  )
  const { price, decimals, item, level } = given
  const written = item === null ? decimals : Math.max(2, item.split('.')[1]!.length)
  const ofItem = { price: item ?? price, decimals: given.clause.includes('rounding') ? decimals : written }
  return { price, decimals, level, periods, item: ofItem }
}

const stepOf = ({ priceBefore, price, changePct }: ShownStep) => ({ priceBefore, price, changePct })

function checkShown(where: string, expected: ExpectedStep, step: ShownStep, ground: StepFromSettled | null): void {
  expect([where, expected.period, stepOf(step)]).toEqual([where, expected.period, stepOf(expected)])
  if (expected.words !== undefined)
    expect([where, expected.period, formatGround(step, ground)]).toEqual([where, expected.period, expected.words])
}

function checkPeriod(where: string, expected: ExpectedStep, period: InboxPeriod): void {
  const { settled, paidPct, effect, paidEffect } = expected
  expect([where, period]).toMatchObject([where, { ...stepOf(expected), settled, paidPct, effect, paidEffect }])
}

function checkRow(
  where: string,
  steps: ReadonlyMap<string, ExpectedStep>,
  row: Pick<PeriodsRow, 'periods' | 'ground'>,
) {
  for (const period of row.periods) checkPeriod(where, steps.get(period.period)!, period)
  checkShown(where, steps.get(row.periods.at(-1)!.period)!, figuresOf(row), row.ground)
}

type Cells = Readonly<Record<string, Cell>>
const cellsOf = ({ head, rows }: Sheet): Cells[] =>
  rows.map(row => Object.fromEntries(head.map((name, i) => [name, row[i]!])))
const cell = (figure: string | null) => (figure === null ? null : { figure })

async function compare(world: World, viewer: 'buyer' | 'supplier' | null): Promise<void> {
  const { as, slug: workspace } = world.seats
  const browser = as[viewer ?? 'viewer']
  const expected = expectedSteps(await factsOf(world), viewer)
  const steps = new Map(expected.map(each => [each.period, each]))
  const open = expected.filter(({ isAgreed }) => !isAgreed)
  const inbox = await eventually(
    () => browser.json<Inbox>('/sign-offs'),
    ({ pending }) => pending === 0,
  )
  const rows = [...inbox.mine.rows, ...inbox.others.rows].filter(row => row.kind === 'periods')
  expect(rows.flatMap(({ periods }) => periods.map(({ period }) => period)).sort()).toEqual(
    open.map(each => each.period),
  )
  for (const row of rows) checkRow('row', steps, row)
  for (const line of cellsOf(inboxSheet(rows, { name: workspace })).filter(each => each.kind === 'adjustment')) {
    const { settled, priceBefore, price, changePct, paidPct, effect, paidEffect } = steps.get(String(line.period))!
    expect(line).toMatchObject({
      'settled price': cell(settled),
      'price before': cell(priceBefore),
      'proposed price': cell(price),
      'change %': cell(changePct),
      'change on settled %': cell(paidPct),
      effect: cell(effect),
      'effect on settled': cell(paidEffect),
    })
  }
  for (const { period } of inbox.mine.rows.flatMap(row => (row.kind === 'periods' ? row.periods : []))) {
    const asked = await browser.post('/sign-offs/to-sign', { agreements: [{ slug, through: period }] })
    const { agreements, refused } = asked.json as ToSign
    expect([agreements.length, refused]).toEqual([1, []])
    checkRow('dialog', steps, agreements[0]!)
  }

  const page = await browser.json<AgreementPage>(`/agreements/${slug}`)
  for (const { period, step, ground } of page.entries) checkShown('periods', steps.get(period)!, step, ground)
  for (const each of expected) await checkPage(browser, steps, each)

  const { rows: listed } = await browser.json<AgreementList>('/agreements')
  const last = expected.at(-1)!
  const settledStep = expected.findLast(({ isAgreed }) => isAgreed)
  for (const row of [page.agreement, listed[0]!]) {
    checkShown('list', last, row.last!.step, row.last!.ground)
    expect(row.settledPct).toBe(settledStep?.changePct ?? null)
    if (last.isAgreed) continue
    expect(row.last!.ground?.paidPct ?? row.last!.step.changePct).toBe(last.paidPct)
  }
  checkListed(agreementSheet(listed, { slug: workspace, name: workspace }), { last, settledStep })

  const { waiting, disputed } = await browser.json<Overview>('/overview')
  for (const { entry } of [...waiting, ...disputed])
    checkShown('overview', steps.get(entry.period)!, entry.step, entry.ground)
  const { rows: recent } = await browser.json<RecentlySigned>('/sign-offs/recent')
  for (const { entry } of recent) checkShown('recently', steps.get(entry.period)!, entry.step, entry.ground)
}

/** From a page, whose elements the types of tests do not know. */
const columnsFile = new URL('../../web/pages/agreements/agreement-list/columns.tsx', import.meta.url).href
const { agreementSheet } = (await import(columnsFile)) as {
  agreementSheet(rows: readonly AgreementListRow[], workspace: { readonly slug: string; readonly name: string }): Sheet
}

/** The list as a file, of which CSV and XLSX are two forms. */
function checkListed(
  sheet: Sheet,
  { last, settledStep }: { readonly last: ExpectedStep; readonly settledStep: ExpectedStep | undefined },
): void {
  const proposed = last.isAgreed ? null : last
  const [line, ...others] = cellsOf(sheet)
  expect(others).toEqual([])
  const { priceBefore, price, changePct, paidPct } = proposed ?? nothingProposed
  expect(line).toMatchObject({
    'settled period': settledStep?.period ?? null,
    'settled change %': cell(settledStep?.changePct ?? null),
    ...(settledStep === undefined ? {} : { 'settled price': cell(settledStep.price) }),
    'proposed period': proposed?.period ?? null,
    'proposed price': cell(price),
    'price before': cell(priceBefore),
    'change %': cell(changePct),
    'change on settled %': cell(paidPct),
  })
}

const nothingProposed = { priceBefore: null, price: null, changePct: null, paidPct: null }

/** The page of a period, the dialog that opens from it, and its paper. */
async function checkPage(browser: Browser, steps: ReadonlyMap<string, ExpectedStep>, expected: ExpectedStep) {
  const page = await browser.json<AdjustmentPage>(`/agreements/${slug}/periods/${expected.period}`)
  checkShown('page', expected, page.entry.step, page.entry.ground)
  for (const { period, step, price } of page.signing.periods) {
    checkShown('signed together', { ...steps.get(period)!, words: undefined }, step, null)
    expect(price).toBe(step.price)
  }
  const facts = new Map(adjustmentSheet(page, 'en').facts.map(({ label, value }) => [label, value]))
  const printed = (label: string) =>
    facts
      .get(label)
      ?.replaceAll(',', '')
      .replace(/[\s\u202f]EUR.*$/, '')
  expect([printed('Price before'), printed('Price')]).toEqual([expected.priceBefore, expected.price])
  const change = facts
    .get('Change of the price')
    ?.replace('−', '-')
    .replace(/[+\s\u202f%]/g, '')
  expect(change).toBe(expected.changePct ?? '–')
}

test('every place shows the same step, and its percent and money are of its two prices', async () => {
  await fc.assert(
    fc.asyncProperty(history, async given => {
      const world = await open(given)
      for (const step of given.steps) await go(world, step)
      for (const viewer of ['buyer', 'supplier', null] as const) await compare(world, viewer)
    }),
    { numRuns: roundsOf('properties', 'histories of the steps that are shown', 1, 20), seed: seedOr(830) },
  )
})
