// Locks between processes on this machine that the kernel drops when their holder dies, however it dies. Node has no
// flock of its own; SQLite, which comes with it, takes real ones on its files. No data is kept in them.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'

const sqliteBusy = 5

export class FileLock {
  readonly #handle: DatabaseSync

  private constructor(handle: DatabaseSync) {
    this.#handle = handle
  }

  /**
   * Takes a lock: many may have it shared, or one exclusively; `null` while another process is in the way. Waiting here stops the
   * whole process, so only one that is about to end waits.
   */
  static try(path: string, kind: 'shared' | 'alone', waitMs: number = 0): FileLock | null {
    const handle = new DatabaseSync(path, { timeout: waitMs })
    try {
      // A read transaction keeps SQLite's shared lock until it ends; `begin` alone takes none.
      if (kind === 'alone') handle.exec('pragma journal_mode = memory; begin exclusive')
      else handle.exec('begin; select count(*) from sqlite_schema')
      return new FileLock(handle)
    } catch (error) {
      handle.close()
      if ((error as { errcode?: number }).errcode === sqliteBusy) return null
      throw error
    }
  }

  static async wait(path: string, kind: 'shared' | 'alone', timeoutMs: number): Promise<FileLock> {
    const deadline = performance.now() + timeoutMs
    for (;;) {
      const lock = FileLock.try(path, kind)
      if (lock !== null) return lock
      if (performance.now() > deadline)
        throw new Refusal('unavailable', `${path} has been locked by another process for ${timeoutMs / 1000} s`)
      await sleep(limits.embeddedPollMs)
    }
  }

  release(): void {
    if (this.#handle.isOpen) this.#handle.close()
  }
}
