// The viewer as signing would judge them: its refusals are shown before they try, in the same words.

import { spell } from '../../agreements/parties.ts'
import { type JudgedSigner, loadSigningPeople } from '../../agreements/signable.ts'
import type { Party } from '../../core/parties.ts'
import type { AgreementStateRow } from '../../storage/agreements/agreements.ts'
import { withWorkspace } from '../../storage/postgres/database.ts'
import type { Seat } from '../sight/seat.ts'
import type { ViewContext } from '../sight/view-parts.ts'
import { hearerOf } from '../sight/visibility.ts'

export type AsSigner = (party: Party, state: Pick<AgreementStateRow, 'parties'>) => JudgedSigner

/** `given` are the signatures that may stand in their way. */
export async function readAsSigner(
  { installation: { sql }, seal }: ViewContext,
  seat: Seat,
  given: readonly { readonly signedBy: string }[],
): Promise<AsSigner> {
  const { workspace, person } = seat
  const asked = { signers: [person], signedBy: given.map(({ signedBy }) => signedBy) }
  const people = await withWorkspace(sql, workspace.id, tx => loadSigningPeople(tx, workspace.id, asked, seal.rows))
  const email = spell(person.email)
  return (party, { parties }) => ({ ...people, state: { parties }, signer: { party, email, hearer: hearerOf(seat) } })
}
