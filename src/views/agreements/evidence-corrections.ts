// The corrections of an evidence package: every one that concerns its periods, proposed, agreed, refused or waived, as it stood
// when the part of the chain was read.
import { dayOfInstant, type Instant } from '../../core/time/instant.ts'
import {
  type CorrectionRecord,
  correctionPath,
  correctionsPath,
  correctionsTable,
  correctionsTablePath,
  writeRecords,
} from '../../formats/evidence/corrections.ts'
import type { FoundCorrection } from '../../read/corrections.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewParts } from '../sight/view-parts.ts'
import { type SeenAgreement, todayOf } from './seen-agreement.ts'

/** `chainedAt`: when the newest entry in the part of the chain was recorded; null without one. */
export async function addCorrections(
  parts: ViewParts,
  { workspace }: Seat,
  { snapshot, sight }: SeenAgreement,
  { periods, chainedAt }: { readonly periods: ReadonlySet<string>; readonly chainedAt: Instant | null },
  files: Map<string, string>,
): Promise<void> {
  const { library, seal } = parts
  const { knownAt: seenAt } = sight
  const knownAt = seenAt === null || (chainedAt !== null && chainedAt < seenAt) ? chainedAt : seenAt
  const today = todayOf(parts)
  const time = { knownAt, until: knownAt === null ? today : Math.min(today, dayOfInstant(knownAt)) }
  const trueUp = await library.trueUps.of(workspace.id, snapshot.id, time)
  const records: CorrectionRecord[] = []
  const receipts = new Map<string, ReturnType<typeof seal.issueCorrection>>()
  for (const { kept } of trueUp?.proposals ?? []) {
    const found = await library.corrections.find(workspace.id, kept.id, time)
    if (found === null || !found.body.periods.some(({ period }) => periods.has(period))) continue
    records.push(recordOf(found))
    receipts.set(kept.id, seal.issueCorrection(await library.corrections.receipt(workspace.id, found)))
  }
  if (records.length === 0) return
  for (const [id, receipt] of receipts) files.set(correctionPath(id), `${JSON.stringify(receipt, null, 2)}\n`)
  files.set(correctionsPath, writeRecords(records))
  files.set(correctionsTablePath, correctionsTable(records, receipts))
}

function recordOf({ kept, state }: FoundCorrection): CorrectionRecord {
  const { id, hash, recordedAt, proposedBy, refusal, notes } = kept
  return {
    ...{ id, hash, state, proposedAt: recordedAt, proposedBy },
    refusal: refusal === null ? null : { party: refusal.party, by: refusal.by, at: refusal.at, reason: refusal.reason },
    notes: notes.map(({ part, number, date, amount, fileHash, recordedAt: at }) => ({
      ...{ part, number, date, amount, fileHash, recordedAt: at },
    })),
  }
}
