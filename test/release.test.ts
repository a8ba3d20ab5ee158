// What a release consists of: the parts list of npm, the signature of minisign, and the notes of the version. `npm run release` puts them
// together.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { notesOf } from '../build/release/notes.ts'
import { makePartsList, type PartsList } from '../build/release/parts-list.ts'
import { hasMinisign, missingMinisign, signFile } from '../build/release/signature.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const product = JSON.parse(read('package.json')) as {
  readonly name: string
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
}

describe('the parts list', () => {
  let list: PartsList
  beforeAll(() => {
    list = makePartsList(root, product.name, 1_772_352_000)
  })

  test('has every package that runs, with its hash and licence, and none that only builds or tests', () => {
    const names = list.components.map(({ name }) => name)
    for (const name of Object.keys(product.dependencies)) expect(names, name).toContain(name)
    // What runs and a package for development depends on as well: npm's own `--omit dev` forgets it.
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: true }> }
    const installed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true)
    expect(new Set(names)).toEqual(new Set(installed.map(([path]) => path.replace(/^.*node_modules\//, ''))))
    expect(names).not.toContain('vitest')
    for (const { hashes, licenses, purl } of list.components) {
      expect(hashes, purl).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }])
      expect(licenses, purl).toHaveLength(1)
    }
    expect(list.metadata.component).toMatchObject({ type: 'application', name: product.name, version: product.version })
  })

  test('is the same in each run over the same commit, and has another number for another', () => {
    expect(list.metadata.timestamp).toBe('2026-03-01T08:00:00.000Z')
    expect(list.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    // As npm would write it elsewhere: from another folder, at another time.
    const elsewhere = mkdtempSync(join(tmpdir(), 'assize-parts-'))
    try {
      for (const name of ['package.json', 'package-lock.json']) writeFileSync(join(elsewhere, name), read(name))
      expect(makePartsList(elsewhere, product.name, 1_772_352_000)).toEqual(list)
      expect(makePartsList(elsewhere, product.name, 1_772_352_001).serialNumber).not.toBe(list.serialNumber)
    } finally {
      rmSync(elsewhere, { recursive: true, force: true })
    }
  })
})

const isThere = hasMinisign()
if (!isThere) process.stderr.write(`test/release: ${missingMinisign}\n`)

describe.skipIf(!isThere)('the signature', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assize-release-'))
  const at = (name: string) => join(folder, name)
  const verifies = () => spawnSync('minisign', ['-Vm', at('SHA256SUMS'), '-p', at('key.pub')], { encoding: 'utf8' })
  beforeAll(() => {
    expect(spawnSync('minisign', ['-G', '-W', '-p', at('key.pub'), '-s', at('key')]).status).toBe(0)
    writeFileSync(at('SHA256SUMS'), '0123  assize.tgz\n')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is over the file and over its comment, and the same each time', () => {
    signFile(at('SHA256SUMS'), at('key'), 'assize 0.1.0')
    const signed = readFileSync(at('SHA256SUMS.minisig'), 'utf8')
    const { status, stdout } = verifies()
    expect([status, stdout]).toEqual([0, expect.stringContaining('Trusted comment: assize 0.1.0')])
    signFile(at('SHA256SUMS'), at('key'), 'assize 0.1.0')
    expect(readFileSync(at('SHA256SUMS.minisig'), 'utf8')).toBe(signed)
    writeFileSync(at('SHA256SUMS.minisig'), signed.replace('assize 0.1.0', 'assize 0.1.1'))
    expect(verifies().status).not.toBe(0)
    writeFileSync(at('SHA256SUMS.minisig'), signed)
    writeFileSync(at('SHA256SUMS'), '0124  assize.tgz\n')
    expect(verifies().status).not.toBe(0)
  })

  test('is not made with a file that is no key', () => {
    writeFileSync(at('none'), 'untrusted comment: no key\nAAAA\n')
    expect(() => signFile(at('SHA256SUMS'), at('none'), 'assize 0.1.0')).toThrow('minisign could not sign')
  })
})

test('the notes are the part of the changelog about the version, and a version without one is refused', () => {
  const log = '# Changelog\n\n## 0.2.0\n\n- new\n\n## 0.1.0, not released yet\n\n- old\n'
  expect(notesOf(log, '0.2.0')).toBe('# Assize 0.2.0\n\n- new\n')
  expect(notesOf(log, '0.1.0')).toBe('# Assize 0.1.0\n\n- old\n')
  expect(() => notesOf(log, '0.3.0')).toThrow('CHANGELOG.md has no part for 0.3.0')
  expect(notesOf(read('CHANGELOG.md'), product.version)).toContain('- ')
})
