// A drawn history through the acts of the product and a real database: figures and lines are imported, periods and corrections
// signed, notes issued, each on its day and in order. What is stored must come to what the clerk has in his book.
import { proposeCorrection, signCorrection } from '../../src/agreements/correct.ts'
import { noteCorrection } from '../../src/agreements/correction-note.ts'
import { importQuantities } from '../../src/agreements/quantities.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { formatMinorUnits } from '../../src/core/numbers/money.ts'
import { Refusal } from '../../src/core/refusal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import type { Instant } from '../../src/core/time/instant.ts'
import { balancesOf, isBalanced } from '../../src/core/true-up/ledger.ts'
import { importTable } from '../../src/import/table.ts'
import { Library } from '../../src/read/library.ts'
import { buyer, supplier, type Tenant, textSource, uploadOf, withdraw } from '../support/houses/api.ts'
import { applyListUnheard, keepLinesUnheard } from '../support/houses/priced-tenant.ts'
import { Clerk, type ClerksReport, writeUnits } from './clerk.ts'
import { labelOf, monthReadBy, writeDocument, writeHundredths, writeList } from './compare.ts'
import { dateOfPeriod, dayText, type History, type Print } from './history.ts'

const by = { who: 'eva@editor.test', fromAddress: null }
const today = parseDay(new Date().toISOString().slice(0, 10))!

/** The same history as it can be lived through: what depends on the day of the clock is left out. */
export function livable(history: History): History {
  const { policy } = history
  const when = policy?.when === 'YEARLY' || policy?.when === 'END' ? 'EACH' : policy?.when
  return {
    ...history,
    policy: policy === null ? null : { ...policy, when: when!, within: null },
  }
}

const figuresFirst = 0

interface Act {
  readonly day: number
  /** On one day: figures, signatures, lines, corrections, notes, and then somebody looks. */
  readonly order: number
  readonly run: () => Promise<void>
}

/** What a look at the ledger showed, and when. */
interface Look {
  readonly day: number
  readonly at: Instant
  readonly balances: string
}

const tags = { P: 'PRELIMINARY', F: 'FINAL', R: 'REVISED' } as const

export class StoredHistory {
  readonly #tenant: Tenant
  readonly #history: History
  readonly #slug: string
  readonly #seal: Seal
  readonly #looks: Look[] = []
  readonly #corrections: ClerksReport['corrections'][number][] = []
  readonly #acts: Act[] = []
  /** Figures that are imported together, before anybody does anything else. */
  #printed: string[] = []

  constructor(tenant: Tenant, history: History, slug: string) {
    this.#tenant = tenant
    this.#history = history
    this.#slug = slug
    this.#seal = new Seal(tenant.api.ring)
  }

