// The directory of a ZIP archive, read strictly: every byte belongs to one file or to the directory, both descriptions of a
// file agree, no path leaves its folder, none comes twice. An archive that two programs could unpack differently is refused.

import { Refusal } from '../../core/refusal.ts'
import { packageLimits } from './package-limits.ts'
import {
  checkDescribed,
  checkDistinct,
  checkExtra,
  checkKept,
  flags,
  pathOf,
  refuseArchive as refuse,
} from './zip-entry.ts'

/** A file in an archive, still packed. */
export interface PackedFile {
  readonly path: string
  readonly isDeflated: boolean
  readonly crc: number
  /** The unpacked size that the archive gives. */
  readonly size: number
  readonly packed: Uint8Array<ArrayBuffer>
}

/** Whether a file begins like a ZIP archive, whatever its name is. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)
}

const marks = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  follows: 0x08074b50,
  large: 0x07064b50,
} as const
const lengths = { local: 30, central: 46, end: 22, large: 20, comment: 0xffff } as const

interface Directory {
  readonly start: number
  readonly end: number
  readonly count: number
}

/** A file as the directory lists it. */
interface Listed extends Omit<PackedFile, 'packed'> {
  readonly flags: number
  readonly packedSize: number
  readonly offset: number
}

/** Folders themselves are left out. */
export function readZipDirectory(bytes: Uint8Array<ArrayBuffer>): readonly PackedFile[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const directory = findDirectory(view)
  const listed = readListed(view, bytes, directory)
  checkDistinct(listed.map(({ path }) => path))
  const files = locate(view, bytes, listed, directory.start)
  return files.filter(({ path }) => !path.endsWith('/'))
}

/** Finds the last record of the archive, which gives the place of the directory. Nothing may follow it. */
function findDirectory(view: DataView): Directory {
  const first = Math.max(0, view.byteLength - lengths.end - lengths.comment)
  for (let at = view.byteLength - lengths.end; at >= first; at--) {
    if (view.getUint32(at, true) !== marks.end) continue
    const [count, size, start] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 12, true),
      view.getUint32(at + 16, true),
    ]
    if (at + lengths.end + view.getUint16(at + 20, true) !== view.byteLength) continue
    if (view.getUint16(at + 8, true) !== count || view.getUint32(at + 4, true) !== 0)
      refuse('it is one of several parts')
    if (start + size !== at) refuse('its directory is not where it should be')
    if (at >= lengths.large && view.getUint32(at - lengths.large, true) === marks.large)
      refuse('it has a second directory')
    for (let other = at + 4; other + 4 <= view.byteLength; other++)
      if (view.getUint32(other, true) === marks.end) refuse('it has two ends')
    if (count > packageLimits.files) refuse(`it has more than ${packageLimits.files} files`)
    return { start, end: at, count }
  }
  throw new Refusal('invalid', 'this is not a whole ZIP archive: its directory is missing')
}

function readListed(view: DataView, bytes: Uint8Array, { start, end, count }: Directory): readonly Listed[] {
  const listed: Listed[] = []
  let at = start
  let total = 0
  for (let left = count; left > 0; left--) {
    if (at + lengths.central > end || view.getUint32(at, true) !== marks.central) refuse('its directory is damaged')
    const [nameLength, extra, comment] = [28, 30, 32].map(each => view.getUint16(at + each, true)) as [
      number,
      number,
      number,
    ]
    const next = at + lengths.central + nameLength + extra + comment
    if (next > end) refuse('its directory is damaged')
    const nameEnd = at + lengths.central + nameLength
    const each = readOne(view, at, pathOf(bytes.subarray(at + lengths.central, nameEnd)), comment)
    checkExtra(each.path, new DataView(view.buffer, view.byteOffset + nameEnd, extra))
    total += each.size
    if (total > packageLimits.bytes) refuse(`it unpacks to more than ${packageLimits.bytes} bytes`)
    listed.push(each)
    at = next
  }
  if (at !== end) refuse('its directory is damaged')
  return listed
}

