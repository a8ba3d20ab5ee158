// The part of an agreement that belongs to one party: what was signed, said and corrected in its time, and corrections of the
// periods it signed, whenever they are made. Nothing outside the part can be shown, whoever computes or prints from it.
import { retell } from '../../core/formula/restatement.ts'
import type { Instant } from '../../core/time/instant.ts'
import type {
  AgreementHistory,
  AgreementParties,
  FormulaVersion,
  SignOff,
  StoredAgreementState,
} from '../../storage/agreements/agreements.ts'
import type { StoredCorrection } from '../../storage/agreements/corrections.ts'
import { inForce, isWithin, suppliersOf, type Tenure, tenureOfSupplier } from './tenure.ts'

export function partOf(kept: AgreementHistory, tenure: Tenure): AgreementHistory {
  const isOwn = (at: Instant) => isWithin(tenure, at)
  const states = inForce(kept.states).filter(({ recordedAt }) => isOwn(recordedAt))
  const signOffs = kept.signOffs.filter(({ signedAt }) => isOwn(signedAt))
  const objections = kept.objections
    .filter(({ at }) => isOwn(at))
    .map(each => ({ ...each, answers: each.answers.filter(({ at }) => isOwn(at)) }))
  const touched = new Set([
    ...signOffs.map(({ period, receiptHash }) => `${period} ${receiptHash}`),
    ...objections.map(({ period, hash }) => `${period} ${hash}`),
  ])
  const periods = signedIn(kept.signOffs, tenure)
  return {
    ...kept,
    states,
    versions: kept.versions.map(each => toldIn(each, states[0]!, tenure)),
    signOffs,
    receipts: kept.receipts.filter(({ period, receiptHash }) => touched.has(`${period} ${receiptHash}`)),
    objections,
    corrections: kept.corrections
      .filter(each => isCorrectionOf(each, periods, tenure))
      .map(each => signedBy(each, tenure.correctedBy)),
    changes: kept.changes.filter(({ recordedAt }) => isOwn(recordedAt)),
    lists: kept.lists.filter(({ recordedAt }) => isOwn(recordedAt)),
  }
}

/** Periods whose number both parties signed within that time. */
function signedIn(signOffs: readonly SignOff[], tenure: Tenure): ReadonlySet<string> {
  const found = new Set<string>()
  for (const group of Map.groupBy(signOffs, ({ period, receiptHash }) => `${period} ${receiptHash}`).values())
    if (
      new Set(group.map(({ party }) => party)).size === 2 &&
      group.every(({ signedAt }) => isWithin(tenure, signedAt))
    )
      found.add(group[0]!.period)
  return found
}

/** Whether a correction is the party's: about its periods alone, or signed by it when one could cover two suppliers' periods. */
function isCorrectionOf(
  { periods, signatures }: Pick<StoredCorrection, 'periods' | 'signatures'>,
  own: ReadonlySet<string>,
  tenure: Tenure,
): boolean {
  if (periods.length > 0 && periods.every(period => own.has(period))) return true
  const hasSigned = signatures.some(({ party, signedAt }) => party === 'supplier' && isWithin(tenure, signedAt))
  return hasSigned && periods.some(period => own.has(period))
}

function signedBy(correction: StoredCorrection, by: Instant | undefined): StoredCorrection {
  if (by === undefined) return correction
  return { ...correction, signatures: correction.signatures.filter(({ signedAt }) => signedAt <= by) }
}

/** A document of somebody else's time: it keeps its rule and loses their words: comments, names and parties. */
function toldIn(formula: FormulaVersion, first: StoredAgreementState, tenure: Tenure): FormulaVersion {
  if (isWithin(tenure, formula.recordedAt)) return formula
  return { ...formula, documentText: retell(formula.documentText, first), proposal: null }
}

/** The supplier who signed a period, for each period that both sides signed. */
export function supplierOfPeriods({
  states,
  signOffs,
}: Pick<AgreementHistory, 'states' | 'signOffs'>): ReadonlyMap<string, AgreementParties['supplier']> {
  const found = new Map<string, AgreementParties['supplier']>()
  for (const supplier of suppliersOf(states))
    for (const period of signedIn(signOffs, tenureOfSupplier(states, supplier)!)) found.set(period, supplier)
  return found
}
