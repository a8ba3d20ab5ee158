// `verify` of an archive that was cut, lies about itself or unpacks to too much, and of files that are no evidence package.
import { beforeAll, describe, expect, test } from 'vitest'
import { writeZip, type ZipEntry } from '../support/files/zip-writer.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { packageHouse } from '../support/houses/package-house.ts'
import { onlyLong } from '../support/run/long-form.ts'

const kept = packageHouse({
  isEachJudged: onlyLong('packages', 'packages of tests, by both verifiers, instead of one in three'),
})
const { verify, expectRefused, entriesOf } = kept
let archive: Buffer
let files: ReadonlyMap<string, string>
let top: string
beforeAll(() => {
  ;({ archive, files, top } = kept)
})

describe('an archive', () => {
  test('is refused if its archive is cut, lies about itself, or could be unpacked in two ways', async () => {
    const all = entriesOf(files)
    const changed = (path: string, more: Partial<ZipEntry>) =>
      all.map(each => (each.path === `${top}${path}` ? { ...each, ...more } : each))
    const receipt = 'receipts/2024-Q2.json'
    const body = files.get(receipt)!
    for (const [how, forged, words] of [
      ['cut in half', archive.subarray(0, archive.length / 2), /this is not a whole ZIP archive/],
      ['without its last byte', archive.subarray(0, -1), /this is not a whole ZIP archive/],
      ['with something behind', writeZip(all, { after: Buffer.from('x') }), /this is not a whole ZIP archive/],
      [
        'without its beginning',
        Buffer.concat([Buffer.from('PK\u0003\u0004'), archive.subarray(400)]),
        /cannot be relied on/,
      ],
      [
        'with something in front',
        writeZip(all, { before: Buffer.from('PK\u0003\u0004 in front') }),
        /something that is not listed/,
      ],
      [
        'the same path twice',
        writeZip([...all, { path: `${top}${receipt}`, body: body.replace('106.0', '1') }]),
        /is in it twice/,
      ],
      [
        'two names',
        writeZip(changed(receipt, { localPath: `${top}receipts/2024-Q9.json` })),
        /is described in two ways/,
      ],
      [
        'a path outside',
        writeZip([...all, { path: `${top}../../evil.js`, body: '' }]),
        /is not a path inside a folder/,
      ],
      ['a whole path', writeZip([...all, { path: '/etc/passwd', body: '' }]), /is not a path inside a folder/],
      [
        'a path of Windows',
        writeZip([...all, { path: `${top}..\\evil.js`, body: '' }]),
        /is not a path inside a folder/,
      ],
      ['a drive', writeZip([...all, { path: 'C:/evil.js', body: '' }]), /is not a path inside a folder/],
      ['a link', writeZip(changed(receipt, { mode: 0o120777 })), /is a link to another file/],
      ['a password', writeZip(changed(receipt, { flags: 0x0801 })), /is encrypted/],
      ['a wrong checksum', writeZip(changed(receipt, { crc: 1 })), /is damaged/],
      ['a size that is too small', writeZip(changed(receipt, { isDeflated: true, size: 10 })), /is damaged/],
      [
        'a size that is too large',
        writeZip(changed(receipt, { isDeflated: true, size: body.length + 1 })),
        /is damaged/,
      ],
      [
        '4 GB',
        writeZip(changed(receipt, { isDeflated: true, size: 0xfffffffe })),
        /it unpacks to more than 200000000 bytes/,
      ],
      [
        'a file beside the folder',
        writeZip([...all, { path: 'note.txt', body: '' }]),
        /note\.txt does not belong to it/,
      ],
    ] as const)
      await expectRefused(forged, words, how)
  })

  test('is never unpacked further than its list says', async () => {
    // It would be found damaged if anybody looked inside.
    const bomb = { path: `${top}bomb.txt`, body: Buffer.alloc(1_000_000), isDeflated: true, crc: 1 }
    const { err } = await verify(writeZip([...entriesOf(files), bomb]))
    expect(err).toBe('refused: Every file as it was sealed: bomb.txt does not belong to it\n')
  })
})

describe('another file', () => {
  test('is said not to be a package', async () => {
    const plain = writeZip([{ path: 'xl/workbook.xml', body: '<workbook/>' }])
    for (const [content, words] of [
      [plain, 'this is a ZIP archive, but not an evidence package: it has no manifest.json of one'],
      [writeZip([{ path: 'manifest.json', body: '{"manifest_version":3}' }]), 'not an evidence package'],
      [writeZip([{ path: 'manifest.json', body: '{"body":{"format":"assize-evidence/1","files":[null]}}' }]), 'not an'],
      [writeZip([]), 'not an evidence package'],
      [Buffer.from('PK\u0003\u0004'), 'this is not a whole ZIP archive: its directory is missing'],
    ] as const) {
      const { status, out, err } = await verify(content)
      expect([status, out]).toEqual([1, ''])
      expect(err).toContain(words)
    }
    const json = await verify(plain, '--json')
    expect([json.status, JSON.parse(json.out)]).toEqual([
      1,
      { error: expect.stringContaining('not an evidence package') },
    ])
    expect((await runCommand(['verify', 'a.zip', 'b.zip'], {})).status).toBe(2)
    expect((await runCommand(['verify', 'a.zip', '--nonsense'], {})).status).toBe(2)
  })
})
