// Loading into memory. A load may see an entry whose notification is still on its way; earlier loads would then be older than the
// answer given now.
import type { Transaction } from '../../storage/postgres/database.ts'
import type { Changes } from './changes.ts'

/** Narrow view of the library. */
export interface ReadsStorage {
  readonly changes: Changes
  /** Reads as of one moment; anything older is dropped before the caller goes on. */
  readAndCatchUp<Found>(workspaceId: string, read: (tx: Transaction) => Promise<Found>): Promise<Found>
}
