// What races of proposing, signing and refusing have in common: who races, what is counted, and how it is run.
import { Seal } from '../../src/agreements/seal.ts'
import { Refusal, type RefusalKind } from '../../src/core/refusal.ts'
import type { Api, Tenant } from '../support/houses/api.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'

interface RaceReport {
  /** How many acts were accepted and refused. */
  readonly accepted: number
  readonly refused: number
  /** How many proposals both have signed. */
  readonly agreed: number
}

export abstract class SigningRace implements RaceReport {
  protected readonly tenant: Tenant
  protected readonly seal: Seal
  protected readonly chance: Chance
  /** The hash that was shown, by the id of its proposal. */
  protected readonly shown = new Map<string, string>()
  /** How an act may be refused. */
  protected readonly refusals: readonly RefusalKind[] = ['conflict']
  accepted = 0
  refused = 0
  agreed = 0
  #figures = 0

  constructor(tenant: Tenant, chance: Chance) {
    this.tenant = tenant
    this.chance = chance
    this.seal = new Seal(tenant.api.ring)
  }

  abstract prepare(): Promise<void>
  abstract round(round: number): Promise<void>
  /** Throws where something is stored that must not be. */
  abstract check(): Promise<void>

  /** Some of them, at the same time, in any order. */
  protected async together(acts: readonly (() => Promise<unknown>)[]): Promise<void> {
    const order = acts.toSorted(() => this.chance.next() - 0.5)
    await Promise.all(order.filter(() => this.chance.chance(75)).map(act => act()))
  }

  /** Each figure has a number and an instant of its own. */
  protected nextFigure(): { readonly number: number; readonly at: string } {
    const number = ++this.#figures
    return { number, at: `2025-01-01T00:00:00.${String(number).padStart(6, '0')}Z` }
  }

  protected async try<T>(act: () => Promise<T>): Promise<T | null> {
    try {
      const done = await act()
      this.accepted++
      return done
    } catch (error) {
      if (!(error instanceof Refusal) || !this.refusals.includes(error.kind)) throw error
      this.refused++
      return null
    }
  }

  /** What holds of every proposal that is stored. */
  protected judge({ id, hash, parties, refused }: Judged): void {
    if (this.shown.get(id) !== hash) throw new Error(`${id} is stored under ${hash}, which was not shown`)
    if (refused && parties.length === 2) throw new Error(`${id} is both agreed and refused`)
    if (new Set(parties).size !== parties.length) throw new Error(`${id} is signed twice by one party`)
    if (parties.length === 2) this.agreed++
  }
}

export interface Judged {
  readonly id: string
  readonly hash: string
  readonly refused: boolean
  readonly parties: readonly string[]
}

/** Runs this many rounds in a workspace of its own. */
export async function runRace(
  Race: new (tenant: Tenant, chance: Chance) => SigningRace,
  api: Api,
  { rounds, seed }: Pick<LongRun, 'rounds' | 'seed'>,
): Promise<RaceReport> {
  const race = new Race(await api.tenant(), new Chance(seed))
  await race.prepare()
  for (let round = 0; round < rounds; round++) await race.round(round)
  await race.check()
  if (race.agreed === 0) throw new Error('nothing was agreed in the whole race')
  return race
}
