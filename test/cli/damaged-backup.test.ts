// Files that cannot be restored: damaged, cut off, from another program, from a newer Assize. Each is refused with one line
// and status 1, before anything is written.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type BackupHeader, checkBackup, withChecksum, writeFrame } from '../../src/storage/upkeep/backup-format.ts'
import { openCommandHouse, runCommand, spawnProgram } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { isLong, roundsOf, someOf } from '../support/run/long-form.ts'

let file: string
let whole: Buffer
let env: Record<string, string>
const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  const { slug } = await house.makeWorkspace()
  const rows = Array.from({ length: 300 }, (_, i) => `CUSTOM/a,${1700 + i},${i * 7}.5`)
  await house.run([
    'import',
    await house.write('t.csv', `series,period,value\n${rows.join('\n')}\n`),
    '--workspace',
    slug,
  ])
  file = join(await house.write('folder', ''), '..', 'whole.backup')
  expect(await house.run(['backup', file])).toMatchObject({ status: 0 })
  whole = await readFile(file)
  env = { ASSIZE_DATA: join(file, '..', 'never-made') }
})

/** The reason that is given. */
async function refusalOf(content: Buffer): Promise<string> {
  const path = await house.write('damaged', content)
  const { status, out, err } = await runCommand(['restore', path], env)
  expect({ status, out }).toEqual({ status: 1, out: '' })
  expect(existsSync(env.ASSIZE_DATA!)).toBe(false)
  const begin = `assize: ${path} cannot be restored: `
  expect(err.slice(0, begin.length)).toBe(begin)
  expect(err.indexOf('\n')).toBe(err.length - 1)
  return err.slice(begin.length, -1)
}

function flipped(at: number): Buffer {
  const bytes = Buffer.from(whole)
  bytes[at]! ^= 1 << (at % 8)
  return bytes
}

describe('a damaged backup', () => {
  test('is refused if any one bit is changed', async () => {
    await checkBackup(file)
    // The bytes of the beginning and the end, where formats often check nothing; the rest in even steps.
    const [head, tail] = [24, 96]
    const steps = roundsOf('commands', 'bytes between the ends of a backup', 20, 100)
    const between = Array.from(
      { length: steps },
      (_, i) => head + Math.floor((i * (whole.length - head - tail)) / steps),
    )
    const ends = [...whole.keys()].filter(at => at < head || at >= whole.length - tail)
    const places = new Set([...someOf('commands', 'bytes at the ends of a backup', ends, { oneIn: 4 }), ...between])
    expect(places.size).toBeGreaterThanOrEqual(isLong('commands') ? 200 : 50)
    for (const at of places) expect(await refusalOf(flipped(at)), `byte ${at}`).toMatch(/damaged/)
  })

  test('is refused wherever it is cut off, and if something was added', async () => {
    const lengths = [1, 9, 40, whole.length >> 1, whole.length - 73, whole.length - 72, whole.length - 1]
    for (const length of lengths)
      expect(await refusalOf(whole.subarray(0, length)), `${length} bytes`).toMatch(/^it is (cut off|no backup)/)
    expect(await refusalOf(Buffer.alloc(0))).toBe('it is empty')
    expect(await refusalOf(Buffer.concat([whole, Buffer.from('\n')]))).toMatch(/damaged/)
  })

  test('ends the program with status 1 and one line', async () => {
    const path = await house.write('damaged', flipped(whole.length >> 1))
    expect(await spawnProgram(['restore', path], env, '')).toEqual({
      status: 1,
      out: '',
      err: `assize: ${path} cannot be restored: it is damaged: its bytes are not those that were written\n`,
    })
    expect(existsSync(env.ASSIZE_DATA!)).toBe(false)
  })
})

describe('a file that is not a backup of this Assize', () => {
  test.each<[string, Buffer]>([
    ['a text', Buffer.from('series,period,value\nCUSTOM/a,2024,1\n')],
    ['a packed text', gzipSync('series,period,value\nCUSTOM/a,2024,1\n')],
    ['a packed archive', gzipSync(Buffer.alloc(10_240))],
    ['a workbook', Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500, 7)])],
    ['a dump of PostgreSQL', Buffer.concat([Buffer.from('PGDMP\x01\x0e'), Buffer.alloc(500, 1)])],
    ['zeros', Buffer.alloc(5_000)],
  ])('is refused: %s', async (_, content) => {
    expect(await refusalOf(content)).toMatch(/(not a|no) backup of Assize/)
  })

  /** The backup with another header and a correct checksum. */
  async function withHeader(change: (header: BackupHeader) => object): Promise<Buffer> {
    const frames = gunzipSync(whole.subarray(0, -72))
    const length = 5 + frames.readUInt32BE(1)
    const header = JSON.parse(frames.subarray(5, length).toString('utf8')) as BackupHeader
    const changed = { ...header, ...change(header) } as BackupHeader
    const packed = gzipSync(Buffer.concat([writeFrame({ kind: 'header', header: changed }), frames.subarray(length)]))
    return Buffer.concat(await Array.fromAsync(withChecksum(pieces(packed))))
  }

  async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
    yield bytes
  }

  test('is refused if a newer Assize made it, by its schema or its format', async () => {
    const [number, name] = [9999, '9999-of-tomorrow.sql']
    const newer = await withHeader(({ migrations }) => ({
      migrations: [...migrations, { number, name, checksum: 'c' }],
    }))
    const path = await house.write('newer', newer)
    const { status, err } = await runCommand(['restore', path], env)
    expect(status).toBe(1)
    expect(err).toMatch(
      /^assize: the backup \S+ is newer than this program: it has migration 9999-of-tomorrow[^\n]+\n$/,
    )
    expect(await refusalOf(await withHeader(() => ({ format: 'assize-backup/2' })))).toBe(
      'it was made by a newer Assize, in the format assize-backup/2; start that one',
    )
    expect(existsSync(env.ASSIZE_DATA!)).toBe(false)
  })
})
