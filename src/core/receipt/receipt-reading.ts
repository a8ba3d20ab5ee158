// Reads the text of a receipt strictly: every key is known and present once, every value has its type. The hash is
// computed from the body as it was read, not taken from the file. Nothing is computed here.
import type { AppliedFactor, Carried } from '../calculation/adjustment.ts'
import type { TakenReading, UsedObservation } from '../calculation/reading.ts'
import type { ResultKind } from '../formula/formula.ts'
import type { StepSource } from '../formula/terms.ts'
import { parseRatio, type Rounding, roundingModes } from '../numbers/ratio.ts'
import { Refusal } from '../refusal.ts'
import { type VersionTag, versionTags } from '../series/series.ts'
import { canonicalJson, type Json } from '../text/canonical-json.ts'
import {
  anyMapping,
  day,
  exactNumber,
  hexHash,
  instant,
  list,
  listOf,
  type Mapping,
  mapOf,
  mapping,
  nullable,
  oneOf,
  refuseShape,
  text,
  truth,
  versionNumber,
  wholeNumber,
} from '../text/exact-shape.ts'
import { sha256 } from '../text/sha256.ts'
import { readStrictJson } from '../text/strict-json.ts'
import type { Day } from '../time/day.ts'
import { type Frequency, frequencies, parsePeriod } from '../time/period.ts'
import { type PartyObjection, readObjection } from './objection.ts'
import { type PartySignature, signatureMeans } from './party-signature.ts'
import type { ReceiptBody, ReceiptResult, ReceiptStep, Signature } from './receipt.ts'
import { olderFormat, receiptFormat } from './receipt.ts'
import { readSignerOrigin } from './signer-origin.ts'

/** Far more than any receipt needs. */
export const receiptBounds = { length: 20_000_000, depth: 12 } as const

/** A receipt as read from a file. */
export interface WrittenReceipt {
  readonly format: typeof receiptFormat | typeof olderFormat
  /** As it is written, and as it follows from the body. */
  readonly hash: string
  readonly bodyHash: string
  readonly body: ReceiptBody
  readonly signatures: readonly PartySignature[]
  readonly objections: readonly PartyObjection[]
  readonly seal: Signature | null
  /** What the seal is a signature of: 64 hexadecimal digits. */
  readonly sealed: string
}

/**
 * Bytes that are not UTF-8 are refused, not replaced: the hash would then cover something other than what is in the
 * file.
 */
export function decodeReceipt(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Refusal('invalid', 'the receipt cannot be read: it is not UTF-8')
  }
}

export function readReceipt(source: string): WrittenReceipt {
  const root = anyMapping(readStrictJson(source, 'the receipt', receiptBounds), 'it')
  if (!Object.hasOwn(root, 'body')) throw new Refusal('invalid', 'this is not a receipt: it has no body')
  const isOlder = Object.hasOwn(root, 'issuedAt')
  if (isOlder) mapping(root, 'the receipt', ['hash', 'body', 'issuedAt', 'cuts', 'signature'])
  else mapping(root, 'the receipt', ['hash', 'body', 'signatures', 'seal'], ['objections'])
  const hash = hexHash(root.hash, 'hash')
  const body = anyMapping(root.body, 'body') as unknown as ReceiptBody
  const format = oneOf([receiptFormat, olderFormat])(body.format, 'body.format')
  const signatures = isOlder ? [] : listOf(root.signatures, 'signatures', readSignature)
  const hasObjections = Object.hasOwn(root, 'objections')
  const { body: _body, seal: _seal, ...beside } = root
  return {
    format,
    hash,
    bodyHash: sha256(canonicalJson(body as unknown as Json)),
    body,
    signatures,
    objections: hasObjections ? readObjections(root.objections) : [],
    seal: isOlder ? nullable(root.signature, 'signature', readSeal) : nullable(root.seal, 'seal', readSeal),
    sealed: isOlder ? hash : sha256(canonicalJson(beside as Json)),
  }
}

/** Left out where there is none. */
function readObjections(value: unknown): readonly PartyObjection[] {
  const objections = listOf(value, 'objections', readObjection)
  return objections.length > 0 ? objections : refuseShape('objections', 'a list with one in it, or left out')
}

export function readSeal(value: unknown, path: string): Signature {
  const seal = mapping(value, path, ['algorithm', 'publicKey', 'value'])
  return {
    algorithm: oneOf(['Ed25519'])(seal.algorithm, `${path}.algorithm`),
    publicKey: text(seal.publicKey, `${path}.publicKey`),
    value: text(seal.value, `${path}.value`),
  }
}

