// Storing of a judged document: a new agreement, a new version if the formula differs, a new state if only its descriptions do,
// or nothing. Called while the log is open.

import { calculatingPart } from '../core/formula/canonical.ts'
import type { Formula } from '../core/formula/formula.ts'
import type { Descriptions } from '../core/formula/restatement.ts'
import { type ContractWords, hashOfWords } from '../core/formula/words/contract-words.ts'
import { Refusal } from '../core/refusal.ts'
import { canonicalJson, type Json } from '../core/text/canonical-json.ts'
import { formatDate } from '../core/text/words.ts'
import { formatDay } from '../core/time/day.ts'
import { isSameBilling, plainBilling } from '../read/agreements/billing-versions.ts'
import {
  type AgreementHistory,
  type FormulaVersion,
  insertAgreement,
  insertAgreementStates,
  insertFormulaVersions,
  loadWords,
} from '../storage/agreements/agreements.ts'
import type { OpenLog } from '../storage/log/append.ts'
import type { Transaction } from '../storage/postgres/database.ts'
import { noteActivities } from '../storage/workspaces/activity.ts'
import { type ApplyRequest, type Basis, findBreaks, type JudgedDocument } from './judge.ts'

/** A document to store: its author, its text, and the change of terms that made it, if there was one. */
interface Writing extends Pick<ApplyRequest, 'text' | 'by' | 'fromAddress' | 'words'> {
  /** The agreement to continue from, read under the lock; null for a new one. */
  readonly kept: AgreementHistory | null
  readonly judged: Pick<JudgedDocument, 'formula' | 'document'>
  readonly proposal: string | null
  /** Leaves name, status, parties and billing terms as they are. */
  readonly formulaOnly?: boolean
}

export interface WrittenDocument {
  readonly outcome: 'created' | 'new version' | 'changed' | 'unchanged'
  readonly id: string
  readonly version: number
}

/** Differences from the stored agreement that a judged document and the contract's own words make. Words left out stay. */
export function differencesFrom(
  kept: AgreementHistory | null,
  { formula, document }: Pick<JudgedDocument, 'formula' | 'document'>,
  words?: ContractWords | null,
): { readonly isNewFormula: boolean; readonly isNewState: boolean } {
  const newest = kept?.versions.at(-1)
  const isNewFormula =
    newest === undefined ||
    canonicalJson(newest.document) !== canonicalJson(calculatingPart(document)) ||
    hasOtherWords(newest, words)
  return { isNewFormula, isNewState: kept === null || !hasState(kept, formula) }
}

/** Whether the given words differ from those of the newest version. */
export function hasOtherWords(
  newest: Pick<FormulaVersion, 'wordsHash'> | undefined,
  words: ContractWords | null | undefined,
): words is ContractWords | null {
  if (words === undefined) return false
  return (newest?.wordsHash ?? null) !== (words === null ? null : hashOfWords(words))
}

/** Refuses a document that no longer continues from the stored one: a version may have been saved since it was judged. */
export function checkContinues(
  kept: AgreementHistory | null,
  { formula }: Pick<JudgedDocument, 'formula'>,
  basedOn: Basis | undefined,
): void {
  if (basedOn !== undefined) checkBasis(formula.slug, kept, basedOn)
  const [broken] = findBreaks(kept, formula)
  if (broken !== undefined) throw new Refusal('conflict', `${broken.path}: ${broken.message}`)
}

export async function writeDocument(tx: Transaction, log: OpenLog, writing: Writing): Promise<WrittenDocument> {
  const [written] = await writeDocuments(tx, log, [writing])
  return written!
}

/**
 * Writes documents of different agreements, in the order given: all formula versions, states and activities, each kind at once.
 */
export async function writeDocuments(
  tx: Transaction,
  log: OpenLog,
  writings: readonly Writing[],
): Promise<readonly WrittenDocument[]> {
  const all: (Writing & Changed)[] = []
  for (const writing of writings) all.push({ ...writing, ...(await changeOf(tx, log, writing)) })
  const formulas = all.filter(({ isNewFormula }) => isNewFormula)
  const standing = await standingWords(tx, log, formulas)
  await insertFormulaVersions(
    tx,
    log,
    formulas.map(
      ({ id, version, text, by, proposal, words = standing.get(id) ?? null, judged: { formula, document } }) => ({
        agreementId: id,
        version,
        document: calculatingPart(document),
        documentText: text,
        words,
        effectiveFrom: formatDay(formula.effectiveFrom),
        createdBy: by,
        proposal,
      }),
    ),
  )
  const states = all.filter(({ isNewState }) => isNewState)
  await insertAgreementStates(
    tx,
    log,
    states.map(({ id, judged: { formula } }) => ({ ...formula, agreementId: id })),
  )
  const activities = all.filter(({ outcome }) => outcome !== 'unchanged')
  await noteActivities(
    tx,
    log.scope,
    activities.map(({ by, outcome, version, fromAddress, judged: { formula } }) => ({
      act: outcome === 'created' ? 'agreement.create' : 'agreement.change',
      who: by,
      what: outcome === 'new version' ? 'new formula version' : `agreement ${outcome}`,
      subject: `${formula.slug} ${version}`,
      fromAddress: fromAddress ?? null,
    })),
  )
  return all.map(({ outcome, id, version }) => ({ outcome, id, version }))
}

