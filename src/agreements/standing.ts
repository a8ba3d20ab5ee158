// A PAM and the series it reads, loaded inside one transaction: for changes, which must see what is true when they commit
// and cannot go by what a server holds in memory.
import type { Day } from '../core/day.ts'
import type { SeriesData } from '../core/formula/bind.ts'
import type { SeriesHistory } from '../core/series.ts'
import { Ledger } from '../read/adjustments.ts'
import { HeldIndex } from '../read/library.ts'
import type { PamSnapshot } from '../read/pam-snapshot.ts'
import { SeriesSnapshot } from '../read/series-snapshot.ts'
import type { Transaction } from '../storage/database.ts'
import { readVintages, readVisibleSeries } from '../storage/series.ts'

/** The series of a workspace that are named so; those it does not see are left out. */
export async function loadSeriesData(
  tx: Transaction,
  workspaceId: string,
  references: readonly string[],
): Promise<SeriesData> {
  const index = new HeldIndex(await readVisibleSeries(tx, workspaceId), [])
  const data = new Map<string, SeriesHistory>()
  for (const reference of references) {
    const visible = index.findByReference(reference)
    if (visible === undefined) continue
    const { name, unit, frequency } = visible.metadata.at(-1)!
    const snapshot = new SeriesSnapshot(visible.id, frequency, await readVintages(tx, visible.owner, visible.id))
    data.set(reference, snapshot.history({ reference, name, unit, frequency }))
  }
  return data
}

/** The numbers as they stand now. */
export async function openLedger(
  tx: Transaction,
  workspaceId: string,
  snapshot: PamSnapshot,
  until: Day,
): Promise<Ledger> {
  const data = await loadSeriesData(tx, workspaceId, snapshot.references)
  const question = { asOf: null, knownAt: null, version: null, until }
  return new Ledger({ snapshot, standing: snapshot.at(null)!, data, question })
}
