// Where a set of backups is kept: named things that are written once, as a whole or not at all, and never replaced. A folder here;
// storage elsewhere is given in by who can reach it.
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../core/refusal.ts'
import { syncFolder } from '../embedded/kept-file.ts'

interface StoredThing {
  readonly name: string
  readonly bytes: number
}

export interface BackupStore {
  /** In words, for messages: the folder or the address. */
  readonly where: string
  list(): Promise<readonly StoredThing[]>
  /** May begin again from the first byte; `take` has had all of it when this resolves. */
  read(name: string, take: (body: AsyncIterable<Buffer>) => Promise<void>): Promise<void>
  /** Refuses a name that is there. Returns how many bytes there were. */
  write(name: string, body: AsyncIterable<Buffer>): Promise<number>
  remove(name: string): Promise<void>
  /** Where it can be read as a file; `null` where it has to be fetched first. */
  pathOf(name: string): string | null
}

/** Files of mode 0600. */
export class BackupFolder implements BackupStore {
  readonly where: string

  constructor(folder: string) {
    this.where = folder
  }

  async list(): Promise<readonly StoredThing[]> {
    const found: StoredThing[] = []
    const names = await readdir(this.where).catch(error => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    for (const name of names) {
      const handle = await open(join(this.where, name)).catch(() => null)
      const facts = await handle?.stat().finally(() => handle.close())
      if (facts?.isFile()) found.push({ name, bytes: facts.size })
    }
    return found
  }

  async read(name: string, take: (body: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    await take(createReadStream(join(this.where, name)) as AsyncIterable<Buffer>)
  }

  async write(name: string, body: AsyncIterable<Buffer>): Promise<number> {
    await mkdir(this.where, { recursive: true, mode: 0o700 })
    const path = join(this.where, name)
    const unfinished = `${path}.${process.pid}${partialEnding}`
    try {
      const bytes = await writeOut(unfinished, body)
      await link(unfinished, path).catch(error => {
        if (error.code !== 'EEXIST') throw error
        throw new Refusal('conflict', `${path} exists already; a backup never overwrites a file`)
      })
      await syncFolder(this.where)
      return bytes
    } finally {
      await unlink(unfinished).catch(() => {})
    }
  }

  async remove(name: string): Promise<void> {
    await unlink(join(this.where, name))
    await syncFolder(this.where)
  }

  pathOf(name: string): string {
    return join(this.where, name)
  }
}

/** Of a file that is being written, or whose writer was killed. */
const partialEnding = '.partial'

async function writeOut(path: string, body: AsyncIterable<Buffer>): Promise<number> {
  const handle = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const chunk of body) {
      await handle.writeFile(chunk)
      bytes += chunk.length
    }
    await handle.sync()
    return bytes
  } finally {
    await handle.close()
  }
}
