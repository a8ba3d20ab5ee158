// True-ups of many agreements for pages about all of them: moves since a moment, and the sums of each ledger. Computed in the
// background, each agreement by itself, so that one publication changes only the agreements that read it.

import type { Ratio } from '../core/numbers/ratio.ts'
import { Refusal } from '../core/refusal.ts'
import type { Day } from '../core/time/day.ts'
import type { Instant } from '../core/time/instant.ts'
import { Arrivals } from '../core/true-up/arrivals.ts'
import type { OpenDifferences } from '../core/true-up/correction.ts'
import { type Balances, balancesOf } from '../core/true-up/ledger.ts'
import { openStates, type ProposalState } from '../core/true-up/proposal-state.ts'
import { limits } from '../limits.ts'
import type { AgreementParties } from '../storage/agreements/agreements.ts'
import { type EntryKind, kindsWhere } from '../storage/log/entry-kinds.ts'
import { buildProposal } from './agreements/proposed-correction.ts'
import { suppliersOf, type Tenure, tenureOfSupplier } from './agreements/tenure.ts'
import type { TrueUp } from './agreements/true-up.ts'
import { type AgreementQuestion, Background, type ManyAnswers } from './lists/background.ts'
import type { Remembers } from './lists/digest-shelf.ts'
import type { ReadsAgreements } from './lists/reads-agreements.ts'
import type { Radar, RadarEntry, RadarQuestion, RadarSight } from './radar.ts'
import type { TrueUps } from './true-ups.ts'

/** A moved period, with its correction and its parties. */
export interface MovedEntry extends RadarEntry {
  /**
   * The proposal that covers what both have not agreed on or, where nothing of that is left, the last agreed one; null where there
   * is none.
   */
  readonly correction: { readonly id: string; readonly state: ProposalState } | null
  readonly parties: AgreementParties
  /** Unit of the price. */
  readonly unit: string | null
}

/** Ledger of an agreement between the buyer of today and one supplier. */
export interface SideLedger {
  readonly parties: AgreementParties
  readonly currency: string
  readonly balances: Balances
  /** Null where nothing can be restated; `whyNot` then has the reason. */
  readonly open: OpenDifferences | null
  readonly whyNot: string | null
  /** Correction due by the policy and not proposed; null if nothing is due. */
  readonly due: DueProposal | null
}

export interface DueProposal {
  /** Hash of the body that both would sign. */
  readonly hash: string
  readonly periods: readonly string[]
  /** Extra payment of the buyer; null where no quantities are known. */
  readonly net: Ratio | null
  readonly currency: string | null
}

interface MovesAsked extends AgreementQuestion {
  readonly since: Instant
  readonly day: Day
  readonly tenure: Tenure | null
  /** Recording instant of the newest figure that it reads. */
  readonly at: Instant
}

interface SidesAsked extends AgreementQuestion {
  readonly day: Day
  readonly tenure: Tenure | null
}

/** Part of an agreement that somebody sees; a null tenure is all of it. */
export interface PartAsked {
  readonly id: string
  readonly tenure: Tenure | null
}

/** Shapes of the stored answers, raised with every change: answers of another number are ignored. */
const shapes = { moves: 2, sides: 1 }

/** Narrow view of the library. */
type KeepsAgreements = ReadsAgreements & Remembers

type OpensTrueUps = Pick<TrueUps, 'of' | 'prepare' | 'resolveImports'>

/** Approximate bytes of one kept period, and of one side of an agreement. */
const bytesOfMove = 1_500
const bytesOfSide = 2_000

export class TrueUpLists {
  readonly #library: KeepsAgreements
  readonly #trueUps: OpensTrueUps
  readonly #radar: Radar
  readonly #moves: Background<MovesAsked, readonly MovedEntry[]>
  readonly #sides: Background<SidesAsked, readonly SideLedger[]>
  /** Arrivals for the agreements that are being computed together. */
  #arrivals = new Arrivals()

