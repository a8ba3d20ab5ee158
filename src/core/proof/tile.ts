// Tiles as C2SP `tlog-tiles` names them: rows of 256 hashes of a tree, each level the roots of the full tiles below, and
// bundles of the entries themselves. A tile that is full never changes; the last one of a level may be partial.
import { Refusal } from '../refusal.ts'

export const fullTile = 256

/** `entries` are the bundles, which are numbered like the tiles of level 0. */
export type TileLevel = number | 'entries'

export interface Tile<Level extends TileLevel = number> {
  readonly level: Level
  readonly index: number
  /** The number of its hashes or entries, from 1 to 256. */
  readonly width: number
}

const highestLevel = 63

/** The width of a tile in a tree of that size; 0 where the tree has none at that place. */
export function tileWidth(size: number, level: TileLevel, index: number): number {
  const hashes = Math.floor(size / fullTile ** (level === 'entries' ? 0 : level))
  return Math.max(0, Math.min(fullTile, hashes - index * fullTile))
}

/** A path such as `tile/1/x001/234.p/5`, relative to the place where a log is served. */
export function tilePath({ level, index, width }: Tile<TileLevel>): string {
  const digits = String(index)
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0')
  const groups = padded.match(/\d{3}/g)!
  const number = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${number}${width < fullTile ? `.p/${width}` : ''}`
}

/** The tile; null for anything but the one spelling of a tile's path. */
export function readTilePath(path: string): Tile<TileLevel> | null {
  const parts = /^tile\/(entries|\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path)
  if (parts === null) return null
  const level: TileLevel = parts[1] === 'entries' ? 'entries' : Number.parseInt(parts[1]!, 10)
  const index = Number.parseInt(parts[2]!.replaceAll(/[x/]/g, ''), 10)
  const width = parts[3] === undefined ? fullTile : Number.parseInt(parts[3], 10)
  const tile = { level, index, width }
  const isTile = level === 'entries' || level <= highestLevel
  return isTile && Number.isSafeInteger(index) && width > 0 && tilePath(tile) === path ? tile : null
}

const longestEntry = 0xffff

/** Writes each entry after its length in two bytes, the higher one first. */
export function writeBundle(entries: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(entries.reduce((total, { length }) => total + 2 + length, 0))
  let at = 0
  for (const entry of entries) {
    if (entry.length > longestEntry) throw new Error(`an entry of a log has at most ${longestEntry} bytes`)
    bytes.set([entry.length >> 8, entry.length & 0xff], at)
    bytes.set(entry, at + 2)
    at += 2 + entry.length
  }
  return bytes
}

export function readBundle(bytes: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = at + 2 + bytes[at]! * 256 + (bytes[at + 1] ?? 0)
    if (end > bytes.length) throw new Refusal('unreadable', 'the bundle of entries ends within an entry')
    entries.push(bytes.subarray(at + 2, end))
    at = end
  }
  return entries
}
