// The product and the clerk over the same history: paths, corrections, balances on several days and what is open must be the
// same to the last cent.
import type { BilledLine } from '../../src/core/invoices/billed-line.ts'
import type { IssuedNote } from '../../src/core/invoices/issued-note.ts'
import type { AgreedCorrection, LedgerFacts } from '../../src/core/invoices/ledger-facts.ts'
import { formatMinorUnits } from '../../src/core/numbers/money.ts'
import { formatExact, type Ratio, ratio, reduce, sum } from '../../src/core/numbers/ratio.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { formatPeriod } from '../../src/core/time/period.ts'
import { assess, partsOfNet, withFactors } from '../../src/core/true-up/correction.ts'
import { agreedLines, balancesOf, isBalanced, openByRevision, openLedger } from '../../src/core/true-up/ledger.ts'
import { Chance } from '../faults/chance.ts'
import { AgreementLife } from '../support/agreements/agreement-life.ts'
import { listVersion } from '../support/agreements/priced-agreement.ts'
import { type Figures, figuresOf } from '../support/agreements/signed-path.ts'
import { agreementOf, factorsOf } from '../support/agreements/true-up.ts'
import { Clerk, writeUnits } from './clerk.ts'
import { endDay } from './clerk-path.ts'
import { dateOfPeriod, dayText, drawHistory, type History, type Kind, monthStart, type Print } from './history.ts'

const clauses: Readonly<Record<Kind, string>> = {
  FIXED: '{}',
  CHAINED: '{ basis: CHAINED }',
  FIXED_THRESHOLD: '{ threshold: { pct: 3, test: EXCEEDS, pays: ALL } }',
  CHAINED_THRESHOLD: '{ basis: CHAINED, threshold: { pct: 3, test: EXCEEDS, pays: ALL } }',
  FIXED_CAP: '{ cap: { periodPct: 4 } }',
  CHAINED_CAP: '{ basis: CHAINED, cap: { periodPct: 4 } }',
  CHAINED_FLOOR: '{ basis: CHAINED, floor: { periodPct: 0 } }',
}

export function writeHundredths(hundredths: number): string {
  return writeUnits(BigInt(hundredths), 'EUR')
}

/** In a storage, agreements have names of their own, parties and a status. */
export function writeDocument(history: History, slug = 'drawn', more = ''): string {
  const { kind, months, base, currency, items, policy, isEnding } = history
  const end = isEnding ? `, end: ${dayText(endDay(history))}` : ''
  const min = policy?.min
    ? `, min: { amount: ${writeUnits(BigInt(policy.min.units), currency)}, below: ${policy.min.below} }`
    : ''
  const within = policy?.within ? `, within: { months: ${policy.within.months}, of: ${policy.within.of} }` : ''
  const settle = policy?.spread ? `, settle: { spread: ${policy.spread} }` : ''
  const day = policy?.when === 'YEARLY' ? ', day: 03-31' : ''
  const corrections =
    policy === null
      ? ''
      : `corrections: { when: ${policy.when}${day}, level: ${policy.level}${min}${within}${settle} }\n`
  const price = `{ amount: ${writeHundredths(items[0]!.hundredths)}, currency: ${currency}, round: { dp: 2 } }`
  return `slug: ${slug}
${more}contract: { start: 2020-01-01, frequency: ${months === 1 ? 'MONTHLY' : 'QUARTERLY'}${end}, price: ${price} }
inputs: { index: { series: CUSTOM/${slug === 'drawn' ? 'index' : slug}, weight: 1, base: ${base === null ? '{ value: 100 }' : '2019-12'}, lag: 1 month } }
clause: ${clauses[kind]}
${corrections}`
}

function writePrint({ day, tag, tenths }: Print): string {
  return `${dayText(day)} ${tag} ${tenths === null ? '-' : `${Math.floor(tenths / 10)}.${tenths % 10}`}`
}

export function writeList({ items, currency }: History): string {
  const rows = items.map(
    ({ hundredths, share }, i) => `I${i},${writeHundredths(hundredths)},${currency},${share === 10 ? 1 : `0.${share}`}`,
  )
  return `item,price,currency,share\n${rows.join('\n')}\n`
}

/** The month whose figure a period reads. */
export function monthReadBy({ months }: History, period: number): string {
  return dayText(monthStart(months * (period + 1)) - 1).slice(0, 7)
}

/** The label of a period. */
export function labelOf(history: Pick<History, 'months'>, period: number): string {
  const [year, month] = dayText(dateOfPeriod(history, period)).split('-') as [string, string]
  return history.months === 1 ? `${year}-${month}` : `${year}-Q${(Number.parseInt(month, 10) + 2) / 3}`
}

