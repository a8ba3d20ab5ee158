// Checks the corrections in an evidence package: each computed again from the receipts it names, each signature, what happened to
// it against its receipt and, where the package has it, against the part of the chain.

import type { Judge } from '../../core/receipt/verdict.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Json } from '../../core/text/canonical-json.ts'
import { andList } from '../../core/text/words.ts'
import { type CorrectionVerdict, judgeCorrection } from '../../core/true-up/correction-verdict.ts'
import { type CorrectionRecord, correctionPath, correctionsPath, readRecords } from './corrections.ts'
import { belongingProblems, type EvidenceFiles, type Manifest } from './manifest.ts'

export interface CheckedCorrection {
  readonly id: string
  /** Null where it is not in the list of what happened. */
  readonly record: CorrectionRecord | null
  readonly verdict: CorrectionVerdict | null
  readonly problems: readonly string[]
}

export async function checkCorrections(
  files: EvidenceFiles,
  judge: Judge,
  manifest: Manifest | null,
): Promise<readonly CheckedCorrection[]> {
  const text = files.get(correctionsPath)
  const records = text === undefined ? [] : readRecords(text)
  const byId = new Map((records ?? []).map(each => [each.id, each]))
  const named = [...files.keys()].flatMap(path => /^corrections\/(.+)\.json$/.exec(path)?.[1] ?? [])
  const checked: CheckedCorrection[] = []
  for (const id of new Set([...byId.keys(), ...named]))
    checked.push(await checkOne(id, byId.get(id) ?? null, files.get(correctionPath(id)), judge, manifest))
  if (records === null || byId.size !== records.length)
    checked.push({ id: correctionsPath, record: null, verdict: null, problems: ['it is not a list of corrections'] })
  return checked
}

async function checkOne(
  id: string,
  record: CorrectionRecord | null,
  text: string | undefined,
  judge: Judge,
  manifest: Manifest | null,
): Promise<CheckedCorrection> {
  if (text === undefined) return { id, record, verdict: null, problems: [`${correctionPath(id)} is missing`] }
  try {
    const verdict = await judgeCorrection(text, judge)
    const { body, seal } = verdict.correction
    const problems = [...verdict.problems, ...belongingProblems(manifest, { ...body, seal })]
    if (record === null) problems.push(`it is not in ${correctionsPath}`)
    else problems.push(...recordProblems(record, verdict))
    return { id, record, verdict, problems }
  } catch (error) {
    const words = error instanceof Refusal ? error.message : 'it cannot be read or computed'
    return { id, record, verdict: null, problems: [words] }
  }
}

/** What is said to have happened must agree with who signed. */
function recordProblems(
  { hash, state, refusal, notes }: CorrectionRecord,
  { correction: { hash: own, body, signatures } }: CorrectionVerdict,
): string[] {
  const problems: string[] = []
  if (hash !== own) problems.push(`${correctionsPath} names another hash`)
  const isAgreed = signatures.length === 2
  if ((state === 'AGREED') !== isAgreed)
    problems.push(`it is said to be ${state}, and ${signatures.length} have signed it`)
  const [signed] = signatures
  if (['SIGNED_BY_BUYER', 'SIGNED_BY_SUPPLIER', 'PROPOSED'].includes(state)) {
    const said = signed === undefined ? 'PROPOSED' : `SIGNED_BY_${signed.party.toUpperCase()}`
    if (state !== said) problems.push(`it is said to be ${state}, and is ${said}`)
  }
  if ((state === 'REFUSED') !== (refusal !== null && !isAgreed))
    problems.push('it is refused, or said to be, without the other')
  for (const { part, amount } of notes)
    if (!isAgreed || body.parts[part - 1] !== amount) problems.push(`note ${part} is not one of its parts`)
  return problems
}

/** What the part of the chain says, by the kind of its entries. */
export type Contents = (kind: string) => readonly Content[]
type Content = Readonly<Record<string, Json>>

/**
 * Why a package does not show what is settled; empty if it has its corrections, or if its chain shows that there are none.
 * Packages have had a list of corrections, which may be empty, only for some time.
 */
