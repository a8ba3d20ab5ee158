// Checks proposals in an evidence package: corrections and changes of terms. Each receipt is judged, and its record is compared
// with its signatures and, where the package has one, with the part of the chain.

import type { PartySignature } from '../../core/receipt/party-signature.ts'
import type { Signature } from '../../core/receipt/receipt.ts'
import { type Judge, type ProposalVerdict, RefusedProof } from '../../core/receipt/verdict.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { belongingProblems, type EvidenceFiles, type Manifest } from './manifest.ts'
import { type ProposalRecord, readRecords } from './proposals.ts'

export interface CheckedProposal<R extends ProposalRecord, V extends ProposalVerdict> {
  readonly id: string
  /** The record; null where the list of records lacks it. */
  readonly record: R | null
  readonly verdict: V | null
  readonly problems: readonly string[]
}

interface ProposalReceipt {
  readonly hash: string
  readonly body: Omit<Parameters<typeof belongingProblems>[1], 'seal'>
  readonly signatures: readonly PartySignature[]
  readonly seal: Signature | null
}

/** One kind of proposals. */
export interface ProposalForm<R extends ProposalRecord, V extends ProposalVerdict> {
  /** `correction` */
  readonly noun: string
  /** `corrections`: the folder of their receipts. */
  readonly folder: string
  readonly many: string
  readonly isRecord: (record: R) => boolean
  readonly judge: (text: string, judge: Judge) => Promise<V>
  readonly receiptOf: (verdict: V) => ProposalReceipt
  readonly isAgreed: (record: R, verdict: V) => boolean
  /** Further faults of a record, beyond those that all kinds share. */
  readonly problemsOf: (record: R, verdict: V) => readonly string[]
  /** Kinds of its entries in the chain, and the key by which answers name it. */
  readonly kinds: { readonly proposal: string; readonly signature: string; readonly refusal: string }
  readonly key: string
  /** Further facts of this kind, in the chain and in the package. */
  readonly published: (contents: Contents) => readonly Fact[]
  readonly recorded: (record: R) => readonly Fact[]
}

function listPath({ folder }: { readonly folder: string }): string {
  return `${folder}.json`
}

export async function checkProposals<R extends ProposalRecord, V extends ProposalVerdict>(
  form: ProposalForm<R, V>,
  files: EvidenceFiles,
  judge: Judge,
  manifest: Manifest | null,
): Promise<readonly CheckedProposal<R, V>[]> {
  const path = listPath(form)
  const text = files.get(path)
  const records = text === undefined ? [] : readRecords(path, text, form.isRecord)
  const byId = new Map((records ?? []).map(each => [each.id, each]))
  const start = `${form.folder}/`
  const named = [...files.keys()].filter(each => each.startsWith(start) && each.endsWith('.json'))
  const checked: CheckedProposal<R, V>[] = []
  for (const id of new Set([...byId.keys(), ...named.map(each => each.slice(start.length, -'.json'.length))]))
    checked.push(await checkOne(form, { id, record: byId.get(id) ?? null }, files, judge, manifest))
  if (records === null || byId.size !== records.length)
    checked.push({ id: path, record: null, verdict: null, problems: [`it is not a list of ${form.many}`] })
  return checked
}

async function checkOne<R extends ProposalRecord, V extends ProposalVerdict>(
  form: ProposalForm<R, V>,
  { id, record }: { readonly id: string; readonly record: R | null },
  files: EvidenceFiles,
  judge: Judge,
  manifest: Manifest | null,
): Promise<CheckedProposal<R, V>> {
  const path = `${form.folder}/${id}.json`
  const text = files.get(path)
  if (text === undefined) return { id, record, verdict: null, problems: [`${path} is missing`] }
  try {
    const verdict = await form.judge(text, judge)
    const { body, seal } = form.receiptOf(verdict)
    const problems = [...verdict.problems, ...belongingProblems(manifest, { ...body, seal })]
    if (record === null) problems.push(`it is not in ${listPath(form)}`)
    else problems.push(...recordProblems(form, record, verdict), ...form.problemsOf(record, verdict))
    return { id, record, verdict, problems }
  } catch (error) {
    return { id, record, verdict: null, problems: whyRefused(error) }
  }
}

