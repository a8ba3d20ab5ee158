// Damaged receipts, corrections, changes of terms and packages, the same ones every time: one bit, one figure, one signature or one
// part of a sample each. Two verifiers that are right say the same about all of them.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateRawSync } from 'node:zlib'
import { hashOf, type Receipt } from '../../../src/core/receipt/receipt.ts'
import { receiptFormat } from '../../../src/core/receipt/receipt-schema.ts'
import { readZipDirectory } from '../../../src/formats/evidence/zip-directory.ts'
import { goldenSeal } from '../../golden/make.ts'
import { writeZip } from './zip-writer.ts'

const golden = fileURLToPath(new URL('../../golden/', import.meta.url))

export interface Sample {
  readonly name: string
  readonly bytes: Buffer
}

/** The golden receipts, and what stands beside them. */
export function readSamples(): readonly Sample[] {
  return ['receipts', 'samples'].flatMap(folder =>
    readdirSync(`${golden}${folder}`)
      .filter(name => /\.(json|zip)$/.test(name))
      .sort()
      .map(name => ({ name, bytes: readFileSync(`${golden}${folder}/${name}`) })),
  )
}

export interface DamagedSample extends Sample {
  /** In a few words. */
  readonly damage: string
}

/** Whole numbers from 0 up to a bound, in a fixed order. */
type Draw = (below: number) => number

function drawing(seed: number): Draw {
  let state = seed >>> 0
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

export function* damagedSamples(count: number): Generator<DamagedSample> {
  const samples = readSamples()
  for (let i = 0; i < count; i++) {
    const sample = samples[i % samples.length]!
    const draw = drawing(i * 7919 + 1)
    const { damage, bytes } = sample.name.endsWith('.zip') ? damagePackage(sample, draw) : damageText(sample, draw)
    yield { name: `${i.toString().padStart(5, '0')}-${sample.name}`, damage, bytes }
  }
}

interface Damage {
  readonly damage: string
  readonly bytes: Buffer
}

function damageText({ bytes }: Sample, draw: Draw): Damage {
  const kind = draw(5)
  if (kind === 0) return flipBit(bytes, draw)
  const tree = JSON.parse(bytes.toString()) as Receipt
  if (kind === 1) return changeLeaf(tree, draw, isSignature, otherCharacter)
  if (kind === 2) return changeShape(tree, draw)
  if (kind === 3 || tree.body.format !== receiptFormat) return changeLeaf(tree, draw, isFigure, otherDigit)
  // As somebody does who has the key: a figure is changed, and hash and seal are made again.
  const { body } = tree
  const { damage } = changeLeaf(body, draw, isFigure, otherDigit)
  const receipt = goldenSeal.issue({ hash: hashOf(body), body, signatures: [] })
  return { damage: `${damage}, sealed again`, bytes: written(receipt) }
}

function flipBit(bytes: Buffer, draw: Draw): Damage {
  const [at, bit] = [draw(bytes.length), draw(8)]
  const flipped = Buffer.from(bytes)
  flipped[at] = flipped[at]! ^ (1 << bit)
  return { damage: `bit ${bit} of byte ${at} flipped`, bytes: flipped }
}

interface Place {
  readonly at: Record<string, unknown>
  readonly key: string
  readonly path: string
}

function placesIn(value: unknown, path = ''): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const at = value as Record<string, unknown>
  return Object.keys(at).flatMap(key => {
    const own = { at, key, path: `${path}${path === '' ? '' : '.'}${key}` }
    return [own, ...placesIn(at[key], own.path)]
  })
}

const isSignature = (text: string) => /^[A-Za-z0-9_-]{32,}$/.test(text)
const isFigure = (text: string) => /^-?\d+([./]\d+)?$/.test(text)

function otherCharacter(text: string, draw: Draw): string {
  const at = draw(text.length)
  const other = text[at] === 'a' ? 'b' : 'a'
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`
}

function otherDigit(text: string, draw: Draw): string {
  const places = [...text].flatMap((character, i) => (/\d/.test(character) ? [i] : []))
  const at = places[draw(places.length)]!
  const digit = (Number.parseInt(text[at]!, 10) + 1 + draw(9)) % 10
  return `${text.slice(0, at)}${digit}${text.slice(at + 1)}`
}

function changeLeaf(
  tree: object,
  draw: Draw,
  isOne: (text: string) => boolean,
  change: (text: string, draw: Draw) => string,
): Damage {
  const places = placesIn(tree).filter(({ at, key }) => typeof at[key] === 'string' && isOne(at[key]))
  const { at, key, path } = places[draw(places.length)]!
  const before = at[key] as string
  at[key] = change(before, draw)
  return { damage: `${path}: ${before.slice(0, 40)} became ${String(at[key]).slice(0, 40)}`, bytes: written(tree) }
}

/** A key taken away or added, a value of another type, two neighbours exchanged. */
function changeShape(tree: object, draw: Draw): Damage {
  const places = placesIn(tree)
  const { at, key, path } = places[draw(places.length)]!
  const kind = draw(4)
  if (kind === 0 && !Array.isArray(at)) {
    delete at[key]
    return { damage: `${path} taken away`, bytes: written(tree) }
  }
  if (kind === 1 && !Array.isArray(at)) {
    at[`${key}X`] = at[key]
    return { damage: `${path}X added`, bytes: written(tree) }
  }
  if (kind === 2 && Array.isArray(at) && at.length > 1) {
    const place = Number.parseInt(key, 10)
    const next = (place + 1) % at.length
    ;[at[place], at[next]] = [at[next], at[place]]
    return { damage: `${path} exchanged with its neighbour`, bytes: written(tree) }
  }
  at[key] = [null, 7, true, 'x', []][draw(5)]
  return { damage: `${path} became ${JSON.stringify(at[key])}`, bytes: written(tree) }
}

function written(tree: object): Buffer {
  return Buffer.from(`${JSON.stringify(tree, null, 1)}\n`)
}

function damagePackage({ bytes }: Sample, draw: Draw): Damage {
  if (draw(3) === 0) return flipBit(bytes, draw)
  const files = readZipDirectory(Buffer.from(bytes)).map(({ path, packed, isDeflated }) => ({
    path,
    body: isDeflated ? inflateRawSync(packed) : Buffer.from(packed),
  }))
  const { path, body } = files[draw(files.length)]!
  const changed = flipBit(body, draw)
  const isGone = draw(4) === 0
  const entries = files.flatMap(each => {
    if (each.path !== path) return [{ path: each.path, body: each.body }]
    return isGone ? [] : [{ path, body: changed.bytes }]
  })
  return { damage: isGone ? `${path} taken away` : `${path}: ${changed.damage}`, bytes: writeZip(entries) }
}
