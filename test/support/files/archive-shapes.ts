// Shapes of archives around the same evidence package: those that every program unpacks alike, and those that somebody makes so that two
// programs unpack two things, or one of them something else than what was verified.
import { crc32, deflateRawSync } from 'node:zlib'
import { readSamples } from './damaged-samples.ts'
import { unpackEvidence } from './evidence-package.ts'
import { extraField, writeZip, type ZipEntry } from './zip-writer.ts'

export interface ArchiveShape {
  readonly name: string
  readonly bytes: Buffer
}

const receipt = 'receipts/2024-Q2.json'
const { top, files } = unpackEvidence(readSamples().find(({ name }) => name === 'package-corrected.zip')!.bytes)
const all: readonly ZipEntry[] = [...files].map(([path, body]) => ({ path: `${top}${path}`, body }))
const target = files.has(receipt) ? receipt : [...files.keys()].find(path => path.startsWith('receipts/'))!
const body = files.get(target)!

const changed = (more: Partial<ZipEntry>) =>
  writeZip(all.map(each => (each.path === `${top}${target}` ? { ...each, ...more } : each)))
const everyOne = (more: Partial<ZipEntry>) => writeZip(all.map(each => ({ ...each, ...more })))
const withOther = (...more: ZipEntry[]) => writeZip([...all, ...more])
const shapes = (made: Readonly<Record<string, Buffer>>): readonly ArchiveShape[] =>
  Object.entries(made).map(([name, bytes]) => ({ name, bytes }))

const otherName = Buffer.from(`${top}receipts/2024-Q9.json`)
const unicodePath = extraField(
  0x7075,
  Buffer.concat([Buffer.from([1]), uint32(crc32(Buffer.from(`${top}${target}`))), otherName]),
)
const times = extraField(0x5455, Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0]))
const owner = extraField(0x7875, Buffer.from([1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0]))

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, 4 * i)
  return bytes
}

function patched(bytes: Buffer, change: (copy: Buffer, end: number) => void): Buffer {
  const copy = Buffer.from(bytes)
  change(copy, copy.length - 22)
  return copy
}

const usual = writeZip(all)
const [deflatedSize, crc] = [deflateRawSync(body).length, crc32(Buffer.from(body))]

/** They are what they are, whoever unpacks them. */
export const plainArchives = shapes({
  'as it is made': usual,
  'without a folder': writeZip([...files].map(([path, text]) => ({ path, body: text }))),
  'in a folder of another name': writeZip(
    [...files].map(([path, text]) => ({ path: `Belege März/${path}`, body: text })),
  ),
  'in two folders': writeZip([...files].map(([path, text]) => ({ path: `a/b/${path}`, body: text }))),
  deflated: everyOne({ isDeflated: true }),
  'deflated with an effort': everyOne({ isDeflated: true, flags: 0x0802 }),
  'with sizes behind each file': everyOne({ isDeflated: true, isTrailed: true }),
  'with sizes behind one without a mark': changed({
    isDeflated: true,
    isTrailed: true,
    trailer: uint32(crc, deflatedSize, Buffer.byteLength(body)),
  }),
  'with times and owners': everyOne({
    extra: Buffer.concat([times, owner]),
    localExtra: Buffer.concat([times, owner]),
  }),
  'with its folders': writeZip([{ path: top, body: '' }, { path: `${top}receipts/`, body: '' }, ...all]),
  'from a system without modes': everyOne({ attributes: 0x20 }),
  'marked as text': everyOne({ internal: 1 }),
  'of an older version': everyOne({ version: 10, flags: 0 }),
  'in another order': writeZip(all.toReversed()),
  'with a remark': writeZip(all, { comment: 'packed by somebody' }),
})