/** Why something in a package has no verdict. */
export function whyRefused(error: unknown): readonly string[] {
  if (error instanceof RefusedProof) return error.problems
  return [error instanceof Refusal ? error.message : 'it cannot be read or computed']
}

/** Contradictions between a record and its signatures. */
function recordProblems<R extends ProposalRecord, V extends ProposalVerdict>(
  form: ProposalForm<R, V>,
  record: R,
  verdict: V,
): string[] {
  const { hash, state, refusal } = record
  const { hash: own, signatures } = form.receiptOf(verdict)
  const problems: string[] = []
  if (hash !== own) problems.push(`${listPath(form)} names another hash`)
  const isAgreed = form.isAgreed(record, verdict)
  if ((state === 'AGREED') !== isAgreed)
    problems.push(`it is said to be ${state}, and ${signatures.length} have signed it`)
  const [signed] = signatures
  if (['SIGNED_BY_BUYER', 'SIGNED_BY_SUPPLIER', 'PROPOSED'].includes(state)) {
    const said = signed === undefined ? 'PROPOSED' : `SIGNED_BY_${signed.party.toUpperCase()}`
    if (state !== said) problems.push(`it is said to be ${state}, and is ${said}`)
  }
  if ((state === 'REFUSED') !== (refusal !== null && !isAgreed))
    problems.push('it is refused, or said to be, without the other')
  return problems
}

/** Contents of the entries in the part of the chain, by kind. */
export type Contents = (kind: string) => readonly Content[]
export type Content = Readonly<Record<string, Json>>

/** An event of a proposal: a key to compare by, and words. */
interface Fact {
  readonly id: string
  readonly key: string
  readonly words: string
}

/** Compares both ways: the package has all proposals of the chain, and nothing else. */
export function proposalChainProblems<R extends ProposalRecord, V extends ProposalVerdict>(
  form: ProposalForm<R, V>,
  contents: Contents,
  checked: readonly CheckedProposal<R, V>[],
  isOf: (content: Content) => boolean,
): readonly string[] {
  const { kinds, key } = form
  const told = tellers(form.noun)
  const proposed = contents(kinds.proposal)
  const ids = new Set([...checked.map(({ id }) => id), ...proposed.filter(isOf).map(({ id }) => String(id))])
  const published = [
    ...proposed.map(({ id, hash, proposedBy }) => told.proposal(id, hash, proposedBy)),
    ...contents(kinds.signature).map(each => told.signature(each[key], each.hash, each.party, each.signedBy)),
    ...contents(kinds.refusal).map(each => told.refusal(each[key], each.party, each.by, each.reason)),
    ...form.published(contents),
  ].filter(({ id }) => ids.has(id))
  const here = checked.flatMap(({ id, record, verdict }) => {
    if (record === null || verdict === null) return []
    const { hash, proposedBy, refusal } = record
    return [
      told.proposal(id, hash, proposedBy),
      ...form.receiptOf(verdict).signatures.map(each => told.signature(id, each.hash, each.party, each.signedBy)),
      ...(refusal === null ? [] : [told.refusal(id, refusal.party, refusal.by, refusal.reason)]),
      ...form.recorded(record),
    ]
  })
  return [
    ...without(published, here).map(({ words }) => `${words} is in the chain, but not in the package`),
    ...without(here, published).map(({ words }) => `${words} is in the package, but not in the chain`),
  ]
}

function without(facts: readonly Fact[], others: readonly Fact[]): readonly Fact[] {
  const keys = new Set(others.map(({ key }) => key))
  return facts.filter(({ key }) => !keys.has(key))
}

export type Value = Json | undefined

export function fact(words: string, id: Value, ...parts: readonly Value[]): Fact {
  const plain = parts.map(each => (typeof each === 'number' ? String(each) : (each ?? null)))
  return { id: String(id), key: JSON.stringify([words, String(id), ...plain]), words }
}

function tellers(noun: string) {
  return {
    proposal: (id: Value, hash: Value, by: Value) => fact(`the ${noun} ${id}`, id, hash, by),
    signature: (id: Value, hash: Value, party: Value, by: Value) =>
      fact(`the signature of ${by} for the ${party} under the ${noun} ${id}`, id, hash),
    refusal: (id: Value, party: Value, by: Value, reason: Value) =>
      fact(`the refusal of the ${noun} ${id} by ${by} for the ${party}`, id, reason),
  }
}