export function readSignature(value: unknown, path: string): PartySignature {
  const keys = ['party', 'signedBy', 'name', 'signedAt', 'hash', 'means', 'together', 'passkey']
  const signature = mapping(value, path, keys, ['origin'])
  const seen = (item: unknown, at: string) => {
    const { period, hash } = mapping(item, at, ['period', 'hash'])
    return { period: text(period, `${at}.period`), hash: hexHash(hash, `${at}.hash`) }
  }
  return {
    party: oneOf(['buyer', 'supplier'])(signature.party, `${path}.party`),
    signedBy: text(signature.signedBy, `${path}.signedBy`),
    name: text(signature.name, `${path}.name`),
    signedAt: instant(signature.signedAt, `${path}.signedAt`),
    hash: hexHash(signature.hash, `${path}.hash`),
    means: oneOf(signatureMeans)(signature.means, `${path}.means`),
    together: listOf(signature.together, `${path}.together`, seen),
    passkey: nullable(signature.passkey, `${path}.passkey`, readPasskey),
    ...(Object.hasOwn(signature, 'origin') ? { origin: readSignerOrigin(signature.origin, `${path}.origin`) } : {}),
  }
}

function readPasskey(value: unknown, path: string): NonNullable<PartySignature['passkey']> {
  const parts = ['credentialId', 'publicKey', 'rpId', 'authenticatorData', 'clientDataJSON', 'signature'] as const
  const passkey = mapping(value, path, [...parts, 'algorithm'])
  const part = (name: (typeof parts)[number]) => text(passkey[name], `${path}.${name}`)
  return {
    credentialId: part('credentialId'),
    publicKey: part('publicKey'),
    algorithm: oneOf(['ES256', 'EdDSA', 'RS256'])(passkey.algorithm, `${path}.algorithm`),
    rpId: part('rpId'),
    authenticatorData: part('authenticatorData'),
    clientDataJSON: part('clientDataJSON'),
    signature: part('signature'),
  }
}

/** What a body says, ready to be computed. */
export interface ReadBody {
  readonly edition: number
  readonly pam: string
  readonly period: string
  readonly date: Day
  readonly governing: number
  readonly documents: ReadonlyMap<number, string>
  readonly tag: VersionTag | null
  readonly carriedIn: Carried
  readonly series: readonly { readonly reference: string; readonly name: string; readonly frequency: Frequency }[]
  readonly observations: readonly (UsedObservation & { readonly input: string })[]
  readonly rules: ReadRules
  /** The lines as they are written: the steps, and what each of them came to. */
  readonly steps: readonly (StepSource & { readonly value: string; readonly shown: string | null })[]
  readonly result: ReceiptResult
}

export interface ReadRules {
  readonly kind: ReceiptBody['rules']['kind']
  readonly step: string
  readonly show: Rounding
  readonly priceRound: Rounding | null
  readonly addsUp: boolean
}

const bodyKeys = [
  ...['format', 'edition', 'installation', 'workspace', 'pam', 'name', 'parties', 'period', 'adjustmentDate'],
  ...[
    'formulaVersion',
    'documents',
    'dataVersionAsked',
    'carriedIn',
    'series',
    'observations',
    'rules',
    'steps',
    'result',
  ],
]

export function readBody(json: unknown): ReadBody {
  const body = mapping(json, 'body', bodyKeys, ['companies'])
  oneOf([receiptFormat])(body.format, 'body.format')
  nullable(body.installation, 'body.installation', readInstallation)
  nullable(body.workspace, 'body.workspace', readWorkspace)
  text(body.name, 'body.name')
  const sides = readParties(body.parties)
  if (Object.hasOwn(body, 'companies')) readCompanies(body.companies, sides)
  return {
    edition: versionNumber(body.edition, 'body.edition'),
    ...readPlace(body),
    carriedIn: readCarried(body.carriedIn, 'body.carriedIn', true),
    series: listOf(body.series, 'body.series', readSeries),
    observations: listOf(body.observations, 'body.observations', (item, path) => readObservation(item, path, true)),
    rules: readRules(body.rules),
    steps: listOf(body.steps, 'body.steps', readStep),
    result: readResult(body.result),
  }
}

/** What both formats say in the same way. */
export function readPlace(body: Mapping) {
  const governing = versionNumber(body.formulaVersion, 'body.formulaVersion')
  const documents = new Map(
    [...mapOf(body.documents, 'body.documents', text)].map(([number, document]) => {
      if (!/^[1-9][0-9]{0,8}$/.test(number)) refuseShape('body.documents', 'a mapping from version numbers')
      return [Number.parseInt(number, 10), document]
    }),
  )
  if (!documents.has(governing)) refuseShape('body.documents', `a mapping with formula ${governing}`)
  return {
    pam: text(body.pam, 'body.pam'),
    period: text(body.period, 'body.period'),
    date: day(body.adjustmentDate, 'body.adjustmentDate'),
    governing,
    documents,
    tag: nullable(body.dataVersionAsked, 'body.dataVersionAsked', oneOf(versionTags)),
  }
}

