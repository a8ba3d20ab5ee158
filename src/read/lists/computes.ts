// Narrow view of the library: it computes the numbers of one agreement and keeps none.
import type { AgreementHistory } from '../../storage/agreements/agreements.ts'
import type { AdjustmentRequest, Adjustments } from '../agreements/adjustments.ts'
import type { AgreementSnapshot } from '../agreements/agreement-snapshot.ts'
import type { ReadsStorage } from '../memory/reads-storage.ts'

export interface Computes extends ReadsStorage {
  snapshotOf(kept: AgreementHistory): AgreementSnapshot
  computeAdjustments(
    workspaceId: string,
    snapshot: AgreementSnapshot,
    request: AdjustmentRequest,
  ): Promise<Adjustments | null>
}
