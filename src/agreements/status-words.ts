// Words for an agreement's status, by audience. A supplier is never told of a draft: one that is a draft again is suspended for
// it, on its pages and in every refusal alike.
import type { Status } from '../core/formula/formula.ts'

/** The reader: a supplier, somebody who was the supplier before, or anybody else. */
export type Audience = 'supplier' | 'former supplier' | 'insider'

function statusTold(status: Status, hearer: Audience): Status {
  return hearer !== 'insider' && status === 'DRAFT' ? 'SUSPENDED' : status
}

interface HasStatus {
  readonly status: Status
}

/** Why nothing can be signed or objected to; null where it can. */
export function whyNotNow(slug: string, { status }: HasStatus, hearer: Audience = 'insider'): string | null {
  if (status === 'ACTIVE') return null
  return `${slug} is ${statusTold(status, hearer)}; only what is ACTIVE can be signed`
}

/**
 * Why no price is corrected; null where they are. A former supplier does not learn the status of an agreement that goes on
 * without it.
 */
export function whyNotCorrected(slug: string, { status }: HasStatus, hearer: Audience = 'insider'): string | null {
  if (status === 'ACTIVE' || status === 'EXPIRED') return null
  if (hearer === 'former supplier') return `prices of ${slug} are not corrected at the moment`
  return `${slug} is ${statusTold(status, hearer)}; prices are corrected only while it is ACTIVE or EXPIRED`
}
