// A running process and the secrets that it lists: told to the database again and again, so that a rotation can name processes
// that do not know the new one. On the way it learns the current secret, and secrets added to the file of an embedded
// installation.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { limits } from '../../limits.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import { readSecretFile, secretFileChangedAt } from '../keys/secret-file.ts'
import type { Queryable } from '../postgres/database.ts'
import { loadRing } from './ring-state.ts'

export class KeyHolder {
  readonly #sql: Queryable
  readonly #ring: KeyRing
  /** Folder of the secrets; null where they are in the environment. */
  readonly #dataFolder: string | null
  readonly #id: string = randomBytes(12).toString('hex')
  #changedAt: number | null = null
  #timer: NodeJS.Timeout | null = null
  #beating: Promise<void> = Promise.resolve()

  constructor(sql: Queryable, ring: KeyRing, dataFolder: string | null) {
    this.#sql = sql
    this.#ring = ring
    this.#dataFolder = dataFolder
  }

  async start(): Promise<void> {
    await this.#beat()
    this.#timer = setInterval(() => {
      // Nothing is told while the database is away; every sealing asks it anyway.
      this.#beating = this.#beating.then(() => this.#beat()).catch(() => {})
    }, limits.ringBeatMs).unref()
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#beating
    await this.#sql`select remove_key_holder(${this.#id})`.catch(() => {})
  }

  async #beat(): Promise<void> {
    if (this.#dataFolder !== null) await this.#readFile(this.#dataFolder)
    const name = `${basename(process.argv[1] ?? 'assize')} ${process.argv[2] ?? ''} on ${hostname()}, process ${process.pid}`
    const [row] = await this.#sql<{ round: number | null }[]>`
      select note_key_holder(${this.#id}, ${name.slice(0, 300)}, ${[...this.#ring.ids]}::text[]) as round`
    const { round } = row!
    if (round !== null && round > (this.#ring.state?.round ?? 0)) await loadRing(this.#sql, this.#ring)
  }

  async #readFile(dataFolder: string): Promise<void> {
    const changedAt = await secretFileChangedAt(dataFolder)
    if (changedAt === null || changedAt === this.#changedAt) return
    const secrets = await readSecretFile(dataFolder)
    if (secrets === null) return
    this.#changedAt = changedAt
    if (secrets.join('\n') !== this.#ring.secrets.join('\n')) this.#ring.list(secrets)
  }
}
