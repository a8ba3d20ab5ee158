// Pending signings: requests to sign while the person is at their identity provider, kept encrypted, for minutes, until they come
// back with its proof, and taken once. They are not part of any history: signatures have their own rows.

import type { Instant } from '../../core/time/instant.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { SealedText } from '../keys/sealed-text.ts'
import { inWorkspace, type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { isIdentifier, makeIdentifier } from '../postgres/identifier.ts'

interface AwaitedRow {
  readonly personId: string
  readonly asked: Buffer
  readonly proof: Buffer | null
}

interface Awaited {
  readonly personId: string
  /** The request as it was given. */
  readonly asked: string
  /** The provider's proof as it was given; null before the person has come back. */
  readonly proof: string | null
}

/** Most pending signings of one person: as many windows as somebody signs in at once. */
const mostAwaited = 5

export class AwaitedSignings {
  readonly #sql: Sql
  readonly #sealed: SealedText

  constructor({ sql, ring }: { readonly sql: Sql; readonly ring: KeyRing }) {
    this.#sql = sql
    this.#sealed = new SealedText(ring, 'awaited signings')
  }

  /** Adds a signing and returns its id. Expired ones are deleted, and older ones of the same person beyond the newest few. */
  async add(workspaceId: string, { personId, asked }: Omit<Awaited, 'proof'>, until: Instant): Promise<string> {
    const id = makeIdentifier('asg')
    const sealed = this.#sealed.seal(`asked ${id} ${personId}`, asked)
    await withWorkspace(this.#sql, workspaceId, async tx => {
      await tx`delete from awaited_signing where workspace_id = ${workspaceId} and expires_at < clock_timestamp()`
      await tx`
        insert into awaited_signing (workspace_id, id, person_id, asked, expires_at)
        values (${workspaceId}, ${id}, ${personId}, ${sealed}, ${until})`
      await tx`
        delete from awaited_signing a using (
          select id from awaited_signing where workspace_id = ${workspaceId} and person_id = ${personId}
          order by id desc offset ${mostAwaited}) older
        where a.workspace_id = ${workspaceId} and a.id = older.id`
    })
    return id
  }

  /** Finds a signing; null if it expired, was taken, or does not exist. */
  find(workspaceId: string, id: string): Promise<Awaited | null> {
    return this.#read(workspaceId, id, tx => {
      return tx<AwaitedRow[]>`
        select person_id as "personId", asked, proof from awaited_signing
        where workspace_id = ${workspaceId} and id = ${id} and expires_at > clock_timestamp()`
    })
  }

  /** Adds the proof; false for a signing that has one, expired, was taken, or does not exist. */
  async addProof(workspaceId: string, id: string, personId: string, proof: string): Promise<boolean> {
    const sealed = this.#sealed.seal(`proof ${id} ${personId}`, proof)
    const added = await inWorkspace(this.#sql, workspaceId)`
      update awaited_signing set proof = ${sealed}
      where workspace_id = ${workspaceId} and id = ${id} and person_id = ${personId} and proof is null
        and expires_at > clock_timestamp()
      returning 1`
    return added.length > 0
  }

  /** Takes a signing with its proof, once, for the person who asked; null for anything else. */
  take(workspaceId: string, id: string, personId: string): Promise<Awaited | null> {
    return this.#read(workspaceId, id, tx => {
      return tx<AwaitedRow[]>`
        delete from awaited_signing
        where workspace_id = ${workspaceId} and id = ${id} and person_id = ${personId} and proof is not null
          and expires_at > clock_timestamp()
        returning person_id as "personId", asked, proof`
    })
  }

  async #read(
    workspaceId: string,
    id: string,
    ask: (tx: Transaction) => Promise<readonly AwaitedRow[]>,
  ): Promise<Awaited | null> {
    if (!isIdentifier('asg', id)) return null
    const [row] = await withWorkspace(this.#sql, workspaceId, ask)
    if (row === undefined) return null
    const { personId } = row
    const asked = this.#sealed.open(`asked ${id} ${personId}`, row.asked)
    const proof = row.proof === null ? null : this.#sealed.open(`proof ${id} ${personId}`, row.proof)
    return asked === null ? null : { personId, asked, proof }
  }
}
