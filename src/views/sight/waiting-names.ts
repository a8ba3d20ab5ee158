// Addresses that a document names and that stand for nobody until the workspace itself lets them in (T49).

import { findWaitingNames } from '../../agreements/party-check.ts'
import type { Problem } from '../../core/refusal.ts'
import type { AgreementParties } from '../../storage/agreements/agreements.ts'
import { listMembers } from '../../storage/people/people.ts'
import type { Seat } from './seat.ts'
import type { ViewContext } from './view-parts.ts'

/** Only for people of the workspace: a supplier does not learn whom another party let in. */
export async function readWaitingNames(
  { installation: { sql } }: ViewContext,
  { role, workspace }: Seat,
  parties: AgreementParties,
): Promise<readonly Problem[]> {
  return role === 'supplier' ? [] : findWaitingNames(parties, await listMembers(sql, workspace.id))
}
