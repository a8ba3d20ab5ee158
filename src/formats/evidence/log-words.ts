// The log's proofs of signatures in sentences, for pages and terminals, with their witnesses; and the facts that nothing here
// can prove.
import type { PartySignature } from '../../core/receipt/party-signature.ts'
import type { CheckedLog, ComparedKept, LoggedSlip } from './check-log.ts'

/** Something in a package that parties signed. */
interface SignedThing {
  readonly name: string
  readonly signatures: readonly PartySignature[]
}

/** Facts that stay open however good everything is. */
export const notProven: readonly string[] = [
  'that the operator recorded what the provider really published',
  'that no entry was left out before it was logged',
  'that two names stand for two different people',
]

export function provenWords(
  log: CheckedLog | null,
  things: readonly SignedThing[],
  kept: ComparedKept | null,
): readonly string[] {
  if (log === null) return []
  return [...things.flatMap(thing => loggedWords(log, thing)), ...keptWords(kept)]
}

function loggedWords(log: CheckedLog, { name, signatures }: SignedThing): string[] {
  // A supplier's package lacks the contents of entries that others signed: the line then leaves them out.
  const logged = signatures.flatMap(signature => {
    const slip = log.slips.find(each => isOf(each, signature))
    return slip === undefined ? [] : [{ signature, slip }]
  })
  if (logged.length === 0) return []
  // A checkpoint with more leaves has them all.
  const leaf = Math.max(...logged.map(({ slip: { slip } }) => slip.index))
  const vouched = log.checkpoints.filter(({ size }) => size > leaf).flatMap(each => each.vouched)
  const first = new Map<string, string>()
  for (const { by, at } of vouched) if (!first.has(by) || at < first.get(by)!) first.set(by, at)
  const inTime = [...first].map(([by, at]) => ({ by, at, key: `${at} ${by}` })).sort((a, b) => (a.key < b.key ? -1 : 1))
  const bounds = inTime.map(({ by, at }) => `${at.slice(0, 16)}Z (${by})`)
  const where =
    bounds.length === 0 ? "in the log on the operator's word alone: no witness" : `in the log by ${bounds.join(', ')}`
  return [`${name}: ${formatSigned(logged.map(({ signature }) => signature))}; ${where}`]
}

/** Whether a slip belongs to the entry that gave a signature. */
function isOf({ kind, content }: LoggedSlip, { hash, party, signedBy }: PartySignature): boolean {
  if (content === null || !kind.endsWith('signature')) return false
  return (content.receiptHash ?? content.hash) === hash && content.party === party && content.signedBy === signedBy
}

function formatSigned(signatures: readonly PartySignature[]): string {
  const last = signatures.map(({ signedAt }) => signedAt.slice(0, 10)).sort()
  const who = new Set(signatures.map(({ party }) => party)).size === 2 ? 'both' : `the ${signatures[0]!.party}`
  return `signed by ${who} on ${last.at(-1)}`
}

function keptWords(kept: ComparedKept | null): readonly string[] {
  if (kept === null || kept.part === null) return ['nothing that you kept was compared (--kept)']
  if (kept.same.length === 0) return kept.apart
  const days = kept.same.flatMap(({ vouched }) => vouched.map(each => each.at.slice(0, 10)))
  const at = days.sort()[0] ?? 'the oldest checkpoint you kept'
  const count = `${kept.same.length} ${kept.same.length === 1 ? 'checkpoint' : 'checkpoints'} you kept`
  return [`not rewritten since ${at} (${count})`, ...kept.apart]
}
