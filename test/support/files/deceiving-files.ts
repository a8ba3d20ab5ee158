// Files made to deceive a verifier, the same ones every time: damaged in a place, or changed on purpose and sealed again by a key of their
// maker's own, with hashes that fit; slips and archives alike.
import { isDeepStrictEqual } from 'node:util'
import type { Receipt } from '../../../src/core/receipt/receipt.ts'
import { visibleText } from '../../../src/core/text/foreign-text.ts'
import { Chance } from '../../faults/chance.ts'
import { type DamagedSample, damagedSamples, readSamples } from './damaged-samples.ts'
import { foreignText, placesOf, resealed, slipOf, type WrittenProof } from './foreign-fields.ts'
import type { VerifiedLines } from './verified-lines.ts'

export interface DeceivingFile extends DamagedSample {
  /** What it was made from, where it was not sealed again: if it holds, it says the same. */
  readonly from: Buffer | null
}

export function deceivingFiles(count: number, seed: number): readonly DeceivingFile[] {
  const damaged = damagedSamples(count)
  return Array.from({ length: count }, (_, i) => {
    const chance = new Chance(seed + i)
    const made = chance.pick([resealedText, hostileExpression, damagedSlip, damagedArchive, null] as const)
    if (made !== null) return { ...made(chance), name: `${i}-${made.name}` }
    const { value } = damaged.next()
    if (value === undefined) throw new Error('there are as many damaged samples as files')
    const from = value.damage.endsWith('sealed again')
      ? null
      : readSamples().find(({ name }) => value.name.endsWith(`-${name}`))!
    return { ...value, from: from?.bytes ?? null }
  })
}

const samples = readSamples()
const proofs = samples.filter(({ name, bytes }) => name.endsWith('.json') && !bytes.includes('"issuedAt"'))
const receipts = proofs.filter(({ bytes }) => 'steps' in (JSON.parse(bytes.toString()) as Receipt).body)
const archives = samples.filter(({ name }) => name.endsWith('.zip'))

const oddTexts = [
  '',
  ' ',
  '0',
  '-0',
  '1e9',
  '+1',
  '1/0',
  '0/1',
  '.5',
  'NaN',
  'null',
  '__proto__',
  '../..',
  '\ufeff1',
  '1\u000c',
  '٣',
  '9'.repeat(61),
  '9'.repeat(5_000),
  `${'7'.repeat(70_000)}/3`,
  `1/${'3'.repeat(79_000)}`,
  'x'.repeat(200_000),
  '0001-01-01',
  '9999-12-31',
  '2024-02-30',
  '2024-W53',
  foreignText,
]

function resealedText(chance: Chance): DeceivingFile {
  const { name, bytes } = chance.pick(proofs)
  const tree = JSON.parse(bytes.toString()) as WrittenProof
  const { at, key, path } = chance.pick(placesOf(tree))
  at[key] = chance.pick(oddTexts)
  return {
    name,
    damage: `${path} became ${visibleText(String(at[key]).slice(0, 40))}, sealed again`,
    bytes: written(tree),
    from: null,
  }
}

function hostileExpression(chance: Chance): DeceivingFile {
  const { name, bytes } = chance.pick(receipts)
  const tree = JSON.parse(bytes.toString()) as Receipt
  const step = chance.pick(tree.body.steps) as { expr: string }
  const before = step.expr
  const deep = (open: string, close: string) =>
    `${open.repeat(chance.int(2, 4_000))}1${close.repeat(chance.int(2, 4_000))}`
  step.expr = chance.pick([
    () => Array.from({ length: chance.int(1, 31) }).reduce<string>(inner => `pow(${inner}, 400)`, before),
    () => Array.from({ length: chance.int(1, 31) }).reduce<string>(inner => `pow(${inner}, 365/366, 30)`, before),
    () => `pow(${before} * 1.0000001, ${chance.int(-401, 401)})`,
    () => Array.from({ length: chance.int(1, 1_000) }, () => `pow(${before} * 1.0000001, 400)`).join(' + '),
    () => Array.from({ length: chance.int(1, 3_990) }, () => '1').join(' + '),
    () => Array.from({ length: chance.int(1, 1_900) }, () => '1 < 2').join(' and '),
    () => deep('(', ')'),
    () => deep('not ', ''),
    () => deep('-', ''),
    () => deep('abs(', ')'),
    () => `min(${Array.from({ length: chance.int(1, 3_900) }, () => '1').join(', ')})`,
    () => 'a '.repeat(chance.int(1, 50_000)),
    () => ' '.repeat(chance.int(0, 100_000)),
    () => `${before}\u000c`,
    () => `prev(${before}, 1)`,
  ])()
  return {
    name,
    damage: `an expression of ${step.expr.length} characters: ${step.expr.slice(0, 60)}`,
    bytes: written(tree),
    from: null,
  }
}