  /** The first difference to the clerk, in words; null where there is none. */
  async compare(): Promise<string | null> {
    await this.#begin()
    this.#plan()
    for (;;) {
      // Acts add others: a correction that is agreed has notes.
      this.#acts.sort((a, b) => a.day - b.day || a.order - b.order)
      const next = this.#acts.shift()
      if (next === undefined) break
      if (next.order > figuresFirst) await this.#importPrinted()
      await next.run()
    }
    const clerk = new Clerk(this.#history).keep()
    const pairs = [...this.#pairs(clerk), ...(await this.#pairsAgain()), await this.#openPair(clerk)]
    const apart = pairs.find(([, left, right]) => left !== right)
    return apart === undefined ? null : `${apart[0]}: the clerk has ${apart[1]}, the product ${apart[2]}`
  }

  get #item(): (item: number) => string {
    return item => (this.#history.items.length === 1 ? this.#slug : `I${item}`)
  }

  #label(period: number): string {
    return labelOf(this.#history, period)
  }

  async #begin(): Promise<void> {
    const { items, quantities } = this.#history
    // A figure that nothing reads, so that the series is there.
    await this.#import([`CUSTOM/${this.#slug},2010-01,100,FINAL,2010-02-01`])
    await this.#apply(this.#history)
    if (items.length > 1) await applyListUnheard(this.#tenant, this.#slug, writeList(this.#history))
    const rows = quantities.map(({ item, period, quantity }, i) => ({
      line: i + 2,
      agreement: this.#slug,
      item: this.#item(item),
      period: this.#label(period),
      quantity: writeHundredths(quantity),
    }))
    if (rows.length === 0) return
    const request = { workspaceId: this.#tenant.id, rows, today, by, source: 'quantities.csv' }
    const declared = await importQuantities(this.#tenant.api.sql, this.#library(), request)
    if (declared.outcome === 'refused') throw new Error(`quantities are refused: ${JSON.stringify(declared.problems)}`)
  }

  #apply(history: History): Promise<unknown> {
    const parties = `name: ${this.#slug}\nstatus: ACTIVE\nparties: { supplier: [${supplier}] }\n`
    return this.#tenant.applyUnheard(writeDocument(history, this.#slug, parties))
  }

  /** The policy puts the level right no more. */
  async #heal(): Promise<void> {
    const { policy } = this.#history
    await this.#apply({ ...this.#history, policy: { ...policy!, level: 'HEAL' } })
  }

  #library(): Library {
    return new Library(this.#tenant.api.sql, 64 * 1024 * 1024, { seals: this.#seal.rows, report: () => {} })
  }

  async #import(rows: readonly string[]): Promise<void> {
    const table = `series,period,value,version,published\n${rows.join('\n')}\n`
    const options = { dryRun: false, upload: uploadOf(table), onProgress: () => {} }
    const { problems } = await importTable(this.#tenant.api.sql, this.#tenant.id, textSource(table), options)
    if (problems.length > 0) throw new Error(`figures are refused: ${JSON.stringify(problems)}`)
  }

  #plan(): void {
    const { figures, base, lines, agreeOn, lookOn, lastDay, signAfter, policy, healsFrom } = this.#history
    const printed = figures.map((prints, i) => ({ month: monthReadBy(this.#history, i), prints }))
    for (const { month, prints } of [...printed, ...(base === null ? [] : [{ month: '2019-12', prints: base }])])
      for (const print of prints)
        if (print.day <= lastDay) this.#add(print.day, figuresFirst, () => this.#print(month, print))
    if (healsFrom !== null) this.#add(healsFrom, figuresFirst, () => this.#heal())
    for (const i of figures.keys()) this.#add(dateOfPeriod(this.#history, i) + signAfter, 1, () => this.#sign(i))
    for (const day of new Set(lines.map(({ imported }) => imported)))
      this.#add(day, 2, () => this.#bill(lines.filter(({ imported }) => imported === day)))
    if (policy !== null) for (const day of agreeOn) this.#add(day, 3, () => this.#agree(day))
    for (const day of [...new Set([...lookOn, lastDay])]) this.#add(day, 5, () => this.#look(day))
  }

  #add(day: number, order: number, run: () => Promise<void>): void {
    this.#acts.push({ day, order, run })
  }

  async #print(month: string, { day, tag, tenths }: Print): Promise<void> {
    const { api, id } = this.#tenant
    if (tenths === null) {
      await this.#importPrinted()
      await withdraw(api.sql, id, await this.#tenant.seriesId(`CUSTOM/${this.#slug}`), [month], dayText(day))
      return
    }
    const value = `${Math.floor(tenths / 10)}.${tenths % 10}`
    this.#printed.push(`CUSTOM/${this.#slug},${month},${value},${tags[tag]},${dayText(day)}`)
  }

  async #importPrinted(): Promise<void> {
    if (this.#printed.length > 0) await this.#import(this.#printed)
    this.#printed = []
  }

  async #sign(period: number): Promise<void> {
    for (const party of ['buyer', 'supplier'] as const)
      await this.#tenant.signUnheard(this.#slug, this.#label(period), party)
  }

  #bill(lines: History['lines']): Promise<void> {
    const { currency } = this.#history
    return keepLinesUnheard(
      this.#tenant,
      lines.map(({ number, item, quantity, day, billed, isCorrection }) => ({
        invoice: `${this.#slug}-${number}`,
        line: `${number}`,
        agreement: this.#slug,
        item: this.#item(item),
        quantity: writeHundredths(quantity),
        amount: writeUnits(BigInt(billed), currency),
        currency,
        date: dayText(day),
        kind: isCorrection ? 'CORRECTION' : 'INVOICE',
      })),
    )
  }

  async #agree(day: number): Promise<void> {
    const { api, id: workspaceId } = this.#tenant
    const proposed = await proposeCorrection(api.sql, this.#seal, {
      workspaceId,
      agreement: this.#slug,
      reason: null,
      by,
    }).catch(error => {
      if (!(error instanceof Refusal) || !error.message.includes('nothing is due')) throw error
      return null
    })
    if (proposed === null) return
    const { id, net, periods, parts, hash } = proposed.correction
    for (const [party, email] of [
      ['buyer', buyer],
      ['supplier', supplier],
    ] as const)
      await signCorrection(api.sql, this.#seal, {
        workspaceId,
        id,
        party,
        email,
        hash,
        proof: { means: 'OPERATOR' } as const,
        fromAddress: null,
      })
    const { waived } = proposed.correction
    const places = periods.map(each => this.#history.figures.findIndex((_, i) => this.#label(i) === each.period))
    const units = net === null ? null : BigInt(net.replace('.', ''))
    this.#corrections.push({ day, periods: places, net: units, waived })
    if (waived || net === null) return
    for (const i of parts.keys()) {
      const noted = day + this.#history.noteAfter * (i + 1)
      if (noted <= this.#history.lastDay) this.#add(noted, 4, () => this.#note(id, i, noted))
    }
  }

  async #note(id: string, part: number, day: number): Promise<void> {
    const { api, id: workspaceId } = this.#tenant
    const request = { workspaceId, id, number: `${id}-${part}`, date: parseDay(dayText(day))!, by, write: () => 'note' }
    await noteCorrection(api.sql, this.#seal, request)
  }

  async #look(day: number): Promise<void> {
    const { owner } = this.#tenant.api
    const [row] = await owner<{ at: Instant }[]>`
      select max(recorded_at) as at from publication where scope = ${this.#tenant.id}`
    this.#looks.push({ day, at: row!.at, balances: await this.#balances(null) })
  }

