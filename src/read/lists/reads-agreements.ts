// What prices, true-ups, corrections and the radar read agreements with: the library.
import type { SeriesData } from '../../core/formula/bind.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { AdjustmentRequest, Adjustments } from '../agreements/adjustments.ts'
import type { FormulaReaders } from '../agreements/agreement-readers.ts'
import type { PamSnapshot } from '../agreements/agreement-snapshot.ts'
import type { LibraryBounds } from '../memory/library-bounds.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'
import type { CachedPam } from './cached-agreement.ts'
import type { CachedIndex } from './cached-index.ts'
import type { ListPiece } from './list-pieces.ts'

export interface ReadsAgreements extends ReadsStorage {
  readonly bounds: LibraryBounds
  index(workspaceId: string, piece?: ListPiece): CachedIndex | Promise<CachedIndex>
  readers(workspaceId: string, index: CachedIndex): Promise<FormulaReaders>
  pam(workspaceId: string, id: string): CachedPam | null | Promise<CachedPam | null>
  pams(workspaceId: string, ids: readonly string[]): Promise<readonly CachedPam[]>
  /** Those of a workspace that are in memory. */
  pamsInMemory(workspaceId: string): Iterable<CachedPam>
  adjustments(workspaceId: string, cached: CachedPam, request: AdjustmentRequest): Promise<Adjustments | null>
  data(workspaceId: string, snapshot: PamSnapshot, knownAt: Instant | null): Promise<SeriesData>
  account(cached: CachedPam): void
}
