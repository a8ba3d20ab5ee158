// Removes the backups of a set that are too old, but for what a newer one builds on, and what backups that were killed have left. What says
// that a backup exists goes first, so that nothing is ever named whose rows are gone.
import type { Instant } from '../../core/time/instant.ts'
import { listNumbers } from './backup-set.ts'
import type { BackupStore } from './backup-store.ts'
import { type KeptManifest, manifestName, numberOfData, numberOfManifest, readManifest } from './manifest.ts'

interface PruneReport {
  readonly where: string
  readonly kept: readonly number[]
  readonly removed: readonly number[]
  /** Files of backups that never came to their end. */
  readonly leftovers: number
  readonly bytes: number
}

/** Keeps those made at or after the instant, and always the newest. */
export async function pruneBackups(store: BackupStore, keepFrom: Instant, isTrial: boolean): Promise<PruneReport> {
  const numbers = await listNumbers(store)
  const manifests = new Map<number, KeptManifest>()
  for (const number of numbers) manifests.set(number, await readManifest(store, number))
  const kept = new Set<number>()
  for (const { number, createdAt } of manifests.values()) {
    if (createdAt < keepFrom && number !== numbers.at(-1)) continue
    for (
      let at: number | undefined = number;
      at !== undefined && !kept.has(at);
      at = manifests.get(at)?.buildsOn?.number
    )
      kept.add(at)
  }
  const removed = numbers.filter(number => !kept.has(number))
  const stored = await store.list()
  const needed = new Set([...kept].map(number => manifests.get(number)?.data.name))
  const rows = stored.filter(({ name }) => isOver(name, numbers.at(-1) ?? 0) && !needed.has(name))
  const said = stored.filter(({ name }) => removed.includes(numberOfManifest(name) ?? -1))
  if (!isTrial) {
    // Those that build on others before those others.
    for (const number of removed.toReversed()) await store.remove(manifestName(number))
    for (const { name } of rows) await store.remove(name)
  }
  return {
    ...{ where: store.where, kept: [...kept].sort((a, b) => a - b), removed },
    leftovers: rows.length - removed.length,
    bytes: [...said, ...rows].reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** Rows whose number is taken, also of who was killed while writing them; those of a backup under way have the next. */
function isOver(name: string, newest: number): boolean {
  const number = numberOfData(name.replace(/(?<=\.rows)\.\d+\.partial$/, ''))
  return number !== null && number <= newest
}