function begin(history: History): AgreementLife {
  const { figures, base, items, currency, healsFrom, policy } = history
  const printed: Record<string, readonly string[]> = base === null ? {} : { '2019-12': base.map(writePrint) }
  figures.forEach((prints, i) => {
    printed[monthReadBy(history, i)] = prints.map(writePrint)
  })
  const healed = policy === null ? policy : { ...policy, level: 'HEAL' as const }
  const later = healsFrom === null ? [] : [writeDocument({ ...history, policy: healed })]
  const nameOf = (item: number) => (items.length === 1 ? 'drawn' : `I${item}`)
  const lines = history.lines.map(({ number, item, quantity, day, imported, billed, isCorrection }): BilledLine => {
    const date = parseDay(dayText(day))!
    return {
      id: `line ${number}`,
      supplier: 'x',
      company: null,
      invoice: '1',
      line: `${number}`,
      kind: isCorrection ? 'CORRECTION' : 'INVOICE',
      item: nameOf(item),
      quantity: ratio(writeHundredths(quantity)),
      day: date,
      serviceFrom: date,
      serviceTo: null,
      date,
      billed: ratio(writeUnits(BigInt(billed), currency)),
      currency,
      importedAt: `${dayText(imported)}T15:00:00.000000Z`,
      reverses: null,
    }
  })
  return new AgreementLife({
    documents: [writeDocument(history), ...later],
    knownFrom: [null, healsFrom === null ? null : dayText(healsFrom)],
    series: [figuresOf('CUSTOM/index', printed as Figures)],
    lines,
    quantities: history.quantities.map(({ item, period, quantity }) => ({
      item: nameOf(item),
      period: labelOf(history, period),
      quantity: ratio(writeHundredths(quantity)),
    })),
    lists: items.length === 1 ? [] : [listVersion(writeList(history), 1, 'start', '2020-01-01')],
  })
}

const endOf = (day: number) => `${dayText(day)}T23:59:59.999999Z`

interface ProductsReport {
  readonly life: AgreementLife
  readonly facts: LedgerFacts
  readonly corrections: readonly {
    readonly day: number
    readonly periods: readonly number[]
    readonly net: Ratio | null
    readonly waived: boolean
  }[]
  readonly blamed: ReadonlyMap<number, string>
}

function keepByProduct(history: History, agreeOn: readonly number[]): ProductsReport {
  const { figures, signAfter, lastDay } = history
  const life = begin(history)
  const settledFrom = [{ at: endOf(-1), settled: life.settled }]
  const agreed: AgreedCorrection[] = []
  const notes: IssuedNote[] = []
  const corrections: ProductsReport['corrections'][number][] = []
  const blamed = new Map<number, string>()
  const signOn = new Set(figures.map((_, i) => dateOfPeriod(history, i) + signAfter))
  for (const day of [...new Set([...signOn, ...agreeOn])].sort((a, b) => a - b)) {
    if (signOn.has(day)) life.sign(dayText(day))
    if (!agreeOn.includes(day)) continue
    blamed.set(day, blame(history, life, day))
    const draft = life.agree(dayText(day))
    if (draft === null) continue
    const id = `correction ${corrections.length + 1}`
    const { net, isWaiver } = draft
    settledFrom.push({ at: endOf(day), settled: life.settled })
    const periods = draft.periods.map(({ restated }) => placeOf(history, restated.signed.period))
    corrections.push({ day, periods, net, waived: isWaiver })
    agreed.push({ id, agreedAt: endOf(day), isWaiver, currency: history.currency, lines: agreedLines(draft) })
    if (isWaiver || net === null) continue
    partsOfNet(net, draft.settle, history.currency).forEach((amount, i) => {
      const noted = day + history.noteAfter * (i + 1)
      const whose = { company: null, supplier: 'x', currency: history.currency }
      const note = { id: `${id} ${i}`, issuedAt: endOf(noted), number: `N${notes.length}`, amount, ...whose }
      if (noted <= history.lastDay) notes.push(note)
    })
  }
  const path = life.path(dayText(lastDay))
  const instants = [...settledFrom.map(({ at }) => at), ...life.signed.map(({ agreedAt }) => agreedAt)].sort()
  const states = instants.map(at => {
    const factors = factorsOf(settledFrom.findLast(each => each.at <= at)!.settled)
    return { at, agreement: withFactors(agreementOf(path, at.slice(0, 10), life.lists), factors) }
  })
  const { currency } = history
  const facts = { currency, lines: life.lines, settled: states, corrections: agreed, billing: [], notes }
  return { life, facts, corrections, blamed }
}

