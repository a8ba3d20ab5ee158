// How what is kept in memory is loaded. A load may see an entry whose notification is still on its way, and what was
// loaded before it would then be older than what is answered now.
import type { Transaction } from '../../storage/postgres/database.ts'
import type { Changes } from './changes.ts'

/** The library. */
export interface ReadsStorage {
  readonly changes: Changes
  /** Reads as of one moment; what is older than that is dropped before the caller goes on. */
  readAndCatchUp<Found>(workspaceId: string, read: (tx: Transaction) => Promise<Found>): Promise<Found>
}
