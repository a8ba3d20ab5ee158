// An uploaded file, kept on disk while it is read: in the data folder, readable by this user only, and always removed
// at the end, even after a failure. Only a part of it is in memory at a time.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'

export interface UploadedFile {
  readonly path: string
  /** The first bytes, by which its kind is recognised. */
  readonly head: Buffer
  readonly bytes: number
  remove(): Promise<void>
}

export async function keepUpload(dataFolder: string, file: Readable): Promise<UploadedFile> {
  const folder = join(dataFolder, 'uploads')
  const path = join(folder, randomUUID())
  const remove = () => rm(path, { force: true })
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeLeftovers(folder)
    await pipeline(file, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    const head = await readHead(path)
    if (head.length === 0) throw new Refusal('invalid', 'the file is empty')
    return { path, head, bytes: (await stat(path)).size, remove }
  } catch (error) {
    await remove()
    throw explain(error)
  }
}

/** A refusal for errors that only the operator can fix, in words that can be passed on. */
function explain(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Refusal('unavailable', 'there is no room on the disk for this file; tell the operator of this server')
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return new Refusal('unavailable', 'the folder ASSIZE_DATA cannot be written; tell the operator of this server')
  return error
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(limits.uploadHeadBytes), 0, limits.uploadHeadBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Removes files of a killed server, which could not clean up; no file still being read is this old. */
async function removeLeftovers(folder: string): Promise<void> {
  const oldest = Date.now() - limits.uploadLeftoverMs
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found !== null && found.mtimeMs < oldest) await rm(path, { force: true })
  }
}
