// What a witness keeps in its folder: its key, and every checkpoint it has signed, each in a file of its own. A checkpoint is on
// the disk before its signature is given away, and of two processes that sign at once one is refused: each file is the next
// number of its log, and a number exists once.
import { createHash, randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Checkpoint, readCheckpoint } from '../../core/proof/checkpoint.ts'
import { isKeyName } from '../../core/proof/note-key.ts'
import type { NoteSigner } from '../../core/proof/note-signature.ts'
import { readNote } from '../../core/proof/signed-note.ts'
import { Refusal } from '../../core/refusal.ts'
import { keepFile, syncFolder } from '../../storage/embedded/kept-file.ts'
import { makeSigner } from '../../storage/proof/note-signer.ts'

interface SignedLast {
  /** How many this witness has signed of the log. */
  readonly number: number
  readonly checkpoint: Checkpoint
  /** With our cosignature. */
  readonly note: string
}

export class WitnessState {
  readonly #folder: string
  readonly signer: NoteSigner

  private constructor(folder: string, signer: NoteSigner) {
    this.#folder = folder
    this.signer = signer
  }

  /** `name` is what the witness is called; it is set once, with the key. */
  static async open(folder: string, name: string | null): Promise<WitnessState> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const named = name ?? `${hostname()}/assize-witness`
    if (!isKeyName(named)) throw new Refusal('misuse', `--name must have no spaces and no "+", got "${named}"`)
    const path = join(folder, 'witness-key')
    const text = await keepFile(path, () => `${named} ${randomBytes(32).toString('base64url')}`)
    const [kept = '', seed = ''] = text.split(' ')
    if (name !== null && name !== kept)
      throw new Refusal(
        'conflict',
        `this witness is called ${kept}; another name is another key and needs another folder`,
      )
    const bytes = Buffer.from(seed, 'base64url')
    if (bytes.length !== 32) throw new Refusal('broken', `${path} is not the key of a witness`)
    return new WitnessState(folder, makeSigner(kept, 'ed25519-cosignature', bytes))
  }

  #folderOf(origin: string): string {
    return join(this.#folder, createHash('sha256').update(origin).digest('hex').slice(0, 32))
  }

  /** Null where nothing of this log was signed yet. */
  async last(origin: string): Promise<SignedLast | null> {
    const folder = this.#folderOf(origin)
    const names = await readdir(folder).catch(ifMissing([]))
    const number = names.reduce((most, name) => Math.max(most, numberOf(name)), 0)
    if (number === 0) return null
    const path = join(folder, fileName(number))
    const note = await readFile(path, 'utf8')
    const checkpoint = readCheckpoint(readNote(note).text)
    if (checkpoint.origin !== origin) throw new Refusal('broken', `${path} is of another log: ${checkpoint.origin}`)
    return { number, checkpoint, note }
  }

  /** False where another process has signed the next one meanwhile: then nothing is kept. */
  async keep(origin: string, after: SignedLast | null, note: string): Promise<boolean> {
    const folder = this.#folderOf(origin)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await syncFolder(this.#folder)
    const unfinished = join(folder, `unfinished.${process.pid}.${performance.now()}`)
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(note)
      await file.sync()
    } finally {
      await file.close()
    }
    try {
      await link(unfinished, join(folder, fileName((after?.number ?? 0) + 1)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      return false
    } finally {
      await unlink(unfinished)
    }
    await syncFolder(folder)
    return true
  }

  /** Two texts that contradict each other, kept as proof. The path of the file. */
  async keepContradiction(signed: string, shown: string): Promise<string> {
    const text = `${signed}\n----\n\n${shown}`
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
    const path = join(this.#folder, `contradiction-${digest}.txt`)
    await keepFile(path, () => text)
    return path
  }
}

function fileName(number: number): string {
  return `${String(number).padStart(10, '0')}.checkpoint`
}

function numberOf(name: string): number {
  const [, digits] = /^(\d{10,})\.checkpoint$/.exec(name) ?? []
  return digits === undefined ? 0 : Number.parseInt(digits, 10)
}

function ifMissing<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return error => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
