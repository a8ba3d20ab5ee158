// The newest checkpoint that this process has given out, in a file beside the database: after a restore from an older backup
// the database alone would not know that more was promised. It never goes back to a smaller tree of the same origin.
import { open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Checkpoint, readCheckpoint } from '../../core/proof/checkpoint.ts'
import { readNote } from '../../core/proof/signed-note.ts'
import { readKept, syncFolder } from '../embedded/secret-file.ts'

export class NewestCheckpoint {
  readonly #path: string
  /** Write under way. Writes follow each other, because two at once could leave the smaller checkpoint. */
  #writing: Promise<void> = Promise.resolve()

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, 'log-checkpoint')
  }

  async read(): Promise<Checkpoint | null> {
    const note = await readKept(this.#path)
    return note === null ? null : readCheckpoint(readNote(`${note}\n`).text)
  }

  /** On the disk before it is given out. */
  write(note: string): Promise<void> {
    const written = this.#writing.then(() => this.#replace(note))
    this.#writing = written.catch(() => {})
    return written
  }

  async #replace(note: string): Promise<void> {
    const given = readCheckpoint(readNote(note).text)
    const kept = await this.read().catch(() => null)
    if (kept !== null && kept.origin === given.origin && kept.size >= given.size) return
    const unfinished = `${this.#path}.${process.pid}.${performance.now()}`
    const file = await open(unfinished, 'wx', 0o600).catch(error => {
      // With the operator's own database there may be no folder at all: then witnesses alone remember.
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (file === null) return
    try {
      await file.writeFile(note)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, this.#path)
    await syncFolder(dirname(this.#path))
  }
}
