// End of a place in a workspace: every secret that its person knows and that opens it ends. Their own feeds end with the row of
// their place; API keys and the workspace's feeds that they made, and one-time links that they gave to others, end here; webhooks
// that they look after are disabled until somebody else enables them. Their signatures and acts stay.
import { recordsAccess } from '../log/access-log.ts'
import type { Transaction } from '../postgres/database.ts'
import { type Actor, noteActivities } from '../workspaces/activity.ts'
import { apiKeyChannel } from '../workspaces/api-keys.ts'

/** Number of each kind that ended. */
export interface EndedSecrets {
  readonly keys: number
  readonly feeds: number
  readonly links: number
}

export async function endSecretsOf(
  tx: Transaction,
  workspaceId: string,
  given: string,
  by: Actor,
): Promise<EndedSecrets> {
  const email = given.toLowerCase()
  recordsAccess(tx)
  const keys = await tx<{ id: string; name: string }[]>`
    update api_key k set revoked_at = clock_timestamp()
    where k.workspace_id = ${workspaceId} and k.revoked_at is null and lower(k.made_by) = ${email}
    returning k.id, k.name`
  for (const { id } of keys) await tx`select pg_notify(${apiKeyChannel}, ${id})`
  const feeds = await tx<{ id: string; name: string }[]>`
    update feed f set revoked_at = clock_timestamp()
    where f.workspace_id = ${workspaceId} and f.revoked_at is null and lower(f.made_by) = ${email} returning f.id, f.name`
  const links = await tx<{ email: string }[]>`select email from end_links_given_by(${email}) as email`
  const webhooks = await tx<{ id: string }[]>`
    update webhook h set disabled_at = clock_timestamp(), disabled_why = 'LEFT'
    where h.workspace_id = ${workspaceId} and h.disabled_at is null and lower(h.made_by) = ${email} returning h.id`
  await noteActivities(tx, workspaceId, [
    ...webhooks.map(({ id }) => ({
      ...by,
      act: 'webhook.disable' as const,
      what: 'webhook disabled: the person who made it left',
      subject: id,
    })),
    ...keys.map(({ id, name }) => ({
      ...by,
      act: 'key.revoke' as const,
      what: 'key revoked: the person who made it left',
      subject: `${name} (${id})`,
    })),
    ...feeds.map(({ id, name }) => ({
      ...by,
      act: 'feed.revoke' as const,
      what: 'calendar feed revoked: the person who made it left',
      subject: `${name} (${id})`,
    })),
    ...links.map(link => ({
      ...by,
      act: 'invitation.end' as const,
      what: 'set-up link ended: the person who gave it left',
      subject: link.email,
    })),
  ])
  return { keys: keys.length, feeds: feeds.length, links: links.length }
}
