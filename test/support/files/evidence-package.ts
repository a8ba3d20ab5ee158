// Evidence packages in tests: unpacked into their files, and listed, sealed and copied again as somebody could do who has a key.
import type { Seal } from '../../../src/agreements/seal.ts'
import { formatManifest } from '../../../src/formats/evidence/check.ts'
import {
  formatCopy,
  hashOfManifest,
  listFiles,
  type Manifest,
  sealedText,
} from '../../../src/formats/evidence/manifest.ts'
import { unzip } from './unzip.ts'
import { writeZip } from './zip-writer.ts'

type Files = ReadonlyMap<string, string>

/** The folder that everything is in, with its slash, and the text of each file. */
export function unpackEvidence(archive: Buffer): { readonly top: string; readonly files: Files } {
  const unpacked = unzip(archive)
  const top = `${[...unpacked.keys()][0]!.split('/')[0]}/`
  const files = new Map([...unpacked].map(([path, body]) => [path.slice(top.length), Buffer.from(body).toString()]))
  return { top, files }
}

export function sealedAgain(changed: Files, key: Seal): Files {
  const own = new Map([...changed].filter(([path]) => path !== 'manifest.json' && path !== 'verify-data.js'))
  const { body: before } = JSON.parse(changed.get('manifest.json')!) as Manifest
  const body = { ...before, files: listFiles(own) }
  const hash = hashOfManifest(body)
  own.set('manifest.json', formatManifest({ body, hash, seal: key.sign(sealedText(hash)) }))
  return new Map([...own, ['verify-data.js', formatCopy(own)]])
}

/** As one archive again. */
export function packSealed(changed: Files, key: Seal): Buffer {
  return writeZip([...sealedAgain(changed, key)].map(([path, body]) => ({ path, body })))
}
