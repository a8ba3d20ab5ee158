// Changes of terms in an evidence package: coefficient and evidence are checked from the figures that each change lists; its
// formula version must be the agreed document, in the receipts too.

import { calculatingPart } from '../../core/formula/canonical.ts'
import { checkDocument } from '../../core/formula/check/check.ts'
import { basisOf, type ChangeVerdict, isList, isSplice, judgeChange } from '../../core/index-changes/change-receipt.ts'
import { formatSigners } from '../../core/receipt/verdict.ts'
import { canonicalJson } from '../../core/text/canonical-json.ts'
import {
  type CheckedProposal,
  type Content,
  type Contents,
  fact,
  type ProposalForm,
  type Value,
} from './check-proposals.ts'
import { agreementPath, type EvidenceFiles } from './manifest.ts'
import type { NamedReceipt } from './tables.ts'
import type { ChangeRecord } from './terms-changes.ts'

export type CheckedChange = CheckedProposal<ChangeRecord, ChangeVerdict>

export const changeForm: ProposalForm<ChangeRecord, ChangeVerdict> = {
  noun: 'change of terms',
  folder: 'terms-changes',
  many: 'changes of terms',
  isRecord: ({ plannedBy, version, list = null }) =>
    [plannedBy, version, list].every(each => each === null || Number.isSafeInteger(each)),
  judge: judgeChange,
  receiptOf: ({ change }) => change,
  isAgreed: ({ plannedBy }, { change }) => plannedBy !== null || change.signatures.length === 2,
  problemsOf: ({ state, version, plannedBy, list }, { change: { body } }) => {
    const basis = basisOf(body)
    const problems: string[] = []
    if (version !== null && state !== 'AGREED') problems.push(`it made formula ${version} without being agreed`)
    if (version === null && state === 'AGREED' && isSplice(body)) problems.push('it is agreed and made no formula')
    if (isList(body) && (state === 'AGREED') !== (list !== undefined))
      problems.push(
        list === undefined ? 'it is agreed and made no price list' : `it made price list ${list} without being agreed`,
      )
    if (version !== null && version !== basis + 1) problems.push(`formula ${version} does not follow formula ${basis}`)
    if (plannedBy !== null && plannedBy !== basis) problems.push(`it is planned by another formula than ${basis}`)
    return problems
  },
  kinds: { proposal: 'terms-change', signature: 'terms-signature', refusal: 'terms-refusal' },
  key: 'change',
  published: contents => [
    ...contents('terms-change').flatMap(({ id, plannedBy }) => (plannedBy === null ? [] : [tellPlan(id, plannedBy)])),
    ...madeVersions(contents).map(({ proposal, version }) => tellVersion(proposal, version)),
    ...madeLists(contents).map(({ proposal, version }) => tellList(proposal, version)),
  ],
  recorded: ({ id, plannedBy, version, list }) => [
    ...(plannedBy === null ? [] : [tellPlan(id, plannedBy)]),
    ...(version === null ? [] : [tellVersion(id, version)]),
    ...(list === undefined ? [] : [tellList(id, list)]),
  ],
}

function tellPlan(id: Value, plannedBy: Value) {
  return fact(`the plan of formula ${plannedBy} that the change of terms ${id} carries out`, id)
}

function tellVersion(id: Value, version: Value) {
  return fact(`formula ${version} that the change of terms ${id} made`, id)
}

function tellList(id: Value, version: Value) {
  return fact(`price list ${version} that the change of terms ${id} made`, id)
}

function madeLists(contents: Contents): readonly Content[] {
  return contents('price-list').filter(({ proposal }) => proposal !== undefined)
}

function madeVersions(contents: Contents): readonly Content[] {
  return contents('formula').filter(({ proposal }) => proposal !== undefined)
}

export function lastDateOf(receipts: readonly NamedReceipt[]): string {
  return receipts.reduce((last, { receipt }) => {
    const { adjustmentDate } = receipt.body
    return adjustmentDate > last ? adjustmentDate : last
  }, '')
}

/** Whether a change in the chain begins by that date or made a version: a package with a chain has all versions. */
export function isChangeOf(contents: Contents, last: string): (content: Content) => boolean {
  const made = new Set([...madeVersions(contents), ...madeLists(contents)].map(({ proposal }) => proposal))
  return ({ id, effectiveFrom }) => String(effectiveFrom) <= last || made.has(id!)
}

/** Problems of a change whose version is not the agreed document, as written or as receipts computed by it. */
export function versionProblems(
  files: EvidenceFiles,
  receipts: readonly NamedReceipt[],
  { record, verdict }: CheckedChange,
): readonly string[] {
  if (record === null || verdict === null) return []
  const { version, plannedBy } = record
  const problems: string[] = []
  const plan = plannedBy === null ? undefined : files.get(agreementPath(plannedBy))
  if (plan !== undefined && !isPlanned(plan, verdict))
    problems.push(`formula ${plannedBy} does not plan it without further signatures`)
  if (version === null) return problems
  const written = files.get(agreementPath(version))
  if (written !== undefined && written !== verdict.document)
    problems.push(`formula ${version} is not the document that was agreed`)
  const agreed = termsOf(verdict.document)
  for (const { name, receipt } of receipts) {
    const used = receipt.body.documents[version]
    if (used !== undefined && termsOf(used) !== agreed)
      problems.push(`${name} was computed by another formula ${version} than the one that was agreed`)
  }
  return problems
}

function termsOf(document: string): string {
  return canonicalJson(calculatingPart(checkDocument(document).document))
}

function isPlanned(plan: string, { change: { body } }: ChangeVerdict): boolean {
  const inputs = checkDocument(plan).formula?.inputs ?? []
  return (
    isSplice(body) &&
    inputs.some(({ successor }) => successor?.automatic === true && successor.series === body.new.series)
  )
}

/** The part of any change of terms that rests on the operator's word. */
export const changeFiguresWord =
  'that the figures in changes of terms, and what they do to later dates, are as the installation recorded them'

/** The part of these changes that rests on the operator's word, in sentences. */
export function formatChangeTrust(changes: readonly CheckedChange[]): readonly string[] {
  if (changes.length === 0) return []
  return [
    ...changes.flatMap(({ verdict }) => (verdict === null ? [] : formatSigners(verdict.signatures))),
    ...changes.flatMap(({ record }) =>
      record?.plannedBy == null
        ? []
        : [`that both had signed formula ${record.plannedBy} when its plan was carried out`],
    ),
    changeFiguresWord,
  ]
}