function readOne(view: DataView, at: number, path: string, commentLength: number): Listed {
  const [version, flag, method, disk, internal] = [6, 8, 10, 34, 36].map(each => view.getUint16(at + each, true)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const [crc, packedSize, size, attributes, offset] = [16, 20, 24, 38, 42].map(each =>
    view.getUint32(at + each, true),
  ) as [number, number, number, number, number]
  checkDescribed({ path, version, flags: flag, method, packedSize, size })
  checkKept(path, { internal, attributes, disk, commentLength })
  if (method === 0 && packedSize !== size) refuse(`${path} has two sizes`)
  return { path, isDeflated: method === 8, crc, size, flags: flag, packedSize, offset }
}

/**
 * Places of the files: each begins where the one before it ends, and the description in front of it agrees with the directory.
 */
function locate(
  view: DataView,
  bytes: Uint8Array<ArrayBuffer>,
  listed: readonly Listed[],
  end: number,
): readonly PackedFile[] {
  const inOrder = listed.toSorted((a, b) => a.offset - b.offset)
  let at = 0
  const found = inOrder.map((each, i): PackedFile => {
    if (each.offset !== at) refuse(`something that is not listed, or two files at once, is before ${each.path}`)
    const start = startOf(view, bytes, each, end)
    const over = start + each.packedSize
    const next = inOrder[i + 1]?.offset ?? end
    if (over > end) refuse(`${each.path} is cut off`)
    at = over + sizesBehind(view, each, over, next)
    const { path, isDeflated, crc, size } = each
    return { path, isDeflated, crc, size, packed: bytes.subarray(start, over) }
  })
  if (at !== end) refuse('something that is not listed is before its directory')
  return found
}

/** The length of the second copy of checksum and sizes behind a file, with or without a mark. */
function sizesBehind(view: DataView, { path, flags: flag, ...each }: Listed, over: number, next: number): number {
  if ((flag & flags.sizesFollow) === 0 || over === next) return 0
  const sizes = [each.crc, each.packedSize, each.size]
  const said = next - over === 16 ? [marks.follows, ...sizes] : sizes
  if (next - over !== 4 * said.length || said.some((value, i) => view.getUint32(over + 4 * i, true) !== value))
    refuse(`${path} is described in two ways`)
  return next - over
}

function startOf(view: DataView, bytes: Uint8Array, each: Listed, end: number): number {
  const { offset, path, size } = each
  if (offset + lengths.local > end || view.getUint32(offset, true) !== marks.local)
    refuse(`${path} is not where it should be`)
  const [version, flag, method, nameLength, extra] = [4, 6, 8, 26, 28].map(at => view.getUint16(offset + at, true)) as [
    number,
    number,
    number,
    number,
    number,
  ]
  const sizes = [14, 18, 22].map(at => view.getUint32(offset + at, true))
  const nameEnd = offset + lengths.local + nameLength
  if (nameEnd + extra > end) refuse(`${path} is cut off`)
  // A stored file needs its size in front: a program that unpacks a stream would not find its end.
  const isUnknown = (each.flags & flags.sizesFollow) !== 0 && sizes.every(value => value === 0)
  const isSame =
    flag === each.flags &&
    method === (each.isDeflated ? 8 : 0) &&
    pathOf(bytes.subarray(offset + lengths.local, nameEnd)) === path &&
    ((isUnknown && (each.isDeflated || size === 0)) ||
      [each.crc, each.packedSize, size].every((value, i) => value === sizes[i]))
  if (!isSame) refuse(`${path} is described in two ways`)
  checkDescribed({ path, version, flags: flag, method, packedSize: each.packedSize, size })
  checkExtra(path, new DataView(view.buffer, view.byteOffset + nameEnd, extra))
  return nameEnd + extra
}
