// The directory of a ZIP archive, read strictly: every byte belongs to one file or to the directory, both descriptions of a
// file agree, no path leaves its folder, none comes twice. An archive that two programs could unpack differently is refused.

import { Refusal } from '../../core/refusal.ts'
import { decodeUtf8 } from '../../core/text/utf8.ts'
import { packageLimits } from './package-limits.ts'

/** A file in an archive, still packed. */
export interface PackedFile {
  readonly path: string
  readonly isDeflated: boolean
  readonly crc: number
  /** Unpacked, as the archive says. */
  readonly size: number
  readonly packed: Uint8Array<ArrayBuffer>
}

/** Whether a file begins as a ZIP archive does, whatever its name is. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)
}

const marks = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const
const lengths = { local: 30, central: 46, end: 22, comment: 0xffff } as const
/** Sizes with this value are written elsewhere, for archives of more than 4 GB. */
const elsewhere = 0xffffffff
const flags = { encrypted: 1, sizesFollow: 8 } as const
/** After a file whose sizes were not known when it was begun: its checksum and sizes, in four forms. */
const trailerLengths: readonly number[] = [12, 16, 20, 24]

function refuse(why: string): never {
  throw new Refusal('invalid', `the archive cannot be relied on: ${why}`)
}

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
  const paths = new Set<string>()
  for (const { path } of listed) {
    if (paths.has(path)) refuse(`${path} is in it twice`)
    paths.add(path)
  }
  const files = locate(view, bytes, listed, directory.start)
  return files.filter(({ path }) => !path.endsWith('/'))
}

/** The last record of the archive, which says where the directory is. Nothing may follow it. */
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
    const each = readOne(view, at, pathOf(bytes.subarray(at + lengths.central, at + lengths.central + nameLength)))
    total += each.size
    if (total > packageLimits.bytes) refuse(`it unpacks to more than ${packageLimits.bytes} bytes`)
    listed.push(each)
    at = next
  }
  if (at !== end) refuse('its directory is damaged')
  return listed
}

function readOne(view: DataView, at: number, path: string): Listed {
  const [flag, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)]
  const [crc, packedSize, size, attributes, offset] = [16, 20, 24, 38, 42].map(each =>
    view.getUint32(at + each, true),
  ) as [number, number, number, number, number]
  if ((flag & flags.encrypted) !== 0) refuse(`${path} is encrypted`)
  if (method !== 0 && method !== 8) refuse(`${path} is packed in a way that packages are not`)
  if ([packedSize, size, offset].includes(elsewhere)) refuse(`${path} is larger than packages are`)
  if (method === 0 && packedSize !== size) refuse(`${path} has two sizes`)
  // The upper half is the mode of a file under Unix.
  if (((attributes >>> 16) & 0xf000) === 0xa000) refuse(`${path} is a link to another file`)
  return { path, isDeflated: method === 8, crc, size, flags: flag, packedSize, offset }
}

function pathOf(bytes: Uint8Array): string {
  if (bytes.length > packageLimits.pathLength) refuse('a path in it is too long')
  const path = decodeUtf8(bytes) ?? refuse('a path in it is not UTF-8')
  const steps = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  const isPlain = steps.every(step => step !== '' && step !== '.' && step !== '..' && !/[\p{Cc}\\:]/u.test(step))
  if (!isPlain) refuse(`${JSON.stringify(path)} is not a path inside a folder`)
  return path
}

/** Each begins where the one before it ends; the description in front of a file says the same as the directory. */
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
    const isTrailed = (each.flags & flags.sizesFollow) !== 0 && trailerLengths.includes(next - over)
    if (over > end) refuse(`${each.path} is cut off`)
    at = isTrailed ? next : over
    const { path, isDeflated, crc, size } = each
    return { path, isDeflated, crc, size, packed: bytes.subarray(start, over) }
  })
  if (at !== end) refuse('something that is not listed is before its directory')
  return found
}

function startOf(view: DataView, bytes: Uint8Array, each: Listed, end: number): number {
  const { offset, path } = each
  if (offset + lengths.local > end || view.getUint32(offset, true) !== marks.local)
    refuse(`${path} is not where it should be`)
  const [flag, method, nameLength, extra] = [6, 8, 26, 28].map(at => view.getUint16(offset + at, true)) as [
    number,
    number,
    number,
    number,
  ]
  const sizes = [14, 18, 22].map(at => view.getUint32(offset + at, true))
  const name = bytes.subarray(offset + lengths.local, offset + lengths.local + nameLength)
  const isUnknown = (each.flags & flags.sizesFollow) !== 0 && sizes.every(size => size === 0)
  const isSame =
    flag === each.flags &&
    (method === 8) === each.isDeflated &&
    pathOf(name) === path &&
    (isUnknown || [each.crc, each.packedSize, each.size].every((size, i) => size === sizes[i]))
  if (!isSame) refuse(`${path} is described in two ways`)
  return offset + lengths.local + nameLength + extra
}