function readInstallation(value: unknown, path: string): void {
  const { id, name } = mapping(value, path, ['id', 'name'])
  text(id, `${path}.id`)
  nullable(name, `${path}.name`, text)
}

function readWorkspace(value: unknown, path: string): void {
  const workspace = mapping(value, path, ['id', 'slug', 'name'])
  for (const key of ['id', 'slug', 'name']) text(workspace[key], `${path}.${key}`)
}

function readParties(value: unknown): readonly (readonly string[] | string | null)[] {
  const parties = mapping(value, 'body.parties', ['buyer', 'supplier'])
  return ['buyer', 'supplier'].map(party =>
    nullable(parties[party], `body.parties.${party}`, (side, path) =>
      Array.isArray(side) ? listOf(side, path, text) : text(side, path),
    ),
  )
}

/** The names of the parties on a side, and no others. */
function readCompanies(value: unknown, sides: ReturnType<typeof readParties>): void {
  const names = mapOf(value, 'body.companies', text)
  if (names.size === 0) refuseShape('body.companies', 'a mapping with a name in it, or left out')
  for (const slug of names.keys())
    if (!sides.includes(slug)) refuseShape('body.companies', 'a mapping from the slugs that stand under parties')
}

function readSeries(value: unknown, path: string): ReadBody['series'][number] {
  const { series, name, frequency } = mapping(value, path, ['series', 'name', 'frequency'])
  return {
    reference: text(series, `${path}.series`),
    name: text(name, `${path}.name`),
    frequency: oneOf(frequencies)(frequency, `${path}.frequency`),
  }
}

const vintageKeys = ['series', 'period', 'value', 'version', 'flag', 'published', 'recorded']

export function readObservation(value: unknown, path: string, hasOrigin: boolean): ReadBody['observations'][number] {
  const line = mapping(value, path, ['input', ...vintageKeys, ...(hasOrigin ? ['origin'] : [])])
  return { ...readVintage(line, path, hasOrigin), input: text(line.input, `${path}.input`) }
}

function readVintage(line: Mapping, path: string, hasOrigin: boolean): UsedObservation {
  const period = parsePeriod(text(line.period, `${path}.period`)) ?? refuseShape(`${path}.period`, 'a period')
  const value = text(line.value, `${path}.value`)
  if (parseRatio(value) === null) refuseShape(`${path}.value`, 'a decimal number')
  if (hasOrigin) readOrigin(line.origin, `${path}.origin`)
  const vintage = {
    value,
    tag: oneOf(versionTags)(line.version, `${path}.version`),
    flag: nullable(line.flag, `${path}.flag`, text),
    publishedAt: instant(line.published, `${path}.published`),
    recordedAt: nullable(line.recorded, `${path}.recorded`, instant),
  }
  return { series: text(line.series, `${path}.series`), period, vintage }
}

function readOrigin(value: unknown, path: string): void {
  if (Object.hasOwn(anyMapping(value, path), 'provider')) {
    text(mapping(value, path, ['provider']).provider, `${path}.provider`)
    return
  }
  const origin = mapping(value, path, ['uploadedBy', 'file', 'sha256', 'recorded'])
  nullable(origin.uploadedBy, `${path}.uploadedBy`, text)
  nullable(origin.file, `${path}.file`, text)
  nullable(origin.sha256, `${path}.sha256`, hexHash)
  nullable(origin.recorded, `${path}.recorded`, instant)
}

const resultKinds: readonly ResultKind[] = ['FACTOR', 'CHANGE_PCT', 'PRICE', 'SURCHARGE']

function readRules(value: unknown): ReadRules {
  const rules = mapping(value, 'body.rules', ['kind', 'step', 'show', 'priceRound', 'addsUp'])
  return {
    kind: oneOf(resultKinds)(rules.kind, 'body.rules.kind'),
    step: text(rules.step, 'body.rules.step'),
    show: readRounding(rules.show, 'body.rules.show'),
    priceRound: nullable(rules.priceRound, 'body.rules.priceRound', readRounding),
    addsUp: truth(rules.addsUp, 'body.rules.addsUp'),
  }
}

function readRounding(value: unknown, path: string): Rounding {
  const isMultiple = Object.hasOwn(anyMapping(value, path), 'multiple')
  const written = mapping(value, path, [isMultiple ? 'multiple' : 'dp', 'mode'])
  const mode = oneOf(roundingModes)(written.mode, `${path}.mode`)
  if (isMultiple) {
    const multiple = exactNumber(written.multiple, `${path}.multiple`)
    return multiple.n > 0n ? { multiple, mode } : refuseShape(`${path}.multiple`, 'more than 0')
  }
  const dp = wholeNumber(written.dp, `${path}.dp`)
  return dp >= -30 && dp <= 30 ? { dp, mode } : refuseShape(`${path}.dp`, 'a whole number from -30 to 30')
}

