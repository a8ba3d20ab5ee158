// One file of a ZIP archive, read strictly: anything that readers treat differently is refused. Its one name is the one under
// which every program unpacks it; it is a plain file or a folder; nothing renames it, links it, or hides its size.

import { Refusal } from '../../core/refusal.ts'
import { visibleText } from '../../core/text/foreign-text.ts'
import { decodeUtf8 } from '../../core/text/utf8.ts'
import { packageLimits } from './package-limits.ts'

export function refuseArchive(why: string): never {
  throw new Refusal('invalid', `the archive cannot be relied on: ${why}`)
}

const methods = { stored: 0, deflated: 8 } as const

export const flags = { encrypted: 1, sizesFollow: 8, isUtf8: 0x800 } as const
/** The effort of deflating, which changes nothing. */
const effort = 6

/** Deflated files and folders; more is for features that packages have not. */
const newestVersion = 20

/** Sizes with this value are written elsewhere, for archives of more than 4 GB. */
const elsewhere = 0xffffffff

/** Times and owners. All other extra fields can give another name, size or kind, or something that only some programs know. */
const harmlessExtra: readonly number[] = [0x5455, 0x7875, 0x5855, 0x000a]

/** The fields that both descriptions of a file give. */
interface Described {
  readonly path: string
  readonly version: number
  readonly flags: number
  readonly method: number
  readonly packedSize: number
  readonly size: number
}

export function checkDescribed({ path, version, flags: given, method, packedSize, size }: Described): void {
  if ((given & flags.encrypted) !== 0) refuseArchive(`${path} is encrypted`)
  if (method !== methods.stored && method !== methods.deflated)
    refuseArchive(`${path} is packed in a way that packages are not`)
  if ([packedSize, size].includes(elsewhere)) refuseArchive(`${path} is larger than packages are`)
  const known = flags.sizesFollow | flags.isUtf8 | (method === methods.deflated ? effort : 0)
  if ((given & ~known) !== 0 || (version & 0xff) > newestVersion)
    refuseArchive(`${path} needs something that packages do not`)
  if ((given & flags.isUtf8) === 0 && /[^ -~]/.test(path))
    refuseArchive(`${path} does not say in which letters its name is written`)
  if (path.endsWith('/') && size > 0) refuseArchive(`${path} is a folder with something in it`)
}

/** Fields besides its name and its sizes. */
interface DirectoryFields {
  readonly internal: number
  readonly attributes: number
  readonly disk: number
  readonly commentLength: number
}

const unixKind = { mask: 0xf000, file: 0x8000, folder: 0x4000, link: 0xa000 } as const
const dosKind = { label: 8, folder: 0x10 } as const

export function checkKept(path: string, { internal, attributes, disk, commentLength }: DirectoryFields): void {
  const isFolder = path.endsWith('/')
  const kind = (attributes >>> 16) & unixKind.mask
  if (kind === unixKind.link) refuseArchive(`${path} is a link to another file`)
  const isOfKind = kind === 0 || kind === (isFolder ? unixKind.folder : unixKind.file)
  const isDosFolder = (attributes & dosKind.folder) !== 0
  if (!isOfKind || (attributes & dosKind.label) !== 0 || (isDosFolder && !isFolder))
    refuseArchive(`${path} is neither a file nor a folder, or both`)
  if (disk !== 0) refuseArchive('it is one of several parts')
  if (commentLength > 0 || internal > 1) refuseArchive(`${path} has something beside it that packages have not`)
}

export function checkExtra(path: string, extra: DataView): void {
  let at = 0
  while (at + 4 <= extra.byteLength) {
    if (!harmlessExtra.includes(extra.getUint16(at, true)))
      refuseArchive(`${path} has a field that not every program reads`)
    at += 4 + extra.getUint16(at + 2, true)
  }
  if (at !== extra.byteLength) refuseArchive(`${path} has fields that are cut off`)
}

/** A path: refuses names that some system changes when it unpacks them. */
export function pathOf(bytes: Uint8Array): string {
  if (bytes.length > packageLimits.pathLength) refuseArchive('a path in it is too long')
  const path = decodeUtf8(bytes) ?? refuseArchive('a path in it is not UTF-8')
  const steps = (path.endsWith('/') ? path.slice(0, -1) : path).split('/')
  const isPlain = steps.every(step => step !== '' && !/[\\:*?"<>|]|[. ]$/.test(step))
  if (!isPlain || visibleText(path) !== path || path.normalize() !== path)
    refuseArchive(`${JSON.stringify(path)} is not a path inside a folder`)
  return path
}

/** Refuses paths that are equal on some systems. */
export function checkDistinct(paths: readonly string[]): void {
  const folders = new Set(paths.flatMap(foldersOf))
  const seen = new Set<string>()
  for (const path of paths) {
    const plain = lowered(path)
    if (seen.has(plain)) refuseArchive(`${path} is in it twice`)
    if (folders.has(`${plain}/`)) refuseArchive(`${path} is a file and a folder`)
    seen.add(plain)
  }
}

function foldersOf(path: string): string[] {
  const plain = lowered(path)
  return [...plain.matchAll(/\//g)].map(({ index }) => plain.slice(0, index + 1))
}

function lowered(path: string): string {
  return path.replaceAll(/[A-Z]/g, letter => letter.toLowerCase())
}