function damagedSlip(chance: Chance): DeceivingFile {
  const text = slipOf({ content: chance.pick([null, { text: '{}', salt: '00' }]) })
  const extra = Buffer.from(/^extra (.*)$/m.exec(text)![1]!, 'base64').toString()
  const changed = chance.pick([
    () => text.replace(/^extra .*$/m, `extra ${Buffer.from(otherCharacter(extra, chance)).toString('base64')}`),
    () =>
      text.replace(
        /^extra .*$/m,
        `extra ${Buffer.from(extra.replace(/\d+/, () => '9'.repeat(chance.int(1, 30)))).toString('base64')}`,
      ),
    () => text.slice(0, chance.int(0, text.length)),
    () => otherCharacter(text, chance),
    () => text.repeat(chance.int(2, 20)),
    () => `${text.slice(0, 23)}${'\n'.repeat(chance.int(1, 5_000))}${text.slice(23)}`,
  ])()
  return { name: 'slip.txt', damage: 'a slip', bytes: Buffer.from(changed), from: null }
}

function otherCharacter(text: string, chance: Chance): string {
  const at = chance.int(0, text.length - 1)
  return `${text.slice(0, at)}${chance.pick(['', '0', '|', '\n', ' ', '\u0000', '\u202e', '=', 'é'])}${text.slice(at + 1)}`
}

/** Where an archive says what is in it. */
function damagedArchive(chance: Chance): DeceivingFile {
  const { name, bytes } = chance.pick(archives)
  const changed = Buffer.from(bytes)
  const marks = [0x04034b50, 0x02014b50, 0x06054b50].flatMap(mark => placesOfMark(bytes, mark))
  const [from, at] = [chance.pick(marks), chance.int(0, 45)]
  const place = Math.min(from + at, bytes.length - 1)
  changed[place] = chance.pick([0, 1, 8, 0xff, changed[place]! ^ (1 << chance.int(0, 7))])
  return { name, damage: `byte ${place} became ${changed[place]}`, bytes: changed, from: bytes }
}

function placesOfMark(bytes: Buffer, mark: number): number[] {
  const sought = Buffer.alloc(4)
  sought.writeUInt32LE(mark)
  const found: number[] = []
  for (let at = bytes.indexOf(sought); at >= 0; at = bytes.indexOf(sought, at + 1)) found.push(at)
  return found
}

function written(tree: WrittenProof): Buffer {
  return Buffer.from(JSON.stringify(resealed(tree)))
}

/** What is wrong with a verdict, whatever the file; null where nothing is. */
export function wrongVerdict({ name, bytes, from }: DeceivingFile, { status, lines }: VerifiedLines): string | null {
  if (lines.length === 0) return 'it says nothing'
  const hidden = lines.find(line => visibleText(line) !== line)
  if (hidden !== undefined) return `a line has signs that nobody sees: ${visibleText(hidden)}`
  if (status === 1) {
    const other = lines.find(line => !/^(assize|refused|different|not proven): /.test(line))
    return other === undefined ? null : `it is refused with the line ${other.slice(0, 100)}`
  }
  if (status !== 0) return `its status is ${status}`
  if (!lines[0]!.startsWith('same: ')) return `it holds with the line ${lines[0]}`
  const isOther =
    from !== null && name.endsWith('.json') && !isDeepStrictEqual(JSON.parse(`${bytes}`), JSON.parse(`${from}`))
  return isOther ? 'it was changed, and holds' : null
}

export interface LargeText {
  readonly name: string
  readonly text: string
}

/** Texts of 20 MB, as long as a receipt may be, which cost a reader most for their length. */
export function* largeTexts(): Generator<LargeText> {
  const length = 19_900_000
  const of = (value: string) => `{"body":[${`${value},`.repeat(length / (value.length + 1))}0]}`
  const many = { mappings: '{}', lists: '[]', numbers: '0', texts: '""', escapes: '"\\n"', 'spaced numbers': ' 0 ' }
  for (const [name, value] of Object.entries(many)) yield { name: `many ${name}`, text: of(value) }
  const keys = Array.from({ length: length / 12 }, (_, i) => `"${i.toString(36)}":0`).join()
  yield { name: 'many keys', text: `{"body":{${keys}}}` }
  yield { name: 'one text', text: `{"body":"${'x'.repeat(length)}"}` }
  yield { name: 'one text of escapes', text: `{"body":"${'\\u0041'.repeat(length / 6)}"}` }
  yield { name: 'white space', text: `{"body":${' '.repeat(length)}1}` }
  yield { name: 'lines', text: `{"body":${'\n'.repeat(length)}@}` }
}