  constructor(library: KeepsAgreements, trueUps: OpensTrueUps, radar: Radar) {
    this.#library = library
    this.#trueUps = trueUps
    this.#radar = radar
    const kinds: ReadonlySet<EntryKind> = new Set(
      kindsWhere(({ stale }) => stale.digests === 'scope' || stale.trueUps === 'scope'),
    )
    const shared = {
      changes: library.changes,
      kinds,
      prepare: (workspaceId: string, ids: readonly string[]) => {
        this.#arrivals = new Arrivals()
        return trueUps.prepare(workspaceId, ids)
      },
    }
    const seriesOf = (workspaceId: string, id: string) => this.#seriesOf(workspaceId, id)
    this.#moves = new Background({
      ...shared,
      bytes: limits.radar.bytes,
      sizeOf: moves => moves.length * bytesOfMove,
      compute: (workspaceId, asked) => this.#movesOf(workspaceId, asked),
      keeping: { library, list: 'moves', shape: shapes.moves, seriesOf },
    })
    this.#sides = new Background({
      ...shared,
      bytes: limits.radar.bytes,
      sizeOf: sides => sides.length * bytesOfSide,
      compute: (workspaceId, asked) => this.#sidesOf(workspaceId, asked),
      keeping: { library, list: 'sides', shape: shapes.sides, seriesOf },
    })
  }

  /** Ids of the series an agreement reads; null where one is missing: it may come without an entry about it. */
  async #seriesOf(workspaceId: string, id: string): Promise<readonly string[] | null> {
    const cached = await this.#library.agreement(workspaceId, id)
    if (cached === null) return null
    const { references } = cached.snapshot
    const index = await this.#library.index(workspaceId, { series: references })
    const found = references.map(reference => index.findByReference(reference)?.id)
    return found.includes(undefined) ? null : [...new Set(found as string[])]
  }

  /** Moves since an instant, as everything stands now, in the agreements that somebody sees. */
  async moves(
    workspaceId: string,
    { since, until, day }: { readonly since: Instant; readonly until: Instant; readonly day: Day },
    sight: RadarSight | null,
  ): Promise<ManyAnswers<readonly MovedEntry[]>> {
    await this.#trueUps.resolveImports(workspaceId)
    const touched = await this.#radar.touched(workspaceId, { since, until, agreementId: null })
    const asked = [...touched].flatMap(([id, at]): MovesAsked[] => {
      const tenure = sight === null || sight.whole.has(id) ? null : sight.parts.get(id)
      if (tenure === undefined) return []
      return [{ id, since, day, tenure, at, whose: tenure?.key ?? '', terms: `${since} ${day}` }]
    })
    return this.#moves.gather(workspaceId, asked)
  }

  async #movesOf(workspaceId: string, { id, since, day, tenure, at }: MovesAsked): Promise<readonly MovedEntry[]> {
    const trueUp = await this.#trueUps.of(workspaceId, id, { knownAt: null, until: day }, tenure)
    if (trueUp === null) return []
    const entries = this.#radar.movedNow(trueUp, since, { at, arrivals: this.#arrivals, tenure })
    return entries.map(entry => withParties(trueUp, entry))
  }

  /** A moved period of a past moment, with the correction that covered it then. */
  async withCorrection(
    workspaceId: string,
    entry: RadarEntry,
    { until, day }: Pick<RadarQuestion, 'until' | 'day'>,
    tenure: Tenure | null,
  ): Promise<MovedEntry> {
    const trueUp = await this.#trueUps.of(workspaceId, entry.agreementId, { knownAt: until, until: day }, tenure)
    return withParties(trueUp!, entry)
  }

  /** Ledger sums of these agreements, one entry for each supplier; agreements without a price have none. */
  async sides(workspaceId: string, parts: readonly PartAsked[], day: Day): Promise<ManyAnswers<readonly SideLedger[]>> {
    await this.#trueUps.resolveImports(workspaceId)
    const asked = parts.map(({ id, tenure }) => ({ id, tenure, day, whose: tenure?.key ?? '', terms: `${day}` }))
    return this.#sides.gather(workspaceId, asked)
  }

  async #sidesOf(workspaceId: string, { id, day, tenure }: SidesAsked): Promise<readonly SideLedger[]> {
    const cached = await this.#library.agreement(workspaceId, id)
    if (cached === null) return []
    const { states } = cached.snapshot.kept
    const suppliers = suppliersOf(states)
    const tenures =
      tenure !== null || suppliers.length < 2 ? [tenure] : suppliers.map(each => tenureOfSupplier(states, each))
    const sides: SideLedger[] = []
    for (const own of tenures) {
      const trueUp = await this.#trueUps.of(workspaceId, id, { knownAt: null, until: day }, own)
      const { buyer } = states.at(-1)!.parties
      if (trueUp?.currency != null && trueUp.standing.state.status !== 'DRAFT') sides.push(sideOf(trueUp, buyer))
    }
    return sides
  }
}

function withParties(trueUp: TrueUp, entry: RadarEntry): MovedEntry {
  return {
    ...entry,
    unit: trueUp.snapshot.versions.at(-1)?.formula.contract.price?.unit || null,
    correction: correctionOf(trueUp, entry),
    parties: trueUp.partiesOf({ periods: [entry.row.period] }),
  }
}

function correctionOf({ proposals }: TrueUp, { row, agreed, left }: RadarEntry): MovedEntry['correction'] {
  if (row.kind !== 'SIGNED_MOVED') return null
  if (left === null) return { id: agreed.at(-1)!.id, state: 'AGREED' }
  const proposal = proposals.findLast(
    ({ kept, state }) => kept.periods.includes(row.period) && (openStates.includes(state) || state === 'LAPSED'),
  )
  return proposal === undefined ? null : { id: proposal.kept.id, state: proposal.state }
}

function sideOf(trueUp: TrueUp, buyer: AgreementParties['buyer']): SideLedger {
  const { supplier } = trueUp.standing.state.parties
  const side = {
    parties: { buyer, supplier },
    currency: trueUp.currency!,
    balances: balancesOf(trueUp.ledger),
  }
  try {
    return { ...side, open: trueUp.open, whyNot: trueUp.whyNotRestated, due: dueOf(trueUp) }
  } catch (error) {
    // Billed in two currencies, for example: billed and agreed amounts count nevertheless.
    if (!(error instanceof Refusal)) throw error
    return { ...side, open: null, whyNot: error.message, due: null }
  }
}

function dueOf(trueUp: TrueUp): DueProposal | null {
  const { draft } = trueUp.assessment
  const { status } = trueUp.standing.whole.state
  if (draft === null || trueUp.openProposal !== null || (status !== 'ACTIVE' && status !== 'EXPIRED')) return null
  const { hash } = buildProposal(trueUp, { reason: null, isWaiver: false })
  const { periods, net, currency } = draft
  return { hash, periods: periods.map(({ restated }) => restated.signed.period), net, currency }
}
