// Reads a log from where it is served (C2SP `tlog-tiles`): its checkpoint, and tiles for proofs.
import type { ReadTiles } from '../core/proof/merkle-proof.ts'
import { fullTile, tilePath } from '../core/proof/tile.ts'
import { Refusal } from '../core/refusal.ts'
import type { Ask } from './bounded-request.ts'

interface LogReader {
  readCheckpoint(): Promise<string>
  readonly readTiles: ReadTiles
}

/** `url` is what `/checkpoint` and `/tile/…` follow. */
export function openLogReader(ask: Ask, url: string): LogReader {
  const prefix = url.replace(/\/$/, '')
  const read = async (path: string): Promise<Buffer | null> => {
    const { status, bytes } = await ask(`${prefix}/${path}`)
    if (status === 404) return null
    if (status !== 200) throw new Refusal('unavailable', `${prefix}/${path} answers ${status}`)
    return bytes
  }
  const needed = async (path: string): Promise<Buffer> => {
    const bytes = await read(path)
    if (bytes === null) throw new Refusal('unavailable', `${prefix}/${path} is not there`)
    return bytes
  }
  return {
    readCheckpoint: async () => (await needed('checkpoint')).toString('utf8'),
    // A log may give up a partial tile once the tile is full.
    readTiles: tiles =>
      Promise.all(
        tiles.map(async tile => (await read(tilePath(tile))) ?? needed(tilePath({ ...tile, width: fullTile }))),
      ),
  }
}
