// Encrypts again, under the current secret, what is stored encrypted: secrets of identity providers, of webhooks and of one-time codes.
// The access log has a hash of each, so each is recorded again, and one that was changed with SQL alone is refused by its name.
import { boundToClient } from '../identity/providers.ts'
import type { KeyRing, Purpose } from '../keys/key-ring.ts'
import { SealedText } from '../keys/sealed-text.ts'
import { changingAccess } from '../log/access-log.ts'
import { ringIn, type Sql, type Transaction } from '../postgres/database.ts'
import { boundToWebhook } from '../webhooks/webhooks.ts'
import { NotBorneOut } from './reseal.ts'

interface Stored {
  readonly workspaceId: string | null
  /** Id of the row in its scope. */
  readonly id: string
  readonly purpose: Purpose
  readonly boundTo: string
  readonly sealed: Buffer
  readonly what: string
  write(tx: Transaction, sealed: Buffer): PromiseLike<unknown>
}

/** `old`: the id of the secret before. How many there were. */
export async function reencryptStored(
  owner: Sql,
  old: string,
  done: (count: number) => Promise<void> | void,
): Promise<void> {
  for (const stored of await loadStored(owner, old)) {
    await changingAccess(owner, async tx => {
      await tx`select set_config('assize.workspace', ${stored.workspaceId ?? ''}, true)`
      await stored.write(tx, again(ringIn(tx), stored))
    })
    await done(1)
  }
}

function again(ring: KeyRing, { purpose, boundTo, sealed, what }: Stored): Buffer {
  const made = new SealedText(ring, purpose).again(boundTo, sealed)
  if (made === null) throw new NotBorneOut(`${what} cannot be opened`)
  return made
}

async function loadStored(owner: Sql, old: string): Promise<readonly Stored[]> {
  return owner.begin(async tx => {
    await tx`select set_config('assize.workspace', '*', true)`
    const providers = await tx<
      { workspaceId: string; party: string; issuer: string; clientId: string; sealed: Buffer }[]
    >`
      select workspace_id as "workspaceId", party, issuer, client_id as "clientId", client_secret as sealed
      from identity_provider where substring(client_secret from 1 for 4) = decode(${old}, 'hex')`
    const webhooks = await tx<{ workspaceId: string; id: string; secret: Buffer; oldSecret: Buffer | null }[]>`
      select workspace_id as "workspaceId", id, secret, old_secret as "oldSecret" from webhook
      where substring(secret from 1 for 4) = decode(${old}, 'hex') or substring(old_secret from 1 for 4) = decode(${old}, 'hex')`
    const codes = await tx<{ personId: string; sealed: Buffer }[]>`
      select person_id as "personId", code_secret as sealed from second_factor
      where substring(code_secret from 1 for 4) = decode(${old}, 'hex')`
    return [
      ...providers.map(
        ({ workspaceId, party, issuer, clientId, sealed }): Stored => ({
          workspaceId,
          id: party,
          sealed,
          purpose: 'identity provider secrets',
          boundTo: boundToClient(workspaceId, { party: party === '' ? null : party, issuer, clientId }),
          what: `the secret of the identity provider ${issuer} of ${workspaceId}`,
          write: (change, made) => change`
          update identity_provider set client_secret = ${made} where workspace_id = ${workspaceId} and party = ${party}`,
        }),
      ),
      ...webhooks.flatMap(({ workspaceId, id, secret, oldSecret }): readonly Stored[] => {
        const usual = {
          workspaceId,
          id,
          purpose: 'webhook secrets' as const,
          boundTo: boundToWebhook(workspaceId, id),
          what: `the secret of the webhook ${id} of ${workspaceId}`,
        }
        const newest: Stored = {
          ...usual,
          sealed: secret,
          write: (change, made) =>
            change`update webhook set secret = ${made} where workspace_id = ${workspaceId} and id = ${id}`,
        }
        if (oldSecret === null) return [newest]
        const before: Stored = {
          ...usual,
          sealed: oldSecret,
          write: (change, made) =>
            change`update webhook set old_secret = ${made} where workspace_id = ${workspaceId} and id = ${id}`,
        }
        return [newest, before]
      }),
      ...codes.map(
        ({ personId, sealed }): Stored => ({
          workspaceId: null,
          id: personId,
          sealed,
          purpose: 'one-time codes',
          boundTo: personId,
          what: `the secret of the one-time codes of ${personId}`,
          write: (change, made) => change`update second_factor set code_secret = ${made} where person_id = ${personId}`,
        }),
      ),
    ]
  })
}
