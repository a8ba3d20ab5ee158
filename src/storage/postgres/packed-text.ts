// Stored texts: packed with gzip, under the hash of the text itself.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

export interface PackedText {
  readonly sha256: Buffer
  readonly packed: Buffer
  /** Bytes before packing. */
  readonly size: number
}

export async function packText(text: string): Promise<PackedText> {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest()
  return { sha256, packed: await promisify(gzip)(bytes), size: bytes.length }
}

export async function unpackText(packed: Buffer): Promise<{ readonly text: string; readonly sha256: Buffer }> {
  const bytes = await promisify(gunzip)(packed)
  return { text: bytes.toString('utf8'), sha256: createHash('sha256').update(bytes).digest() }
}
