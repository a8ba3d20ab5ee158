// A correction as commands, routes and pages show it, and its form for keys that may not read amounts.

import { parseExact } from '../../core/numbers/ratio.ts'
import { type Party, parties as partyNames } from '../../core/parties.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { CorrectionBody, WrittenCause } from '../../core/true-up/correction-body.ts'
import type { ProposalState } from '../../core/true-up/proposal-state.ts'
import type { AgreementParties } from '../../storage/agreements/agreements.ts'
import type { StoredCorrection } from '../../storage/agreements/corrections.ts'
import { formatFactor } from './agreement-row.ts'

interface ShownCause {
  readonly series: string
  readonly period: string
  readonly before: string | null
  readonly after: string
  readonly tag: string
}

export interface ShownCorrection {
  readonly id: string
  /** Slug of the agreement. */
  readonly agreement: string
  readonly state: ProposalState
  readonly hash: string
  readonly level: CorrectionBody['level']
  readonly net: string | null
  readonly currency: string | null
  readonly reason: string | null
  readonly causes: readonly ShownCause[]
  readonly periods: readonly {
    readonly period: string
    readonly factorBefore: string
    readonly factorAfter: string
    readonly priceBefore: string | null
    readonly priceAfter: string | null
    readonly amount: string | null
  }[]
  readonly lines: readonly {
    readonly invoice: string | null
    readonly line: string | null
    readonly item: string
    readonly quantity: string
    readonly amount: string | null
  }[]
  /** Day on which each party signed. */
  readonly confirmed: Readonly<Record<Party, string | null>>
  readonly notes: readonly {
    readonly part: number
    readonly number: string
    readonly date: string
    readonly amount: string | null
    readonly fileHash: string
  }[]
  /** Whether both sides waive the money. */
  readonly waived: boolean
  readonly settle: CorrectionBody['settle']
  readonly parts: readonly string[]
  readonly refusal: { readonly party: Party; readonly reason: string; readonly at: string } | null
  readonly proposedAt: string
  readonly proposedBy: string
}

/** A correction that a side still has to sign, in a few words. */
export interface OpenCorrection {
  readonly id: string
  readonly hash: string
  /** The supplier who signs it, today's or a former one: its periods are corrected. */
  readonly supplier: AgreementParties['supplier']
  readonly waitsFor: readonly Party[]
  /** Amount of the correction; null where neither lines nor quantities are kept. */
  readonly net: string | null
  readonly currency: string | null
  /** Number of periods it corrects. */
  readonly periods: number
  /** Whether both sides waive the money. */
  readonly waived: boolean
  readonly proposedAt: Instant
  readonly proposedBy: string
}

/** Whether it may still be open: not both have signed it, and nobody has refused it. */
export function isUnanswered({ signatures, refusal }: Pick<StoredCorrection, 'signatures' | 'refusal'>): boolean {
  return signatures.length < partyNames.length && refusal === null
}

/** `parties` sign it; `body` is null where it was not read. */
export function summarizeOpen(
  kept: StoredCorrection,
  body: Pick<CorrectionBody, 'net' | 'currency'> | null,
  parties: Pick<AgreementParties, 'supplier'>,
): OpenCorrection {
  const signed = new Set(kept.signatures.map(({ party }) => party))
  return {
    id: kept.id,
    hash: kept.hash,
    supplier: parties.supplier,
    waitsFor: partyNames.filter(party => !signed.has(party)),
    net: body?.net ?? null,
    currency: body?.currency ?? null,
    periods: kept.periods.length,
    waived: kept.waived,
    proposedAt: kept.recordedAt,
    proposedBy: kept.proposedBy,
  }
}

interface CorrectionToShow {
  readonly slug: string
  readonly kept: StoredCorrection
  readonly state: ProposalState
  readonly body: CorrectionBody
}

export function showCorrection({ slug, kept, state, body }: CorrectionToShow): ShownCorrection {
  const { level, net, currency, reason, settle, waived } = body
  const { refusal } = kept
  return {
    id: kept.id,
    agreement: slug,
    state,
    hash: kept.hash,
    level,
    net,
    currency,
    reason,
    causes: body.causes.map(showCause),
    periods: body.periods.map(({ period, factorBefore, factorAfter, priceBefore, priceAfter, amount }) => ({
      period,
      factorBefore: shortFactor(factorBefore),
      factorAfter: shortFactor(factorAfter),
      priceBefore,
      priceAfter,
      amount,
    })),
    lines: body.lines.map(({ invoice, line, item, quantity, amount }) => ({ invoice, line, item, quantity, amount })),
    confirmed: { buyer: signedOn(kept, 'buyer'), supplier: signedOn(kept, 'supplier') },
    notes: kept.notes.map(({ part, number, date, amount, fileHash }) => ({ part, number, date, amount, fileHash })),
    waived,
    settle,
    parts: body.parts,
    refusal: refusal === null ? null : { party: refusal.party, reason: refusal.reason, at: refusal.at },
    proposedAt: kept.recordedAt,
    proposedBy: kept.proposedBy,
  }
}

/** A correction for a reader who may not see amounts. */
export interface CorrectionWithoutMoney extends Omit<ShownCorrection, 'hash' | 'notes' | 'waived'> {
  readonly hash: null
  readonly waived: null
  readonly notes: readonly (Omit<ShownCorrection['notes'][number], 'fileHash'> & { readonly fileHash: null })[]
}

/**
 * Hides every value that follows from billed amounts. A hash over an amount gives the amount to anybody who knows the rest and
 * tries all amounts; a policy waives what is below its minimum; the currency is that of the agreement, not of the lines.
 */
export function hideMoney(shown: ShownCorrection, currency: string | null): CorrectionWithoutMoney {
  return {
    ...shown,
    hash: null,
    net: null,
    currency,
    lines: [],
    waived: null,
    parts: [],
    periods: shown.periods.map(each => ({ ...each, amount: null })),
    notes: shown.notes.map(each => ({ ...each, amount: null, fileHash: null })),
  }
}

function showCause({ series, period, before, after }: WrittenCause): ShownCause {
  return { series, period, before: before?.value ?? null, after: after.value, tag: after.version }
}

function shortFactor(exact: string): string {
  return formatFactor(parseExact(exact)!)
}

function signedOn({ signatures }: StoredCorrection, party: Party): string | null {
  return signatures.find(each => each.party === party)?.signedAt.slice(0, 10) ?? null
}
