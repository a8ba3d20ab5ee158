// What a release consists of: the parts list follows from the lock file, the signature is one that minisign verifies, the notes are those
// of the version. `npm run release` puts them together.
import { spawnSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { blake2b } from '@noble/hashes/blake2.js'
import { describe, expect, test } from 'vitest'
import { makeReleaseKey, publicLine, readSecretKey, signFile, writeSecretKey } from '../build/release/minisign.ts'
import { notesOf } from '../build/release/notes.ts'
import { type LockFile, makePartsList } from '../build/release/parts-list.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const product = JSON.parse(read('package.json')) as { name: string; version: string; license: string }

describe('the parts list', () => {
  const lock = JSON.parse(read('package-lock.json')) as LockFile
  const list = makePartsList(lock, product)

  test('has every package that runs, once, with its hash and licence, and none that only builds or tests', () => {
    const { dependencies } = lock.packages['']!
    const names = list.components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`))
    for (const name of Object.keys(dependencies!)) expect(names, name).toContain(name)
    expect(names).not.toContain('vitest')
    expect(new Set(list.components.map(({ purl }) => purl)).size).toBe(list.components.length)
    for (const { hashes, licenses, purl } of list.components) {
      expect(hashes, purl).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }])
      expect(licenses, purl).toHaveLength(1)
    }
  })

  test('says for each what it depends on, as Node would find it', () => {
    const known = new Set([...list.components.map(each => each['bom-ref']), `pkg:npm/assize@${product.version}`])
    for (const { ref, dependsOn } of list.dependencies) {
      expect(known, ref).toContain(ref)
      for (const each of dependsOn) expect(known, `${ref} → ${each}`).toContain(each)
    }
    const nested: LockFile = {
      packages: {
        '': { dependencies: { a: '1', b: '1' } },
        'node_modules/a': { version: '1.0.0', dependencies: { b: '2' } },
        'node_modules/a/node_modules/b': { version: '2.0.0' },
        'node_modules/b': { version: '1.0.0' },
        'node_modules/c': { version: '1.0.0', dev: true },
      },
    }
    const { components, dependencies } = makePartsList(nested, product)
    expect(components.map(({ purl }) => purl)).toEqual(['pkg:npm/a@1.0.0', 'pkg:npm/b@1.0.0', 'pkg:npm/b@2.0.0'])
    expect(dependencies.find(({ ref }) => ref === 'pkg:npm/a@1.0.0')!.dependsOn).toEqual(['pkg:npm/b@2.0.0'])
  })

  test('is the same for the same lock file, and has another number for another', () => {
    expect(makePartsList(lock, product)).toEqual(list)
    const other = makePartsList(lock, { ...product, version: '9.9.9' })
    expect(other.serialNumber).not.toBe(list.serialNumber)
    expect(list.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('the signature', () => {
  const key = makeReleaseKey()
  const content = Buffer.from('0123  assize.tgz\n')
  const signed = signFile(key, content, 'assize 0.1.0')

  test('is over the file and over its comment, by the key whose public half is named', () => {
    const [, first, comment, second] = signed.split('\n') as [string, string, string, string]
    const own = Buffer.from(publicLine(key), 'base64')
    const bytes = Buffer.from(first, 'base64')
    expect([bytes.subarray(0, 2).toString(), bytes.subarray(2, 10)]).toEqual(['ED', own.subarray(2, 10)])
    const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), own.subarray(10)])
    const isGood = (text: Uint8Array, signature: Uint8Array) =>
      verify(null, text, createPublicKey({ key: spki, format: 'der', type: 'spki' }), signature)
    expect(isGood(blake2b(content), bytes.subarray(10))).toBe(true)
    expect(isGood(blake2b(Buffer.from('0124  assize.tgz\n')), bytes.subarray(10))).toBe(false)
    const trusted = Buffer.from(comment.slice('trusted comment: '.length))
    expect(isGood(Buffer.concat([bytes.subarray(10), trusted]), Buffer.from(second, 'base64'))).toBe(true)
  })

  test('is the same each time, with a key that was written and read again', () => {
    expect(signFile(readSecretKey(writeSecretKey(key)), content, 'assize 0.1.0')).toBe(signed)
  })

  test('is not made with a key that is damaged or is none', () => {
    const [comment, line] = writeSecretKey(key).split('\n') as [string, string]
    const bytes = Buffer.from(line, 'base64')
    bytes[70]! ^= 1
    expect(() => readSecretKey(`${comment}\n${bytes.toString('base64')}\n`)).toThrow('it is damaged')
    expect(() => readSecretKey('a\nb\n')).toThrow('it is not a secret key of minisign')
  })

  test.skipIf(spawnSync('minisign', ['-v']).error !== undefined)('is verified by minisign itself', () => {
    const folder = mkdtempSync(join(tmpdir(), 'assize-release-'))
    try {
      writeFileSync(join(folder, 'SHA256SUMS'), content)
      writeFileSync(join(folder, 'SHA256SUMS.minisig'), signed)
      const { status, stdout } = spawnSync('minisign', ['-Vm', 'SHA256SUMS', '-P', publicLine(key)], { cwd: folder })
      expect([status, `${stdout}`]).toEqual([0, expect.stringContaining('Trusted comment: assize 0.1.0')])
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test('the notes are the part of the changelog about the version, and a version without one is refused', () => {
  const log = '# Changelog\n\n## 0.2.0\n\n- new\n\n## 0.1.0, not released yet\n\n- old\n'
  expect(notesOf(log, '0.2.0')).toBe('# Assize 0.2.0\n\n- new\n')
  expect(notesOf(log, '0.1.0')).toBe('# Assize 0.1.0\n\n- old\n')
  expect(() => notesOf(log, '0.3.0')).toThrow('CHANGELOG.md has no part for 0.3.0')
  expect(notesOf(read('CHANGELOG.md'), product.version)).toContain('- ')
})
