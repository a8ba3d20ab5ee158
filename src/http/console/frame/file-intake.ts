// Files sent to the console: received first, whoever else is slow, and only a whole file counts as one that is read (decision
// 0226).
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../../core/refusal.ts'
import { type Sql, withWorkspace } from '../../../storage/postgres/database.ts'
import { loadQuota, whoCanRaise } from '../../../storage/workspaces/quotas.ts'
import type { Seat } from '../../../views/sight/seat.ts'
import { placeLimits } from '../../traffic/place-limits.ts'
import { comeAgainSeconds, type Spool } from './spool.ts'
import type { UploadedFile } from './upload-file.ts'

export class FileIntake {
  readonly #sql: Sql
  readonly #spool: Spool
  /** Number of files that wait or are read, by workspace. */
  readonly #reading = new Map<string, number>()

  constructor(sql: Sql, spool: Spool) {
    this.#sql = sql
    this.#spool = spool
  }

  /** Refuses at once a file that would be refused after it arrived. Returns a function that receives it. */
  async admit(request: FastifyRequest, seat: Seat): Promise<() => Promise<UploadedFile>> {
    const { workspace, person } = seat
    const { most } = await withWorkspace(this.#sql, workspace.id, tx => loadQuota(tx, workspace.id, 'uploads'))
    this.#refuseBeyond(most, seat)
    request.isReadOn = true
    const perWorkspace = Math.max(placeLimits.arrivingFiles.perGroup, most)
    return async () => {
      const kept = await this.#spool.receive(request.raw, { workspace: workspace.id, person: person.id, perWorkspace })
      try {
        // Nothing is awaited between the check and the counting: of many simultaneous files no more than the limit get in.
        this.#refuseBeyond(most, seat)
      } catch (error) {
        await kept.remove()
        throw error
      }
      this.#count(workspace.id, 1)
      return { ...kept, remove: () => kept.remove().finally(() => this.#count(workspace.id, -1)) }
    }
  }

  #count(workspaceId: string, by: 1 | -1): void {
    const left = (this.#reading.get(workspaceId) ?? 0) + by
    if (left === 0) this.#reading.delete(workspaceId)
    else this.#reading.set(workspaceId, left)
  }

  #refuseBeyond(most: number, { workspace: { id, slug } }: Seat): void {
    if ((this.#reading.get(id) ?? 0) < most) return
    const message = `this workspace may have at most ${most} files read at the same time, and has; try again when one is done; ${whoCanRaise(slug, 'uploads')}`
    throw new Refusal('conflict', message, comeAgainSeconds)
  }
}
