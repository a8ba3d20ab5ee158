// The parts list of a release (CycloneDX 1.6): every package that is installed with it, with its licence, the hash of what the registry
// gave and what it depends on. It follows from the lock file alone, so two releases of the same content list the same bytes.
import { createHash } from 'node:crypto'

export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly integrity?: string
  readonly license?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Component {
  readonly type: 'library'
  readonly 'bom-ref': string
  readonly name: string
  readonly group?: string
  readonly version: string
  readonly scope: 'required' | 'optional'
  readonly hashes: readonly { readonly alg: string; readonly content: string }[]
  readonly licenses: readonly { readonly expression: string }[]
  readonly purl: string
}

interface PartsList {
  readonly $schema: string
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.6'
  readonly serialNumber: string
  readonly version: 1
  readonly metadata: { readonly component: Readonly<Record<string, unknown>> }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

/** Of what runs: packages that are only built or tested with are left out. */
export function makePartsList(lock: LockFile, product: { name: string; version: string; license: string }): PartsList {
  const parts = Object.entries(lock.packages).filter(([path, each]) => path !== '' && each.dev !== true)
  const components = new Map<string, Component>()
  for (const [path, each] of parts) {
    const component = componentOf(nameOf(path, each), each)
    const before = components.get(component.purl)
    // The same package may lie in two places; it is required if it is so in one of them.
    if (before === undefined || before.scope === 'optional') components.set(component.purl, component)
  }
  const own = `pkg:npm/${product.name}@${product.version}`
  const edges = new Map<string, Set<string>>([[own, new Set(dependenciesOf(lock, ''))]])
  for (const [path, each] of parts) {
    const ref = purlOf(nameOf(path, each), each.version!)
    edges.set(ref, new Set([...(edges.get(ref) ?? []), ...dependenciesOf(lock, path)]))
  }
  const sorted = [...components.values()].sort((a, b) => compare(a.purl, b.purl))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOver(JSON.stringify([product, sorted]))}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name: product.name,
        version: product.version,
        licenses: [{ expression: product.license }],
        purl: own,
      },
    },
    components: sorted,
    dependencies: [...edges]
      .map(([ref, to]) => ({ ref, dependsOn: [...to].sort(compare) }))
      .sort((a, b) => compare(a.ref, b.ref)),
  }
}

function componentOf(name: string, { version, integrity, license, optional }: LockedPackage): Component {
  const [group, own] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name]
  const purl = purlOf(name, version!)
  return {
    type: 'library',
    'bom-ref': purl,
    name: own,
    ...(group === undefined ? {} : { group }),
    version: version!,
    scope: optional === true ? 'optional' : 'required',
    hashes: integrity === undefined ? [] : [hashOf(integrity)],
    licenses: license === undefined ? [] : [{ expression: license }],
    purl,
  }
}

/** `sha512-…` in base64, as a lock file has it. */
function hashOf(integrity: string): { alg: string; content: string } {
  const [algorithm, base64] = integrity.split(/-(.*)/s) as [string, string]
  return { alg: algorithm.replace(/^sha/, 'SHA-'), content: Buffer.from(base64, 'base64').toString('hex') }
}

function nameOf(path: string, { name }: LockedPackage): string {
  return name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`
}

/** Found as Node finds them: in the folder of who asks, then in each one above it. */
function dependenciesOf({ packages }: LockFile, path: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = packages[path]!
  const found: string[] = []
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
    for (let above: string | null = path; above !== null; above = parentOf(above)) {
      const at = `${above === '' ? '' : `${above}/`}node_modules/${name}`
      const each = packages[at]
      if (each === undefined) continue
      if (each.dev !== true) found.push(purlOf(nameOf(at, each), each.version!))
      break
    }
  return found
}

function parentOf(path: string): string | null {
  if (path === '') return null
  const cut = path.lastIndexOf('/node_modules/')
  return cut === -1 ? '' : path.slice(0, cut)
}

/** Version 8 of RFC 9562: 122 bits of our own choice, here of a hash. */
function uuidOver(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
