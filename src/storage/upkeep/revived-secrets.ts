// Secrets that a restored backup brings back to life: keys, sign-ins and invitations that may have been ended after it was made.
// The backup cannot know of that, so all that live in it are listed, and can be ended at once.
import type { Instant } from '../../core/time/instant.ts'
import { changingAccess } from '../log/access-log.ts'
import type { Sql } from '../postgres/database.ts'
import { noteOperator } from '../workspaces/activity.ts'

interface RevivedKey {
  /** The workspace's slug. */
  readonly workspace: string
  readonly id: string
  readonly name: string
  readonly lastFour: string
  readonly createdAt: Instant
}

export interface Revived {
  readonly keys: readonly RevivedKey[]
  /** E-mail addresses of everybody who can sign in with the password they had then. */
  readonly people: readonly string[]
  /** Number of one-time links that open, now as then. */
  readonly invitations: number
  /** Addresses of webhooks, now as then. */
  readonly webhooks: readonly { readonly workspace: string; readonly id: string; readonly url: string }[]
}

export async function loadRevived(owner: Sql): Promise<Revived> {
  const keys = await owner<RevivedKey[]>`
    select w.slug as workspace, k.id, k.name, k.last_four as "lastFour", k.created_at as "createdAt"
    from api_key k join workspace w on w.id = k.workspace_id
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp()) order by w.slug, k.id`
  const people = await owner<{ email: string }[]>`
    select p.email from person p where p.password_hash is not null
      and exists (select 1 from member m where m.person_id = p.id and m.joined_at is not null)
    order by lower(p.email)`
  const [links] = await owner<{ count: number }[]>`
    select count(*) from set_up_link where used_at is null and expires_at > clock_timestamp()`
  const webhooks = await owner<Revived['webhooks'][number][]>`
    select w.slug as workspace, h.id, h.url from webhook h join workspace w on w.id = h.workspace_id
    where h.disabled_at is null order by w.slug, h.id`
  return {
    keys: [...keys],
    people: people.map(({ email }) => email),
    invitations: links!.count,
    webhooks: [...webhooks],
  }
}

/**
 * Ends every key, session and invitation, disables every webhook, and notes it in each workspace's activity with its count of
 * keys.
 */
export async function endAllAccess(owner: Sql): Promise<void> {
  const ended = await changingAccess(owner, async tx => {
    await tx`update session set ended_at = clock_timestamp() where ended_at is null`
    await tx`update set_up_link set expires_at = clock_timestamp() where used_at is null and expires_at > clock_timestamp()`
    await tx`update webhook set disabled_at = clock_timestamp(), disabled_why = 'RESTORE' where disabled_at is null`
    return tx<{ workspaceId: string }[]>`
      update api_key set revoked_at = clock_timestamp() where revoked_at is null
      returning workspace_id as "workspaceId"`
  })
  for (const [workspaceId, keys] of Map.groupBy(ended, each => each.workspaceId))
    await noteOperator(owner, workspaceId, [
      { who: 'operator', act: 'key.revoke', what: 'keys revoked', subject: `all ${keys.length}, after a restore` },
    ])
}
