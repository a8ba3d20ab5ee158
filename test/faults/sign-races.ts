// F4: both parties sign, twice each and at the same time, while the formula is edited and figures are revised. Each party
// has one row for a receipt, every row is bound to a hash that was shown, including those signed together with another, and
// what both signed keeps its number.

import type { SeenPeriod } from '../../src/core/receipt/party-signature.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { Refusal } from '../../src/core/refusal.ts'
import type { Api, Tenant } from '../support/houses/api.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'

const document = (slug: string, variant: number) => `
slug: ${slug}
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-12-31, frequency: MONTHLY }
inputs: { index: { series: CUSTOM/race, weight: 0.${(variant % 8) + 1}, base: { value: 100 }, missing: LAST_KNOWN } }
clause: { fixed: 0.${9 - (variant % 8)} }
parties: { supplier: [sam@supplier.test] }`

/** February to December. */
const periodsEach = 11

const periodOf = (place: number) => `2024-${String(place + 2).padStart(2, '0')}`

class Race {
  readonly #tenant: Tenant
  readonly #chance: Chance
  readonly shown = new Set<string>()
  /** By the address of the adjustment. */
  readonly #signedNumbers = new Map<string, { readonly hash: string; readonly text: string }>()
  #slug = ''
  #variant = 0
  accepted = 0
  refused = 0
  /** Rows signed together with another period. */
  along = 0

  constructor(tenant: Tenant, chance: Chance) {
    this.#tenant = tenant
    this.#chance = chance
  }

  async prepare(): Promise<void> {
    await this.#tenant.importValues('CUSTOM/race', { '2024-01': '100' }, '2024-02-01')
  }

  async round(round: number): Promise<void> {
    const place = round % periodsEach
    if (place === 0) {
      this.#slug = `race-${round}`
      await this.#tenant.apply(document(this.#slug, 0))
    }
    const period = periodOf(place)
    const hash = await this.#show(period)
    const ahead = await this.#showAhead(place)
    const acts = [
      ...(['buyer', 'buyer', 'supplier', 'supplier'] as const).map(party => () => this.#sign(period, party, hash)),
      () => this.#signAhead(ahead),
      () => this.#tenant.applyUnheard(document(this.#slug, ++this.#variant)),
      () => this.#revise(period, round),
    ]
    const order = acts.toSorted(() => this.#chance.next() - 0.5)
    const chosen = this.#chance.chance(70) ? order : order.filter(() => this.#chance.chance(70))
    // Sometimes the figures have changed by the time anybody signs, however fast signing is.
    if (this.#chance.chance(30)) await this.#revise(period, 500_000 + round)
    await Promise.all(chosen.map(act => act()))
    await this.#settle(period)
  }

  /** What the parties see, over HTTP. */
  async #show(period: string): Promise<string> {
    const { hash } = await this.#tenant.json<Receipt>(
      `/pams/${this.#slug}/adjustment/receipt?period=${period}&knownAt=${new Date().toISOString()}`,
    )
    this.shown.add(hash)
    return hash
  }

  async #sign(period: string, party: 'buyer' | 'supplier', hash: string): Promise<boolean> {
    return this.#try(async () => {
      const signed = await this.#tenant.signUnheard(this.#slug, period, party, { hash })
      if (signed.hash !== hash) throw new Error(`${party} saw ${hash} and signed ${signed.hash}`)
    })
  }

  async #try(act: () => Promise<void>): Promise<boolean> {
    try {
      await act()
      this.accepted++
      return true
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error
      this.refused++
      return false
    }
  }

  /** A period and two after it, each as it is shown. */
  async #showAhead(place: number): Promise<readonly SeenPeriod[]> {
    const seen: SeenPeriod[] = []
    for (let next = place; next < Math.min(place + 3, periodsEach); next++) {
      const period = periodOf(next)
      seen.push({ period, hash: await this.#show(period) })
    }
    return seen
  }

  /** The buyer signs all of them at once: everything added is in the list with its hash there, or nothing is added. */
  async #signAhead(shown: readonly SeenPeriod[]): Promise<boolean> {
    return this.#try(async () => {
      const { added } = await this.#tenant.signUnheard(this.#slug, shown.at(-1)!.period, 'buyer', { shown })
      for (const { period, receiptHash } of added)
        if (!shown.some(seen => seen.period === period && seen.hash === receiptHash))
          throw new Error(`the buyer signed ${receiptHash} for ${period}, which was not in the list`)
      this.along += Math.max(0, added.length - 1)
    })
  }

  async #revise(period: string, round: number): Promise<void> {
    const value = `${100 + this.#chance.int(-20, 20)}.${round}`
    await this.#tenant.importUnheard(
      `series,period,value,published\nCUSTOM/race,${period},${value},2025-01-01T00:00:00.${String(round).padStart(6, '0')}Z\n`,
    )
  }

  /** Both sign the final state, so that the next round can continue. */
  async #settle(period: string): Promise<void> {
    for (let attempt = 0; attempt < 5; attempt++) {
      const hash = await this.#show(period)
      if ((await this.#sign(period, 'buyer', hash)) && (await this.#sign(period, 'supplier', hash))) {
        const path = `/pams/${this.#slug}/adjustment?period=${period}`
        const { text } = await this.#tenant.get(`${path}&knownAt=${new Date().toISOString()}`)
        this.#signedNumbers.set(path, { hash, text })
        return
      }
    }
    throw new Error(`${period} could not be signed by both in peace`)
  }

  async check(): Promise<void> {
    const { owner } = this.#tenant.api
    const rows = await owner<{ agreement: string; period: string; hash: string; party: string; count: number }[]>`
      select agreement_id as agreement, period, receipt_hash as hash, party, count(*) from sign_off
      where workspace_id = ${this.#tenant.id} group by agreement_id, period, receipt_hash, party`
    const parties = new Map<string, string[]>()
    for (const { agreement, period, hash, party, count } of rows) {
      if (count !== 1) throw new Error(`${party} has ${count} rows for ${period} ${hash}`)
      if (!this.shown.has(hash)) throw new Error(`${party} is bound to ${hash} for ${period}, which was never shown`)
      const key = `${agreement} ${period} ${hash}`
      parties.set(key, [...(parties.get(key) ?? []), party])
    }
    const complete = [...parties].filter(([, both]) => both.length === 2).map(([key]) => key)
    const periods = new Set(complete.map(key => key.slice(0, key.lastIndexOf(' '))))
    if (complete.length !== periods.size || periods.size !== this.#signedNumbers.size)
      throw new Error(
        `${complete.length} receipts are signed by both, for ${periods.size} of ${this.#signedNumbers.size}`,
      )
    for (const [path, { hash, text: before }] of this.#signedNumbers) {
      if (!complete.some(key => key.endsWith(hash))) throw new Error(`${path}: ${hash} is not signed by both`)
      const { text } = await this.#tenant.get(path)
      if (text !== before) throw new Error(`the signed number of ${path} moved:\n${before}\n${text}`)
    }
  }
}

/** Runs this many rounds; returns how many signatures were accepted and refused. */
export async function raceSignatures(
  api: Api,
  { rounds, seed }: Pick<LongRun, 'rounds' | 'seed'>,
): Promise<{ accepted: number; refused: number; along: number }> {
  const race = new Race(await api.tenant(), new Chance(seed))
  await race.prepare()
  for (let round = 0; round < rounds; round++) await race.round(round)
  await race.check()
  return race
}
