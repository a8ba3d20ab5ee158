// Narrow view of the library, through which prices, true-ups, corrections and the radar read agreements.
import type { SeriesData } from '../../core/formula/bind.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { AdjustmentRequest, Adjustments } from '../agreements/adjustments.ts'
import type { ReadersBySeries } from '../agreements/agreement-readers.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'
import type { LibraryBounds } from '../memory/library-bounds.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'
import type { CachedAgreement } from './cached-agreement.ts'
import type { CachedIndex } from './cached-index.ts'
import type { ListPiece } from './list-pieces.ts'

/** Adds figures that nobody has recorded yet to series. */
export type WithFigures = (data: SeriesData) => SeriesData

export interface ReadsAgreements extends ReadsStorage {
  readonly bounds: LibraryBounds
  index(workspaceId: string, piece?: ListPiece): CachedIndex | Promise<CachedIndex>
  readers(workspaceId: string, index: CachedIndex): Promise<ReadersBySeries>
  agreement(workspaceId: string, id: string): CachedAgreement | null | Promise<CachedAgreement | null>
  agreements(workspaceId: string, ids: readonly string[]): Promise<readonly CachedAgreement[]>
  /** Agreements of a workspace in memory. */
  agreementsInMemory(workspaceId: string): Iterable<CachedAgreement>
  adjustments(workspaceId: string, cached: CachedAgreement, request: AdjustmentRequest): Promise<Adjustments | null>
  computeAdjustments(
    workspaceId: string,
    snapshot: AgreementSnapshot,
    request: AdjustmentRequest,
    withFigures?: WithFigures,
  ): Promise<Adjustments | null>
  data(workspaceId: string, snapshot: AgreementSnapshot, knownAt: Instant | null): Promise<SeriesData>
  account(cached: CachedAgreement): void
}
