// An evidence package in its one file: the archive is read, and its files are checked. Another program may have packed it
// again, compressed or not, in a folder of any name or in none: only the contents of the files count.

import type { Judge } from '../../core/receipt/verdict.ts'
import { Refusal } from '../../core/refusal.ts'
import { decodeUtf8 } from '../../core/text/utf8.ts'
import { crc32 } from '../zip.ts'
import { type CheckedPackage, checkPackage, type PackageSurroundings, readManifest } from './check.ts'
import { copyPath, manifestPath } from './manifest.ts'
import { packageLimits } from './package-limits.ts'
import { type PackedFile, readZipDirectory } from './zip-directory.ts'

/** Refuses a file that is not a package or cannot be unpacked safely. */
export async function checkPackageFile(
  bytes: Uint8Array<ArrayBuffer>,
  judge: Judge,
  held: Pick<PackageSurroundings, 'kept'> = {},
): Promise<CheckedPackage> {
  if (bytes.length > packageLimits.bytes)
    throw new Refusal('too-large', `it is larger than ${packageLimits.bytes} bytes, and no evidence package is`)
  const packed = insideFolder(readZipDirectory(bytes))
  const found = packed.get(manifestPath)
  if (found === undefined || found.size > packageLimits.manifestBytes) throw notPackage()
  const text = decodeUtf8(await unpack(found))
  const manifest = text === null ? null : readManifest(text)
  if (text === null || manifest === null) throw notPackage()
  const listed = new Set([copyPath, ...manifest.body.files.map(({ path }) => path)])
  const files = new Map([[manifestPath, text]])
  const unreadable: string[] = []
  let copy = ''
  for (const [path, each] of packed) {
    if (path === manifestPath) continue
    // Files outside the list are named and never unpacked.
    const content = listed.has(path) ? decodeUtf8(await unpack(each)) : null
    if (content === null) unreadable.push(path)
    else if (path === copyPath) copy = content
    else files.set(path, content)
  }
  const { subtle, trustedKeys, trustedIssuers = null } = judge
  return checkPackage(files, subtle, { copy, unreadable, trustedKeys, trustedIssuers, ...held })
}

function notPackage(): Refusal {
  return new Refusal('invalid', `this is a ZIP archive, but not an evidence package: it has no ${manifestPath} of one`)
}

/** Paths as the manifest has them: packages are made with one folder around everything. */
function insideFolder(files: readonly PackedFile[]): ReadonlyMap<string, PackedFile> {
  const top = files.some(({ path }) => path === manifestPath)
    ? ''
    : (files.find(({ path }) => path.endsWith(`/${manifestPath}`))?.path.slice(0, -manifestPath.length) ?? '')
  // A file beside the folder keeps its whole path, under which nothing is listed.
  return new Map(files.map(each => [each.path.startsWith(top) ? each.path.slice(top.length) : `../${each.path}`, each]))
}

async function unpack({ path, isDeflated, packed, size, crc }: PackedFile): Promise<Uint8Array> {
  const bytes = isDeflated ? await inflate(path, packed, size) : packed
  if (bytes.length !== size || crc32(bytes) !== crc) throw new Refusal('invalid', `${path} in the archive is damaged`)
  return bytes
}

/** Unpacks at most the size that the archive states, however much there is. */
async function inflate(path: string, packed: Uint8Array<ArrayBuffer>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let at = 0
  try {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (at + read.value.length > size) {
        await reader.cancel()
        break
      }
      bytes.set(read.value, at)
      at += read.value.length
    }
  } catch {
    at = -1
  }
  if (at !== size) throw new Refusal('invalid', `${path} in the archive is damaged`)
  return bytes
}
