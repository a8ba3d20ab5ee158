// `npm run release`: makes everything that is published of a version into release/: the package, the build context of the container
// image, the parts list, the notes, the hashes of all of them and the signature over the hashes. Two runs give the same bytes.
//
//   npm run release -- --key release.key     signs with a secret key in the format of minisign
//   npm run release -- --new-key release.key makes such a key and prints its public half
//   npm run release -- --unsigned            for trying
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { makeReleaseKey, publicLine, readSecretKey, signFile, writeSecretKey } from './release/minisign.ts'
import { notesOf } from './release/notes.ts'
import { type LockFile, makePartsList } from './release/parts-list.ts'

const root = join(import.meta.dirname, '..')
const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  version: string
  license: string
}
const { name, version } = product

const { values } = parseArgs({
  options: {
    key: { type: 'string' },
    'new-key': { type: 'string' },
    unsigned: { type: 'boolean' },
    out: { type: 'string', default: join(root, 'release') },
  },
})

if (values['new-key'] === undefined) release(values.out)
else newKey(values['new-key'])

function newKey(path: string): void {
  if (existsSync(path)) throw new Error(`${path} is there already`)
  const key = makeReleaseKey()
  writeFileSync(path, writeSecretKey(key), { mode: 0o600 })
  process.stdout.write(`${publicLine(key)}\n`)
}

function release(out: string): void {
  if (values.key === undefined && values.unsigned !== true)
    throw new Error('a release is signed: name its key with --key, or say --unsigned')
  // A key that cannot be used is told before the work.
  const key = values.key === undefined ? null : readSecretKey(readFileSync(values.key, 'utf8'))
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  run('npm', ['pack', '--silent', '--pack-destination', out], { cwd: root })
  writeFileSync(join(out, `${name}-${version}-image.tgz`), imageContext(join(out, `${name}-${version}.tgz`)))
  writeFileSync(join(out, `${name}-${version}.cdx.json`), `${JSON.stringify(makePartsList(lock, product), null, 2)}\n`)
  writeFileSync(join(out, 'NOTES.md'), notes)
  const hashes = readdirSync(out)
    .sort()
    .map(each => `${sha256(readFileSync(join(out, each)))}  ${each}\n`)
    .join('')
  writeFileSync(join(out, 'SHA256SUMS'), hashes)
  if (key !== null)
    writeFileSync(join(out, 'SHA256SUMS.minisig'), signFile(key, Buffer.from(hashes), `${name} ${version}`))
  process.stdout.write(hashes)
  if (key !== null) process.stdout.write(`signed; minisign -Vm SHA256SUMS -P ${publicLine(key)}\n`)
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