/** The figures behind what had moved on a day. */
function blame(history: History, life: AgreementLife, day: number): string {
  const months = history.figures.map((_, i) => monthReadBy(history, i))
  const tenths = (value: string | undefined) => (value === undefined ? undefined : value.replace('.', ''))
  const told = life
    .assess(dayText(day))
    .moved.filter(({ hasEffect }) => hasEffect)
    .map(({ restated: { causes, signed } }) => {
      const figures = causes.map(({ period, before, after }) => {
        const place = months.indexOf(formatPeriod(period))
        return `${place < 0 ? 'base' : `figure ${place}`} ${tenths(before?.value)} ${tenths(after.value)}`
      })
      return `${placeOf(history, signed.period)}: ${figures.sort().join(', ')}`
    })
  return told.join('; ')
}

function placeOf(history: History, period: string): number {
  return history.figures.findIndex((_, i) => labelOf(history, i) === period)
}

/** The first difference between the two, in words; null where there is none. */
export function compareHistory(history: History): string | null {
  const { currency, lastDay, lookOn, agreeOn, policy } = history
  const money = (amount: Ratio | null) => (amount === null ? 'null' : formatMinorUnits(amount, currency))
  const clerk = new Clerk(history).keep()
  const product = keepByProduct(history, agreeOn)
  const { life } = product
  const exact = (factor: { readonly s: bigint; readonly n: bigint; readonly d: bigint }) =>
    formatExact(reduce({ n: factor.s * factor.n, d: factor.d }))
  const pairs: [string, string, string][] = [
    [
      'signed',
      clerk.signed.map(exact).join(' '),
      life.signed.map(({ factor }) => formatExact(reduce(factor))).join(' '),
    ],
  ]
  const ground = life.ground(dayText(lastDay))
  const restated = ground.restated.map(({ gap, factor }) => (gap === null ? formatExact(reduce(factor)) : 'blocked'))
  pairs.push([
    'restated',
    clerk.restated.map(each => (each === null ? 'blocked' : exact(each))).join(' '),
    restated.join(' '),
  ])
  const tell = (each: { day: number; periods: readonly number[]; waived: boolean }, net: string) =>
    `${each.day}: ${each.periods.join()} ${net} ${each.waived}`
  pairs.push([
    'corrections',
    clerk.corrections.map(each => tell(each, each.net === null ? 'null' : writeUnits(each.net, currency))).join('; '),
    product.corrections.map(each => tell(each, money(each.net))).join('; '),
  ])
  for (const [day, told] of clerk.blamed) pairs.push([`the figures of day ${day}`, told, product.blamed.get(day)!])
  for (const day of [...lookOn, lastDay]) {
    const ledger = openLedger(product.facts, endOf(day))
    if (!isBalanced(ledger)) return `the ledger does not balance on day ${day}`
    const own = Object.entries(balancesOf(ledger)).map(([account, amount]) => `${account} ${money(amount)}`)
    const clerks = Object.entries(clerk.books.get(day)!).map(
      ([account, units]) => `${account} ${writeUnits(units, currency)}`,
    )
    pairs.push([`the book of day ${day}`, clerks.sort().join(), own.sort().join()])
  }
  const open = openByRevision(openLedger(product.facts), assess(ground), ground.agreement, ground.lines)
  pairs.push([
    'open',
    Object.entries(clerk.open)
      .map(([name, units]) => `${name} ${writeUnits(units, currency)}`)
      .sort()
      .join(),
    Object.entries(open)
      .map(([name, amount]) => `${name} ${money(amount)}`)
      .sort()
      .join(),
  ])
  // Agreeing after each revision comes to the same as agreeing once.
  if (policy !== null && policy.when !== 'FINAL' && policy.min === null && policy.within === null) {
    const total = (report: ProductsReport) => money(sum(report.corrections.flatMap(({ net }) => net ?? [])))
    // What is signed after a correction with REBASE is another number than without it.
    const lastSigned = dateOfPeriod(history, history.figures.length - 1) + history.signAfter
    const isOnePath = policy.level === 'HEAL' || (history.healsFrom === null && agreeOn.every(day => day >= lastSigned))
    const imported = history.lines.every(line => line.imported <= (agreeOn[0] ?? lastDay))
    // What was agreed before a figure was withdrawn stays agreed; at the end it could not be restated any more.
    const isWhole = ground.restated.every(({ gap }) => gap === null)
    if (imported && isWhole && isOnePath)
      pairs.push(['the total', total(product), total(keepByProduct(history, [lastDay]))])
  }
  const apart = pairs.find(([, left, right]) => left !== right)
  return apart === undefined ? null : `${apart[0]}: the clerk has ${apart[1]}, the product ${apart[2]}`
}

/** A history by its seed, and the first difference in it. */
export function compareSeed(seed: number): string | null {
  const found = compareHistory(drawHistory(new Chance(seed)))
  return found === null ? null : `seed ${seed}: ${found}`
}
