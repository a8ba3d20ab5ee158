// Changes of terms in an evidence package: every one that begins by its last date or made one of its versions, in any state, as of
// the time when the part of the chain was read.
import type { ChangeReceipt } from '../../core/index-changes/change-receipt.ts'
import { isBy } from '../../core/series/vintage.ts'
import type { Instant } from '../../core/time/instant.ts'
import { agreementPath } from '../../formats/evidence/manifest.ts'
import { formatRecords, recordOf } from '../../formats/evidence/proposals.ts'
import {
  type ChangeRecord,
  changePath,
  changesPath,
  changesTable,
  changesTablePath,
} from '../../formats/evidence/terms-changes.ts'
import { signatureOn } from '../../read/agreements/receipt-attachments.ts'
import { stateOfChange } from '../../read/agreements/terms-state.ts'
import type { ListHead } from '../../storage/agreements/price-lists.ts'
import type { StoredChange } from '../../storage/agreements/terms-changes.ts'
import type { OpenedAgreement } from '../agreements/opened-agreement.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { type SignedEntry, signedEntry } from './evidence-log.ts'

/**
 * Adds the changes that somebody sees. The list exists even if it is empty: it says that no other terms were proposed. `until`: the
 * last adjustment date in the package. `chainedAt`: instant of the newest entry in the part of the chain; null without one.
 */
export async function addTermsChanges(
  { library, seal }: ViewContext,
  { workspace }: Seat,
  { snapshot, sight }: OpenedAgreement,
  { until, chainedAt }: { readonly until: string; readonly chainedAt: Instant | null },
  files: Map<string, string>,
): Promise<readonly SignedEntry[]> {
  const knownAt = chainedAt ?? sight.knownAt
  const records: ChangeRecord[] = []
  const signed: SignedEntry[] = []
  const receipts = new Map<string, ChangeReceipt>()
  for (const { kept, change: stored, body, document } of await library.termsChanges.of(
    workspace.id,
    snapshot.id,
    sight.tenure,
  )) {
    const change = keptBy(stored, knownAt)
    if (change === null) continue
    const { id, hash, kind, plannedBy, signatures } = change
    const madeIn = (versions: readonly Pick<ListHead, 'version' | 'proposal' | 'recordedAt'>[]) =>
      versions.find(({ proposal, recordedAt }) => proposal === id && isBy(recordedAt, knownAt))?.version ?? null
    const [version, list] = [madeIn(kept.versions), madeIn(kept.lists)]
    const isMade = list !== null || (version !== null && files.has(agreementPath(version)))
    if (change.effectiveFrom > until && !isMade) continue
    signed.push(...signatures.map(signedEntry))
    const record = { ...recordOf(change, stateOfChange(kept, change)), plannedBy, version }
    records.push(list === null ? record : { ...record, list })
    const receipt = seal.issueChange({
      hash,
      body: JSON.parse(body) as ChangeReceipt['body'],
      document: kind === 'SPLICE' ? null : document,
      signatures: signatures.map(signature => signatureOn(hash, signature)),
    })
    receipts.set(id, receipt)
    files.set(changePath(id), `${JSON.stringify(receipt, null, 2)}\n`)
  }
  files.set(changesPath, formatRecords(records))
  files.set(changesTablePath, changesTable(records, receipts))
  return signed
}

/** A change as it stood by then; null if it was not there yet. */
function keptBy(change: StoredChange, knownAt: Instant | null): StoredChange | null {
  if (!isBy(change.recordedAt, knownAt)) return null
  const { signatures, refusal } = change
  return {
    ...change,
    signatures: signatures.filter(({ signedAt }) => isBy(signedAt, knownAt)),
    refusal: refusal !== null && isBy(refusal.at, knownAt) ? refusal : null,
  }
}
