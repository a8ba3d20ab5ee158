// What somebody asked to sign and went to their identity provider for: kept encrypted, for minutes, until they come back with its
// proof, and taken once. Not part of any history: what is signed has its own rows.

import type { Instant } from '../../core/time/instant.ts'
import { SealedText } from '../log/sealed-text.ts'
import { deriveKey } from '../log/secret.ts'
import { type Sql, type Transaction, withWorkspace } from '../postgres/database.ts'
import { isIdentifier, makeIdentifier } from '../postgres/identifier.ts'

interface Place {
  readonly workspaceId: string
  readonly id: string
}

export interface Awaited {
  readonly personId: string
  /** As it was given. */
  readonly asked: string
  /** As it was given; null before the person has come back. */
  readonly proof: string | null
}

export class AwaitedSignings {
  readonly #sql: Sql
  readonly #sealed: SealedText

  constructor({ sql, secret }: { readonly sql: Sql; readonly secret: string }) {
    this.#sql = sql
    this.#sealed = new SealedText(deriveKey(secret, 'awaited signings'))
  }

  /** Its id. What others left and is too old goes. */
  async add(workspaceId: string, { personId, asked }: Omit<Awaited, 'proof'>, until: Instant): Promise<string> {
    const id = makeIdentifier('asg')
    const sealed = this.#sealed.seal(`asked ${id} ${personId}`, asked)
    await withWorkspace(this.#sql, workspaceId, async tx => {
      await tx`delete from awaited_signing where workspace_id = ${workspaceId} and expires_at < clock_timestamp()`
      await tx`
        insert into awaited_signing (workspace_id, id, person_id, asked, expires_at)
        values (${workspaceId}, ${id}, ${personId}, ${sealed}, ${until})`
    })
    return id
  }

  /** Null for what is too old, was taken, or is not there. */
  find(place: Place): Promise<Awaited | null> {
    return withWorkspace(this.#sql, place.workspaceId, tx => this.#read(tx, place, false))
  }

  /** False for what has a proof already, is too old, was taken, or is not there. */
  async addProof({ workspaceId, id }: Place, personId: string, proof: string): Promise<boolean> {
    const sealed = this.#sealed.seal(`proof ${id} ${personId}`, proof)
    const added = await withWorkspace(
      this.#sql,
      workspaceId,
      tx => tx`
        update awaited_signing set proof = ${sealed}
        where workspace_id = ${workspaceId} and id = ${id} and person_id = ${personId} and proof is null
          and expires_at > clock_timestamp()
        returning 1`,
    )
    return added.length > 0
  }

  /** The same as `find`, once. */
  take(place: Place): Promise<Awaited | null> {
    return withWorkspace(this.#sql, place.workspaceId, tx => this.#read(tx, place, true))
  }

  async #read(tx: Transaction, { workspaceId, id }: Place, isTaken: boolean): Promise<Awaited | null> {
    if (!isIdentifier('asg', id)) return null
    const wanted = tx`workspace_id = ${workspaceId} and id = ${id} and expires_at > clock_timestamp()`
    const columns = tx`person_id as "personId", asked, proof`
    const [row] = await tx<{ personId: string; asked: Buffer; proof: Buffer | null }[]>`
      ${isTaken ? tx`delete from awaited_signing where ${wanted} returning ${columns}` : tx`select ${columns} from awaited_signing where ${wanted}`}`
    if (row === undefined) return null
    const { personId } = row
    const asked = this.#sealed.open(`asked ${id} ${personId}`, row.asked)
    const proof = row.proof === null ? null : this.#sealed.open(`proof ${id} ${personId}`, row.proof)
    return asked === null ? null : { personId, asked, proof }
  }
}
