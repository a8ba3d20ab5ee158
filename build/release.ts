// `npm run release`: makes everything that is published of a version into release/: the package, the build context of the container
// image, the parts list, the notes, the hashes of all of them and the signature over the hashes. Two runs give the same bytes.
//
//   npm run release -- --key release.key   signs with a secret key of minisign
//   npm run release -- --unsigned          for trying
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { notesOf } from './release/notes.ts'
import { makePartsList } from './release/parts-list.ts'
import { hasMinisign, missingMinisign, signFile } from './release/signature.ts'

const root = join(import.meta.dirname, '..')
const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
}
const { name, version } = product

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    unsigned: { type: 'boolean' },
    out: { type: 'string', default: join(root, 'release') },
  },
})

release(values.out)

function release(out: string): void {
  const { key } = values
  if (key === undefined && values.unsigned !== true)
    throw new Error('a release is signed: name its key with --key, or say --unsigned')
  // What would be missing at the end is told before the work.
  if (key !== undefined && !hasMinisign()) throw new Error(missingMinisign)
  if (key !== undefined && !existsSync(key)) throw new Error(`there is no key ${key}; minisign -G makes one`)
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  run('npm', ['pack', '--silent', '--pack-destination', out], { cwd: root })
  writeFileSync(join(out, `${name}-${version}-image.tgz`), imageContext(join(out, `${name}-${version}.tgz`)))
  const parts = makePartsList(root, name, commitSeconds())
  writeFileSync(join(out, `${name}-${version}.cdx.json`), `${JSON.stringify(parts, null, 2)}\n`)
  writeFileSync(join(out, 'NOTES.md'), notes)
  const hashes = readdirSync(out)
    .sort()
    .map(each => `${sha256(readFileSync(join(out, each)))}  ${each}\n`)
    .join('')
  writeFileSync(join(out, 'SHA256SUMS'), hashes)
  process.stdout.write(hashes)
  if (key === undefined) return
  signFile(join(out, 'SHA256SUMS'), key, `${name} ${version}`)
  process.stdout.write('signed: SHA256SUMS.minisig\n')
}

/** The time of the release: that of its commit, unless SOURCE_DATE_EPOCH says another. */
function commitSeconds(): number {
  const { SOURCE_DATE_EPOCH: given } = process.env
  return Number(given ?? run('git', ['log', '-1', '--format=%ct'], { cwd: root, stdio: 'pipe' }).toString())
}

/** What an image is built from without a network: the package, what it depends on, and the description that puts them in place. */
function imageContext(packed: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'assize-image-'))
  try {
    const app = join(folder, 'app')
    mkdirSync(app)
    run('tar', ['-xzf', packed, '--strip-components=1', '-C', app])
    for (const each of ['package-lock.json', '.npmrc']) cpSync(join(root, each), join(app, each))
    const without = ['--omit=dev', '--omit=optional', '--ignore-scripts', '--prefer-offline', '--silent']
    run('npm', ['ci', ...without], { cwd: app })
    cpSync(join(import.meta.dirname, 'release', 'Containerfile'), join(folder, 'Containerfile'))
    // Whoever packs it, whenever: the same bytes.
    const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+rw,a-s']
    const tar = run('tar', [...same, '-cf', '-', '-C', folder, '.'], { maxBuffer: 1e9, stdio: 'pipe' })
    return gzipSync(tar, { level: 9 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(command: string, words: readonly string[], options: SpawnSyncOptions = {}): Buffer {
  const done = spawnSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'], ...options })
  if (done.status !== 0) throw new Error(`${command} ${words[0]} ended with status ${done.status}`)
  return done.stdout as Buffer
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
