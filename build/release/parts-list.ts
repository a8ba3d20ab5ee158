// The parts list of a release: what `npm sbom` says of the lock file (CycloneDX), with a number and a time that follow from its content
// and from the commit, so that two runs over the same checkout give the same bytes.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly scope: 'required' | 'optional'
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses: readonly unknown[]
}

export interface PartsList {
  readonly bomFormat: 'CycloneDX'
  readonly serialNumber: string
  readonly metadata: { readonly timestamp: string; readonly component: Readonly<Record<string, unknown>> }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

interface Manifest {
  devDependencies?: unknown
}

interface LockFile {
  readonly packages: Record<string, Manifest & { readonly dev?: boolean }>
}

/** Packages that only build or test are left out. `madeAt`: seconds since 1970. */
export function makePartsList(folder: string, productName: string, madeAt: number): PartsList {
  const list = JSON.parse(sbomOfRuntime(folder)) as PartsList
  const metadata = {
    ...list.metadata,
    timestamp: new Date(madeAt * 1000).toISOString(),
    // npm gives the name of the folder.
    component: { ...list.metadata.component, name: productName },
  }
  const content = { ...list, serialNumber: '', metadata }
  return { ...content, serialNumber: `urn:uuid:${uuidOver(JSON.stringify(content))}` }
}

/**
 * Over copies of package.json and the lock file without what is only for development: `npm sbom --omit dev` would also leave out packages
 * that run, where one for development depends on them too.
 */
function sbomOfRuntime(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'assize-parts-'))
  try {
    const read = <T>(name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T
    const manifest = read<Manifest>('package.json')
    const lock = read<LockFile>('package-lock.json')
    delete manifest.devDependencies
    delete lock.packages['']!.devDependencies
    const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true))
    writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(copy, 'package-lock.json'), JSON.stringify({ ...lock, packages }))
    const words = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only']
    const { status, stdout, stderr } = spawnSync('npm', words, { cwd: copy, encoding: 'utf8', maxBuffer: 1e8 })
    if (status !== 0) throw new Error(`npm sbom ended with status ${status}: ${stderr}`)
    return stdout
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Of version 8: 122 bits of a hash. */
function uuidOver(text: string): string {
  const hash = createHash('sha256').update(text).digest()
  hash[6] = (hash[6]! & 0x0f) | 0x80
  hash[8] = (hash[8]! & 0x3f) | 0x80
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