  async #trueUp(knownAt: Instant | null) {
    const found = await this.#library().trueUps.find(this.#tenant.id, this.#slug, { knownAt, until: today })
    return found!
  }

  async #balances(knownAt: Instant | null): Promise<string> {
    const { ledger } = await this.#trueUp(knownAt)
    if (!isBalanced(ledger)) throw new Error(`the ledger of ${this.#slug} does not balance`)
    const { currency } = this.#history
    const told = Object.entries(balancesOf(ledger)).map(
      ([name, amount]) => `${name} ${formatMinorUnits(amount, currency)}`,
    )
    return told.sort().join()
  }

  *#pairs(clerk: ClerksReport): Generator<readonly [string, string, string]> {
    const { currency } = this.#history
    const tell = ({ day, periods, net, waived }: ClerksReport['corrections'][number]) =>
      `${day}: ${periods.join()} ${net} ${waived}`
    yield ['corrections', clerk.corrections.map(tell).join('; '), this.#corrections.map(tell).join('; ')]
    for (const { day, balances } of this.#looks) {
      const own = Object.entries(clerk.books.get(day)!).map(([name, units]) => `${name} ${writeUnits(units, currency)}`)
      yield [`the book of day ${day}`, own.sort().join(), balances]
    }
  }

  /** What was shown then is shown again, asked for as it was known. */
  #pairsAgain(): Promise<(readonly [string, string, string])[]> {
    return Promise.all(
      this.#looks.map(
        async ({ day, at, balances }) => [`day ${day} as known then`, balances, await this.#balances(at)] as const,
      ),
    )
  }

  async #openPair({ open: clerks }: ClerksReport): Promise<readonly [string, string, string]> {
    const { currency } = this.#history
    const { open } = await this.#trueUp(null)
    const tell = (all: readonly (readonly [string, string])[]) =>
      all
        .map(each => each.join(' '))
        .sort()
        .join()
    return [
      'open',
      tell(Object.entries(clerks).map(([name, units]) => [name, writeUnits(units, currency)])),
      tell(Object.entries(open).map(([name, amount]) => [name, formatMinorUnits(amount, currency)])),
    ]
  }
}
