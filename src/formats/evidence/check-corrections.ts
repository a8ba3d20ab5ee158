// Checks the corrections in an evidence package: each computed again from the receipts it names, each signature, what happened to
// it against its receipt and, where the package has it, against the part of the chain.

import type { Judge } from '../../core/receipt/verdict.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Json } from '../../core/text/canonical-json.ts'
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

type Contents = (kind: string) => readonly Readonly<Record<string, Json>>[]

/** Both ways: what the chain says about corrections of these periods is in the package, and nothing else is. */
export function correctionChainProblems(
  contents: Contents,
  checked: readonly CheckedCorrection[],
  periods: ReadonlySet<string>,
): readonly string[] {
  const proposed = contents('correction')
  const isHere = (each: Readonly<Record<string, Json>>) =>
    Array.isArray(each.periods) && each.periods.some(period => periods.has(String(period)))
  const ids = new Set([...checked.map(({ id }) => id), ...proposed.filter(isHere).map(({ id }) => String(id))])
  const published = new Set([
    ...proposed.map(({ id, hash, proposedBy }) => told(id, 'proposed', hash, proposedBy)),
    ...contents('correction-signature').map(({ correction, hash, party, signedBy }) =>
      told(correction, 'signed', hash, party, signedBy),
    ),
    ...contents('correction-refusal').map(({ correction, party, by, reason }) =>
      told(correction, 'refused', party, by, reason),
    ),
    ...contents('correction-note').map(({ correction, part, number, date, amount, file }) =>
      told(correction, 'noted', part, number, date, amount, file),
    ),
  ])
  const here = new Set(checked.flatMap(factsOf))
  const isOfThese = (fact: string) => ids.has(JSON.parse(fact)[0])
  const differing = [
    ...[...published]
      .filter(fact => isOfThese(fact) && !here.has(fact))
      .map(fact => [fact, 'is in the chain, but not in the package'] as const),
    ...[...here]
      .filter(fact => !published.has(fact))
      .map(fact => [fact, 'is in the package, but not in the chain'] as const),
  ]
  return differing.map(([fact, words]) => {
    const [id, what] = JSON.parse(fact) as readonly [string, string]
    return `${id}: that it was ${what} ${words}`
  })
}

function told(...parts: readonly (Json | undefined)[]): string {
  return JSON.stringify(parts.map(each => (typeof each === 'number' ? String(each) : (each ?? null))))
}

function factsOf({ id, record, verdict }: CheckedCorrection): string[] {
  if (record === null || verdict === null) return []
  const { hash, proposedBy, refusal, notes } = record
  return [
    told(id, 'proposed', hash, proposedBy),
    ...verdict.correction.signatures.map(({ hash: signed, party, signedBy }) =>
      told(id, 'signed', signed, party, signedBy),
    ),
    ...(refusal === null ? [] : [told(id, 'refused', refusal.party, refusal.by, refusal.reason)]),
    ...notes.map(({ part, number, date, amount, fileHash }) => told(id, 'noted', part, number, date, amount, fileHash)),
  ]
}
