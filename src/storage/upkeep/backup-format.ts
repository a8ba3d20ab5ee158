// The form of a backup: one gzip file of frames, each a letter, a length and its bytes. The header comes first, then each table's
// rows as PostgreSQL's own COPY text with their count and hash, then an end. Last comes a line with the hash of the file, so that
// one that was cut off or damaged is refused before anything is written.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Refusal } from '../../core/refusal.ts'
import type { Instant } from '../../core/time/instant.ts'

export const backupFormat = 'assize-backup/1'

export interface BackupHeader {
  readonly format: typeof backupFormat
  readonly createdAt: Instant
  /** The schema the rows belong to. */
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly checksum: string }[]
  /** Secrets of an embedded installation; null where the operator keeps them. */
  readonly secrets: readonly string[] | null
}

export interface TableStart {
  readonly table: string
  readonly columns: readonly string[]
}

export interface TableSummary {
  readonly table: string
  readonly rows: number
  /** SHA-256 of the rows as COPY text in the order of their primary key. */
  readonly sha256: string
}

interface BackupEnd {
  readonly tables: number
}

export type Frame =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'table'; readonly start: TableStart }
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'summary'; readonly summary: TableSummary }
  | { readonly kind: 'end'; readonly end: BackupEnd }

const letters = { header: 'H', table: 'T', rows: 'D', summary: 'S', end: 'Z' } as const
const headLength = 5
const longestFrame = 64 * 1024 * 1024

export function writeFrame(frame: Frame): Buffer {
  const bytes = frame.kind === 'rows' ? frame.bytes : Buffer.from(JSON.stringify(contentOf(frame)))
  const head = Buffer.alloc(headLength)
  head.write(letters[frame.kind], 'latin1')
  head.writeUInt32BE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

function contentOf(frame: Exclude<Frame, { kind: 'rows' }>): object {
  if (frame.kind === 'header') return frame.header
  if (frame.kind === 'table') return frame.start
  return frame.kind === 'summary' ? frame.summary : frame.end
}

const checksumLine = (sha256: string) => `sha256 ${sha256}\n`
const checksumLength = checksumLine('0'.repeat(64)).length

/** The bytes, followed by the line with their hash. */
export async function* withChecksum(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  yield Buffer.from(checksumLine(hash.digest('hex')))
}

interface FileParts {
  /** Number of bytes before the line with their hash. */
  readonly length: number
  /** Hash in the last line; `null` where there is none: the file is cut off, or no backup. */
  readonly checksum: string | null
}

async function partsOf(file: string): Promise<FileParts> {
  const handle = await open(file).catch(error => {
    throw error.code === 'ENOENT' ? new Refusal('not-found', `there is no file ${file}`) : error
  })
  try {
    const { size } = await handle.stat()
    const length = Math.max(0, size - checksumLength)
    const { buffer } = await handle.read(Buffer.alloc(checksumLength), 0, checksumLength, length)
    const checksum = buffer.toString('latin1')
    const isThere = /^sha256 [0-9a-f]{64}\n$/.test(checksum)
    return isThere ? { length, checksum } : { length: size, checksum: null }
  } finally {
    await handle.close()
  }
}

/** Reads the whole file and refuses a changed one. */
export async function checkBackup(file: string): Promise<BackupHeader> {
  const { length, checksum } = await partsOf(file)
  if (length === 0) throw damaged(file, 'it is empty')
  if (checksum === null) {
    await readBackupHeader(file)
    throw damaged(file, 'it is cut off or damaged')
  }
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file, { end: length - 1 })) hash.update(chunk as Buffer)
  if (checksumLine(hash.digest('hex')) !== checksum)
    throw damaged(file, 'it is damaged: its bytes are not those that were written')
  return readBackupHeader(file)
}

export async function* readFrames(file: string): AsyncGenerator<Frame> {
  const { length } = await partsOf(file)
  const source = createReadStream(file, { end: length - 1 })
  const unpacked = source.pipe(createGunzip())
  source.once('error', error => unpacked.destroy(error))
  try {
    yield* splitFrames(unpacked, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_BUF_ERROR') throw damaged(file, 'it is cut off')
    if (code?.startsWith('Z_')) throw damaged(file, 'it is not a backup of Assize, or it is damaged')
    throw error
  } finally {
    source.destroy()
    unpacked.destroy()
  }
}

async function* splitFrames(unpacked: Readable, file: string): AsyncGenerator<Frame> {
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of unpacked) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (;;) {
      if (held.length < headLength) break
      const length = held.readUInt32BE(1)
      if (length > longestFrame) throw damaged(file, 'not a backup of Assize')
      if (held.length < headLength + length) break
      yield readFrame(String.fromCharCode(held[0]!), held.subarray(headLength, headLength + length), file)
      held = held.subarray(headLength + length)
    }
  }
  if (held.length > 0) throw damaged(file, 'it is cut off')
}

function readFrame(letter: string, bytes: Buffer, file: string): Frame {
  if (letter === letters.rows) return { kind: 'rows', bytes }
  let content: unknown
  try {
    content = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw damaged(file, 'not a backup of Assize')
  }
  if (letter === letters.header) return { kind: 'header', header: content as BackupHeader }
  if (letter === letters.table) return { kind: 'table', start: content as TableStart }
  if (letter === letters.summary) return { kind: 'summary', summary: content as TableSummary }
  if (letter === letters.end) return { kind: 'end', end: content as BackupEnd }
  throw damaged(file, 'not a backup of Assize')
}

export function damaged(file: string, why: string): Refusal {
  return new Refusal('invalid', `${file} cannot be restored: ${why}`)
}

const formatFamily = 'assize-backup/'

async function readBackupHeader(file: string): Promise<BackupHeader> {
  for await (const frame of readFrames(file)) {
    if (frame.kind !== 'header') break
    const { format } = frame.header
    if (format === backupFormat) return frame.header
    if (`${format}`.startsWith(formatFamily))
      throw damaged(file, `it was made by a newer Assize, in the format ${format}; start that one`)
    break
  }
  throw damaged(file, 'not a backup of Assize')
}