/** Words of the versions before, by agreement: new versions keep them where none are given. */
async function standingWords(
  tx: Transaction,
  { scope }: OpenLog,
  writings: readonly Writing[],
): Promise<ReadonlyMap<string, ContractWords>> {
  const wanted = writings.flatMap(({ kept, words }) => {
    const newest = kept?.versions.at(-1)
    if (words !== undefined || newest === undefined || newest.wordsHash === null) return []
    return [{ agreementId: kept!.id, version: newest.version }]
  })
  const found = await loadWords(tx, scope, wanted)
  return new Map(found.map(({ agreementId, words }) => [agreementId, words]))
}

interface Changed extends WrittenDocument {
  readonly isNewFormula: boolean
  readonly isNewState: boolean
}

/** The rows to write for one document, under the id that the agreement has or is given. */
async function changeOf(tx: Transaction, log: OpenLog, writing: Writing): Promise<Changed> {
  const { kept, judged, words, formulaOnly = false } = writing
  const { isNewFormula, isNewState: hasNewState } = differencesFrom(kept, judged, words)
  const isNewState = hasNewState && !formulaOnly
  const id = kept?.id ?? (await insertAgreement(tx, log, judged.formula.slug))
  const version = (kept?.versions.at(-1)?.version ?? 0) + (isNewFormula ? 1 : 0)
  const outcome = kept === null ? 'created' : isNewFormula ? 'new version' : isNewState ? 'changed' : 'unchanged'
  return { isNewFormula, isNewState, id, version, outcome }
}

/** The newest position in the sequence at which a formula or its description changed. */
export function revisionOf({ versions, states }: Pick<AgreementHistory, 'versions' | 'states'>): number {
  return Math.max(versions.at(-1)?.seq ?? 0, states.at(-1)?.seq ?? 0)
}

function checkBasis(slug: string, kept: AgreementHistory | null, { version, revision }: Basis): void {
  const newest = kept?.versions.at(-1)
  if (kept === null || newest === undefined) {
    if (version === 0) return
    throw new Refusal(
      'conflict',
      `there is no agreement "${slug}": an agreement keeps its slug; write the one it was saved under, or begin a new agreement`,
    )
  }
  const saved = `formula ${newest.version}, saved by ${newest.createdBy} on ${onClock(newest.recordedAt)}`
  if (version === 0)
    throw new Refusal(
      'conflict',
      `"${slug}" is taken by ${saved}; choose another slug, or open that agreement and change it`,
    )
  if (version !== newest.version)
    throw new Refusal(
      'conflict',
      `this change was made from formula ${version}, but the newest is ${saved}; look at it and make your change there`,
    )
  if (revision === null || revision === revisionOf(kept)) return
  const state = kept.states.at(-1)!
  throw new Refusal(
    'conflict',
    `its name, status, parties or billing terms were changed on ${onClock(state.recordedAt)}, after you opened it; it is ${state.status} now. Look at it and make your change there`,
  )
}

/** `11 Apr 2024 at 12:30 UTC` */
function onClock(instant: string): string {
  return `${formatDate(instant)} at ${instant.slice(11, 16)} UTC`
}

/** Whether the newest state says the same, apart from the formula. */
function hasState({ states }: AgreementHistory, formula: Formula): boolean {
  const newest = states.at(-1)
  if (newest === undefined) return false
  return plainState(newest) === plainState(formula)
}

/** Whether the newest state has the same billing terms. */
export function hasBilling({ states }: AgreementHistory, { billing: now }: Formula): boolean {
  const billing = states.at(-1)?.billing
  return billing !== undefined && isSameBilling(billing, now)
}

/** Whether the newest state names the same sides, who sign in the same ways. */
export function hasParties({ states }: AgreementHistory, { parties }: Formula): boolean {
  const newest = states.at(-1)
  return newest !== undefined && canonicalJson(plainSides(newest.parties)) === canonicalJson(plainSides(parties))
}

function plainSides(parties: Descriptions['parties']): Json {
  const { buyer, supplier, signWith = null } = parties
  return { buyer, supplier, signWith: signWith as Json }
}

function plainState({ name, description, status, parties, billing }: Descriptions): string {
  return canonicalJson({ name, description, status, parties: plainSides(parties), billing: plainBilling(billing) })
}
