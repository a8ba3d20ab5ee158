// Corrections in an evidence package: every one about its periods, proposed, agreed, refused or waived, as of the time when the
// part of the chain was read.
import { dayOfInstant, type Instant } from '../../core/time/instant.ts'
import {
  type CorrectionRecord,
  correctionPath,
  correctionsPath,
  correctionsTable,
  correctionsTablePath,
} from '../../formats/evidence/corrections.ts'
import { formatRecords, recordOf } from '../../formats/evidence/proposals.ts'
import type { NamedCorrection } from '../../formats/evidence/settled-periods.ts'
import type { FoundCorrection } from '../../read/corrections.ts'
import { moneyTime, type OpenedAgreement } from '../agreements/opened-agreement.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { type SignedEntry, signedEntry } from './evidence-log.ts'

/**
 * Adds the corrections in somebody's own part. The list exists even if it is empty: it says that nothing was corrected.
 * `chainedAt`: instant of the newest entry in the part of the chain; null without one.
 */
export async function addCorrections(
  parts: ViewContext,
  { workspace }: Seat,
  { snapshot, sight }: OpenedAgreement,
  { periods, chainedAt }: { readonly periods: ReadonlySet<string>; readonly chainedAt: Instant | null },
  files: Map<string, string>,
): Promise<{ readonly named: readonly NamedCorrection[]; readonly signed: readonly SignedEntry[] }> {
  const { library, seal } = parts
  const { tenure } = sight
  const seen = moneyTime(parts, sight)
  // Whoever gets a part of the chain sees the agreement as it is now.
  const time = chainedAt === null ? seen : { knownAt: chainedAt, until: Math.min(seen.until, dayOfInstant(chainedAt)) }
  const trueUp = await library.trueUps.of(workspace.id, snapshot.id, time, tenure)
  const records: CorrectionRecord[] = []
  const signed: SignedEntry[] = []
  const receipts = new Map<string, ReturnType<typeof seal.issueCorrection>>()
  for (const { kept } of trueUp?.proposals ?? []) {
    const found = await library.corrections.find(workspace.id, kept.id, time, () => tenure)
    if (found === null || !found.body.periods.some(({ period }) => periods.has(period))) continue
    records.push(correctionRecord(found))
    signed.push(...found.kept.signatures.map(signedEntry))
    receipts.set(kept.id, seal.issueCorrection(await library.corrections.receipt(workspace.id, found)))
  }
  for (const [id, receipt] of receipts) files.set(correctionPath(id), `${JSON.stringify(receipt, null, 2)}\n`)
  files.set(correctionsPath, formatRecords(records))
  files.set(correctionsTablePath, correctionsTable(records, receipts))
  return { named: [...receipts].map(([id, correction]) => ({ id, correction })), signed }
}

function correctionRecord({ kept, state }: FoundCorrection): CorrectionRecord {
  return {
    ...recordOf(kept, state),
    notes: kept.notes.map(({ part, number, date, amount, fileHash, recordedAt: at }) => ({
      part,
      number,
      date,
      amount,
      fileHash,
      recordedAt: at,
    })),
  }
}
