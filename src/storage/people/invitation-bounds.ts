// Bounds of waiting invitations of a workspace. Invitations that nobody accepted end long after their link did, so that they
// neither pile up nor keep a workspace from inviting others. Other workspaces' use of an address plays no part and is not told
// (decision 0410): each has at most one place for it.
import { Refusal } from '../../core/refusal.ts'
import type { Transaction } from '../postgres/database.ts'
import { noteActivity } from '../workspaces/activity.ts'
import { accountLimits } from './account-limits.ts'

/** Makes room before another person is invited, under the lock of the workspace. */
export async function makeRoomForInvitation(tx: Transaction, workspaceId: string): Promise<void> {
  const { open: most, endAfterDays, endedTogether } = accountLimits.invitations
  const ended = await tx<{ email: string }[]>`select end_old_invitations(${endAfterDays}, ${endedTogether}) as email`
  for (const { email: subject } of ended)
    await noteActivity(tx, workspaceId, {
      who: 'assize',
      act: 'invitation.end',
      what: `ended an invitation that was not accepted for ${endAfterDays} days`,
      subject,
      fromAddress: null,
    })
  const [row] = await tx<{ count: number }[]>`select open_invitations()::integer as count`
  if (row!.count >= most)
    throw new Refusal(
      'conflict',
      `${most} invitations of this workspace wait to be accepted; withdraw some before you invite others`,
    )
}