function readStep(value: unknown, path: string): ReadBody['steps'][number] {
  const step = mapping(value, path, ['name', 'expr', 'round', 'show', 'value', 'shown'])
  return {
    ...readLine(step, path),
    round: nullable(step.round, `${path}.round`, readRounding),
    show: nullable(step.show, `${path}.show`, readRounding),
    note: null,
  }
}

/** The part of a line that both formats have. */
export function readLine(step: Mapping, path: string): Pick<ReceiptStep, 'name' | 'expr' | 'value' | 'shown'> {
  exactNumber(step.value, `${path}.value`)
  return {
    name: text(step.name, `${path}.name`),
    expr: text(step.expr, `${path}.expr`),
    value: text(step.value, `${path}.value`),
    shown: nullable(step.shown, `${path}.shown`, text),
  }
}

const resultKeys = [
  ...['period', 'adjustmentDate', 'adjustmentPct', 'cumulativePct', 'formulaVersion', 'dataVersion'],
  ...['components', 'controls', 'factor'],
]

export function readResult(value: unknown): ReceiptResult {
  const path = 'body.result'
  const result = mapping(value, path, resultKeys, ['price', 'surcharge'])
  const notTexts = ['formulaVersion', 'components', 'controls', 'adjustmentPct']
  for (const key of resultKeys.filter(each => !notTexts.includes(each))) text(result[key], `${path}.${key}`)
  nullable(result.adjustmentPct, `${path}.adjustmentPct`, text)
  versionNumber(result.formulaVersion, `${path}.formulaVersion`)
  for (const key of ['price', 'surcharge']) if (Object.hasOwn(result, key)) text(result[key], `${path}.${key}`)
  const texts = (keys: readonly string[]) => (item: unknown, at: string) => {
    const found = mapping(item, at, keys)
    for (const key of keys) text(found[key], `${at}.${key}`)
  }
  const decimals = (items: unknown, keys: readonly string[], at: string) =>
    list(items, at).forEach((item, i) => {
      for (const key of keys)
        if (parseRatio(String((item as Mapping)[key])) === null) refuseShape(`${at}[${i}].${key}`, 'a decimal number')
    })
  listOf(result.components, `${path}.components`, texts(['input', 'series', 'weight', 'change', 'contribution']))
  listOf(result.controls, `${path}.controls`, texts(['control', 'points']))
  decimals(result.components, ['change', 'contribution'], `${path}.components`)
  decimals(result.controls, ['points'], `${path}.controls`)
  return result as unknown as ReceiptResult
}

/** Reads back what `carriedToJson` wrote; refuses anything else. */
export function carriedFromJson(json: unknown): Carried {
  return readCarried(json, 'carried', false)
}

export function readCarried(json: unknown, path: string, hasOrigin: boolean): Carried {
  const keys = ['date', 'version', 'steps', 'readings']
  const root = mapping(json, path, [...keys, 'factor', 'last'], ['origin', 'factors'])
  const last = mapping(root.last, `${path}.last`, keys)
  const part = (from: Mapping, at: string) => ({
    date: nullable(from.date, `${at}.date`, day),
    version: nullable(from.version, `${at}.version`, versionNumber),
    steps: mapOf(from.steps, `${at}.steps`, exactNumber),
    readings: mapOf(from.readings, `${at}.readings`, (item, place) => readTaken(item, place, hasOrigin)),
  })
  return {
    ...part(root, path),
    factor: exactNumber(root.factor, `${path}.factor`),
    last: part(last, `${path}.last`),
    origin: root.origin === undefined ? null : day(root.origin, `${path}.origin`),
    factors: root.factors === undefined ? [] : listOf(root.factors, `${path}.factors`, readFactor),
  }
}

function readFactor(value: unknown, path: string): AppliedFactor {
  const { date, factor } = mapping(value, path, ['date', 'factor'])
  return { date: day(date, `${path}.date`), factor: exactNumber(factor, `${path}.factor`) }
}

function readTaken(value: unknown, path: string, hasOrigin: boolean): TakenReading {
  const taken = mapping(value, path, ['value', 'substituted', 'used'])
  return {
    value: exactNumber(taken.value, `${path}.value`),
    substituted: truth(taken.substituted, `${path}.substituted`),
    used: listOf(taken.used, `${path}.used`, (item, at) =>
      readVintage(mapping(item, at, [...vintageKeys, ...(hasOrigin ? ['origin'] : [])]), at, hasOrigin),
    ),
  }
}
