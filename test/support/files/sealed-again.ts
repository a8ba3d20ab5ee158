// Files of proof as somebody makes them who has a key of their own: what they like is in them, and every hash and seal is made again.
import { inflateRawSync } from 'node:zlib'
import type { ChangeReceipt } from '../../../src/core/index-changes/change-receipt.ts'
import { hashOf, type Receipt } from '../../../src/core/receipt/receipt.ts'
import { sha256 } from '../../../src/core/text/sha256.ts'
import type { CorrectionReceipt } from '../../../src/core/true-up/correction-receipt.ts'
import { writeManifest } from '../../../src/formats/evidence/check.ts'
import {
  copyPath,
  hashOfManifest,
  type Manifest,
  manifestPath,
  sealedText,
  writeCopy,
} from '../../../src/formats/evidence/manifest.ts'
import { readZipDirectory } from '../../../src/formats/evidence/zip-directory.ts'
import { goldenSeal } from '../../golden/make.ts'
import { writeZip } from './zip-writer.ts'

type Written = Receipt | CorrectionReceipt | ChangeReceipt

/** Signatures by password and session follow the new hash: the seal alone vouches for them. */
export function sealedAgain(given: Written): Buffer {
  const hash = hashOf(given.body)
  const follow = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replaceAll(`"${given.hash}"`, `"${hash}"`)) as T
  const tree = { ...given, hash, signatures: follow(given.signatures) }
  return Buffer.from(`${JSON.stringify(sealOf(tree), null, 1)}\n`)
}

function sealOf(tree: Written): Written {
  if (tree.body.format === 'assize-correction/1') return goldenSeal.issueCorrection(tree as CorrectionReceipt)
  if (tree.body.format.startsWith('assize-receipt/')) return goldenSeal.issue(tree as Receipt)
  return goldenSeal.issueChange(tree as ChangeReceipt)
}

export type PackageFiles = Map<string, string>

export function filesOfPackage(archive: Buffer): { readonly top: string; readonly files: PackageFiles } {
  const packed = readZipDirectory(Buffer.from(archive))
  const top = packed.find(({ path }) => path.endsWith(manifestPath))!.path.slice(0, -manifestPath.length)
  const files = packed.map(({ path, packed: bytes, isDeflated }) => {
    const body = isDeflated ? inflateRawSync(bytes) : Buffer.from(bytes)
    return [path.slice(top.length), body.toString()] as const
  })
  return { top, files: new Map(files) }
}

/** Its list is written anew over what is in it. */
export function packedAgain(top: string, given: PackageFiles, change: (body: Manifest['body']) => object): Buffer {
  const files = new Map(given)
  const { body: before } = JSON.parse(files.get(manifestPath)!) as Manifest
  const body = change({
    ...before,
    files: before.files.map(each => ({ ...each, sha256: sha256(files.get(each.path) ?? '') })),
  }) as Manifest['body']
  const hash = hashOfManifest(body)
  files.set(manifestPath, writeManifest({ body, hash, seal: goldenSeal.sign(sealedText(hash)) }))
  files.delete(copyPath)
  files.set(copyPath, writeCopy(files))
  return writeZip([...files].map(([path, content]) => ({ path: `${top}${path}`, body: content })))
}