/** None of them may be relied on. */
export const deceivingArchives = shapes({
  'a Unicode path in the directory': changed({ extra: unicodePath }),
  'a Unicode path in front of the file': changed({ localExtra: unicodePath }),
  'a Unicode path in both': changed({ extra: unicodePath, localExtra: unicodePath }),
  'a Unicode remark': changed({ extra: extraField(0x6375, Buffer.from('xxxxxremark')) }),
  'sizes of a large archive': changed({ extra: extraField(1, uint32(1, 0, 1, 0)) }),
  'a strong password': changed({ extra: extraField(0x9901, Buffer.from([2, 0, 65, 69, 3, 8, 0])) }),
  'a field of Unix with a link': changed({ extra: extraField(0x000d, Buffer.from('xxxxxxxxxxxx/etc/passwd')) }),
  'a field of ASi with a link': changed({ localExtra: extraField(0x756e, Buffer.from('xxxx/etc/passwd')) }),
  'a field that nobody knows': changed({ extra: extraField(0xbeef, Buffer.from('x')) }),
  'a field behind a good one': changed({ extra: Buffer.concat([times, unicodePath]) }),
  'a field that is cut off': changed({ extra: Buffer.from([0x55, 0x54, 9, 0, 1]) }),
  'half of a field': changed({ extra: Buffer.from([0x55, 0x54]) }),
  'a link': changed({ mode: 0o120777 }),
  'a link without a mode for others': changed({ attributes: 0xa0000000 }),
  'a device': changed({ mode: 0o060644 }),
  'a terminal': changed({ mode: 0o020644 }),
  'a pipe': changed({ mode: 0o010644 }),
  'a socket': changed({ mode: 0o140644 }),
  'a folder by its mode': changed({ mode: 0o040755 }),
  'a folder by its attributes': changed({ attributes: 0x10 }),
  'the name of a disk': changed({ attributes: 8 }),
  'a file by its mode, a folder by its name': withOther({ path: `${top}x/`, body: '', mode: 0o100644 }),
  'a folder with something in it': withOther({ path: `${top}x/`, body: 'y' }),
  'an encrypted file': changed({ flags: 0x0801 }),
  'strong encryption': changed({ flags: 0x0840 }),
  'hidden sizes': changed({ flags: 0x2800 }),
  'a patch': changed({ flags: 0x0820 }),
  'a flag of the future': changed({ flags: 0x8800 }),
  'an effort of what is stored': changed({ flags: 0x0802 }),
  'a version of the future': changed({ version: 45 }),
  'another method': changed({ method: 9 }),
  'another method in front of the file': patched(usual, copy => copy.writeUInt16LE(8, 8)),
  'another flag in front of the file': patched(usual, copy => copy.writeUInt16LE(0, 6)),
  'a remark beside a file': changed({ comment: 'look here' }),
  'unknown attributes': changed({ internal: 2 }),
  'a file on another disk': changed({ disk: 1 }),
  'sizes that follow what is stored': changed({ isTrailed: true }),
  'other sizes behind the file': changed({ isDeflated: true, isTrailed: true, trailer: uint32(0x08074b50, crc, 1, 1) }),
  'sizes of eight bytes behind the file': changed({
    isDeflated: true,
    isTrailed: true,
    trailer: uint32(0x08074b50, crc, deflatedSize, 0, body.length, 0),
  }),
  'something between sizes and the next file': changed({
    isDeflated: true,
    isTrailed: true,
    trailer: Buffer.concat([uint32(0x08074b50, crc, deflatedSize, body.length), Buffer.from('x')]),
  }),
  'another name in front of the file': changed({ localPath: `${top}receipts/2024-Q9.json` }),
  'another letter case in front of the file': changed({ localPath: `${top}${target.toUpperCase()}` }),
  'the same path twice': withOther({ path: `${top}${target}`, body: 'x' }),
  'the same path in other letters': withOther({ path: `${top}${target.toUpperCase()}`, body: 'x' }),
  'a file and a folder of one name': withOther({ path: `${top}${target}/x`, body: 'x' }),
  'a path outside': withOther({ path: `${top}../../evil.js`, body: '' }),
  'a whole path': withOther({ path: '/etc/passwd', body: '' }),
  'a path of Windows': withOther({ path: `${top}..\\evil.js`, body: '' }),
  'a drive': withOther({ path: 'C:/evil.js', body: '' }),
  'a stream of a file': withOther({ path: `${top}x.json:evil`, body: '' }),
  'a name with a point at its end': withOther({ path: `${top}${target}.`, body: 'x' }),
  'a name with a space at its end': withOther({ path: `${top}${target} `, body: 'x' }),
  'a line break in a name': withOther({ path: `${top}a\nb`, body: '' }),
  'a NUL in a name': withOther({ path: `${top}${target}\u0000.txt`, body: '' }),
  'an escape in a name': withOther({ path: `${top}a\u001b[8m`, body: '' }),
  'a C1 sign in a name': withOther({ path: `${top}a\u009b8m`, body: '' }),
  'a mark of direction in a name': withOther({ path: `${top}nosj.\u202etxt`, body: '' }),
  'a sign without width in a name': withOther({ path: `${top}receipts/2024\u200b-Q2.json`, body: '' }),
  'a name in two spellings': withOther({ path: `${top}u\u0308.txt`, body: '' }),
  'a name in letters that are not said': withOther({ path: `${top}ü.txt`, body: '', flags: 0 }),
  'a second directory': secondDirectory(),
  'two ends': writeZip(all, { comment: usual.subarray(-22).toString('latin1') }),
  'one of several parts': patched(usual, (copy, end) => copy.writeUInt16LE(1, end + 4)),
  'more files than are listed': patched(usual, (copy, end) => {
    copy.writeUInt16LE(all.length - 1, end + 8)
    copy.writeUInt16LE(all.length - 1, end + 10)
  }),
})

/** What says where the directory of a large archive is, at the end of a field of the last file. */
function secondDirectory(): Buffer {
  const locator = Buffer.concat([uint32(0x07064b50, 0, 0, 0), uint32(1)])
  const last = all.length - 1
  return writeZip(all.map((each, i) => (i === last ? { ...each, extra: extraField(0x5455, locator) } : each)))
}