export function missingCorrections(
  files: EvidenceFiles,
  contents: Contents | null,
  periods: ReadonlySet<string>,
): readonly string[] {
  if (files.has(correctionsPath)) return []
  const because = 'the package was made before packages had corrections'
  if (contents === null) return [`it does not say whether signed prices were corrected: ${because}`]
  const signed = contents('correction-signature')
  return contents('correction')
    .filter(each => isOf(each, periods))
    .map(each => {
      const parties = signed
        .filter(({ correction }) => correction === each.id)
        .map(({ party }) => `the ${String(party)}`)
      const by = parties.length === 0 ? 'signed by nobody' : `signed by ${andList(parties)}`
      return `the correction ${String(each.id)} of ${periodsOf(each).join(', ')}, ${by}, is not in it: ${because}`
    })
}

function periodsOf({ periods }: Content): readonly string[] {
  return Array.isArray(periods) ? periods.map(String) : []
}

function isOf(each: Content, periods: ReadonlySet<string>): boolean {
  return periodsOf(each).some(period => periods.has(period))
}

/** Something that happened to a correction: what it is compared by, and in words. */
interface Fact {
  readonly id: string
  readonly key: string
  readonly words: string
}

/** Both ways: what the chain says about corrections of these periods is in the package, and nothing else is. */
export function correctionChainProblems(
  contents: Contents,
  checked: readonly CheckedCorrection[],
  periods: ReadonlySet<string>,
): readonly string[] {
  const proposed = contents('correction')
  const ids = new Set([
    ...checked.map(({ id }) => id),
    ...proposed.filter(each => isOf(each, periods)).map(({ id }) => String(id)),
  ])
  const published = [
    ...proposed.map(({ id, hash, proposedBy }) => told.proposal(id, hash, proposedBy)),
    ...contents('correction-signature').map(each =>
      told.signature(each.correction, each.hash, each.party, each.signedBy),
    ),
    ...contents('correction-refusal').map(each => told.refusal(each.correction, each.party, each.by, each.reason)),
    ...contents('correction-note').map(each =>
      told.note(each.correction, each.part, each.number, each.date, each.amount, each.file),
    ),
  ].filter(({ id }) => ids.has(id))
  const here = checked.flatMap(factsOf)
  const without = (facts: readonly Fact[], others: readonly Fact[]) => {
    const keys = new Set(others.map(({ key }) => key))
    return facts.filter(({ key }) => !keys.has(key))
  }
  return [
    ...without(published, here).map(({ words }) => `${words} is in the chain, but not in the package`),
    ...without(here, published).map(({ words }) => `${words} is in the package, but not in the chain`),
  ]
}

type Value = Json | undefined

function fact(words: string, id: Value, ...parts: readonly Value[]): Fact {
  const plain = parts.map(each => (typeof each === 'number' ? String(each) : (each ?? null)))
  return { id: String(id), key: JSON.stringify([words, String(id), ...plain]), words }
}

const told = {
  proposal: (id: Value, hash: Value, by: Value) => fact(`the correction ${id}`, id, hash, by),
  signature: (id: Value, hash: Value, party: Value, by: Value) =>
    fact(`the signature of ${by} for the ${party} under the correction ${id}`, id, hash),
  refusal: (id: Value, party: Value, by: Value, reason: Value) =>
    fact(`the refusal of the correction ${id} by ${by} for the ${party}`, id, reason),
  note: (id: Value, part: Value, number: Value, date: Value, amount: Value, file: Value) =>
    fact(`the note ${number} over ${amount} for the correction ${id}`, id, part, date, file),
}

function factsOf({ id, record, verdict }: CheckedCorrection): Fact[] {
  if (record === null || verdict === null) return []
  const { hash, proposedBy, refusal, notes } = record
  return [
    told.proposal(id, hash, proposedBy),
    ...verdict.correction.signatures.map(each => told.signature(id, each.hash, each.party, each.signedBy)),
    ...(refusal === null ? [] : [told.refusal(id, refusal.party, refusal.by, refusal.reason)]),
    ...notes.map(({ part, number, date, amount, fileHash }) => told.note(id, part, number, date, amount, fileHash)),
  ]
}
