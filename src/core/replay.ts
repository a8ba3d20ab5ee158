// Recomputing a receipt from nothing but itself, and saying where the two differ. It reads what receipt.ts writes and
// refuses, with the place, whatever is not that.

import type { Adjustment, AppliedFactor, Blocked, BoundVersion, Carried } from './adjustment.ts'
import { canonicalJson, type Json } from './canonical-json.ts'
import { type Day, parseDay } from './day.ts'
import { evaluateDate } from './evaluate.ts'
import { bindFormula } from './formula/bind.ts'
import { checkDocument } from './formula/check.ts'
import { type Frequency, frequencies, parsePeriod } from './period.ts'
import { parseExact, type Ratio } from './ratio.ts'
import type { TakenReading, UsedObservation } from './reading.ts'
import { buildBody, type ReceiptBody, receiptFormat } from './receipt.ts'
import { Refusal } from './refusal.ts'
import { type SeriesHistory, type VersionTag, type Vintage, versionTags } from './series.ts'
import { buildHistory, compareVintages, noCuts } from './vintage.ts'

/** Reads back what `carriedToJson` wrote; refuses anything else. */
export function carriedFromJson(json: unknown): Carried {
  const root = record(json, 'carriedIn')
  const last = record(root.last, 'carriedIn.last')
  const part = (from: Record<string, unknown>, path: string) => ({
    date: from.date === null ? null : readDay(from.date, `${path}.date`),
    version: from.version === null ? null : readVersion(from.version, `${path}.version`),
    steps: readMap(from.steps, `${path}.steps`, readNumber),
    readings: readMap(from.readings, `${path}.readings`, readTaken),
  })
  return {
    ...part(root, 'carriedIn'),
    factor: readNumber(root.factor, 'carriedIn.factor'),
    last: part(last, 'carriedIn.last'),
    origin: root.origin == null ? null : readDay(root.origin, 'carriedIn.origin'),
    factors: root.factors === undefined ? [] : list(root.factors, 'carriedIn.factors').map(readFactor),
  }
}

function refuse(path: string, what: string): never {
  throw new Refusal('invalid', `the receipt cannot be read: ${path} must be ${what}`)
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, 'a mapping')
  return value as Record<string, unknown>
}

function list(value: unknown, path: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(path, 'a list')
}

function text(value: unknown, path: string): string {
  return typeof value === 'string' ? value : refuse(path, 'a text')
}

function readDay(value: unknown, path: string): number {
  return parseDay(text(value, path)) ?? refuse(path, 'a date')
}

function readVersion(value: unknown, path: string): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? value
    : refuse(path, 'a version number')
}

function readNumber(value: unknown, path: string): Ratio {
  return parseExact(text(value, path)) ?? refuse(path, 'an exact number')
}

function readMap<T>(value: unknown, path: string, read: (value: unknown, path: string) => T): Map<string, T> {
  return new Map(Object.entries(record(value, path)).map(([key, item]) => [key, read(item, `${path}.${key}`)]))
}

function readFactor(value: unknown, i: number): AppliedFactor {
  const path = `carriedIn.factors[${i}]`
  const line = record(value, path)
  return { date: readDay(line.date, `${path}.date`), factor: readNumber(line.factor, `${path}.factor`) }
}

function readTaken(value: unknown, path: string): TakenReading {
  const taken = record(value, path)
  return {
    value: readNumber(taken.value, `${path}.value`),
    substituted: taken.substituted === true,
    used: list(taken.used, `${path}.used`).map((item, i) => readUsed(item, `${path}.used[${i}]`)),
  }
}

function readUsed(value: unknown, path: string): UsedObservation {
  const line = record(value, path)
  const tag = versionTags.find(candidate => candidate === line.version) ?? refuse(`${path}.version`, 'a version tag')
  const period = parsePeriod(text(line.period, `${path}.period`)) ?? refuse(`${path}.period`, 'a period')
  const vintage = {
    value: text(line.value, `${path}.value`),
    tag,
    flag: line.flag === null ? null : text(line.flag, `${path}.flag`),
    publishedAt: text(line.published, `${path}.published`),
    recordedAt: line.recorded === null ? null : text(line.recorded, `${path}.recorded`),
  }
  return { series: text(line.series, `${path}.series`), period, vintage }
}

/** A receipt read back: its formulas bound to the observations it names, and what it goes on from. */
export interface ReadReceipt {
  readonly pam: string
  readonly versions: readonly BoundVersion[]
  readonly documents: ReadonlyMap<number, string>
  readonly governing: number
  readonly tag: VersionTag | null
  readonly date: Day
  readonly period: string
  readonly carriedIn: Carried
}

export function readReceipt(json: unknown): ReadReceipt {
  const body = record(json, 'body')
  if (body.format !== receiptFormat) refuse('body.format', `"${receiptFormat}"`)
  const data = readSeries(list(body.series, 'body.series'), list(body.observations, 'body.observations'))
  const documents = readMap(body.documents, 'body.documents', text)
  const governing = readVersion(body.formulaVersion, 'body.formulaVersion')
  if (!documents.has(governing.toString())) refuse('body.documents', `a mapping with formula ${governing}`)
  const versions = [...documents].map(([number, document]) => bindVersion(number, document, governing, data))
  const tag =
    body.dataVersionAsked === null
      ? null
      : (versionTags.find(candidate => candidate === body.dataVersionAsked) ??
        refuse('body.dataVersionAsked', 'a version tag'))
  return {
    pam: text(body.pam, 'body.pam'),
    versions,
    documents: new Map([...documents].map(([number, document]) => [Number.parseInt(number, 10), document])),
    governing,
    tag,
    date: readDay(body.adjustmentDate, 'body.adjustmentDate'),
    period: text(body.period, 'body.period'),
    carriedIn: carriedFromJson(body.carriedIn),
  }
}

/** Computes what was read again. */
export function replay({ versions, governing, tag, date, period, carriedIn }: ReadReceipt): Adjustment {
  // Its observations are those that were used: every window they make is over.
  const rules = { cuts: noCuts, tag, strict: tag !== null, today: null }
  const outcome: Adjustment | Blocked = evaluateDate(versions, rules, governing, { date, label: period }, carriedIn)
  if ('reason' in outcome) throw new Refusal('invalid', `the receipt's data do not suffice: ${outcome.reason}`)
  return outcome
}

/** Computes a receipt's adjustment again from nothing but the receipt. */
export function recompute(json: unknown): ReceiptBody {
  const receipt = readReceipt(json)
  const { pam, versions, documents, tag } = receipt
  return buildBody(pam, replay(receipt), versions, documents, tag)
}

/** Older versions are there to compare definitions with; only the governing one is evaluated. */
function bindVersion(text: string, document: string, governing: number, data: Histories): BoundVersion {
  const number = readVersion(Number.parseInt(text, 10), `body.documents.${text}`)
  const { formula, problems } = checkDocument(document)
  if (formula === null)
    throw new Refusal(
      'invalid',
      `the receipt's formula ${number} is refused: ${problems[0]!.path}: ${problems[0]!.message}`,
    )
  if (number !== governing) return { number, bound: { formula, inputs: [] } }
  const { bound, problems: misfits } = bindFormula(formula, data)
  if (bound === null)
    throw new Refusal('invalid', `the receipt's formula ${number} does not fit its series: ${misfits[0]!.message}`)
  return { number, bound }
}

type Histories = ReadonlyMap<string, SeriesHistory>

function readSeries(headers: readonly unknown[], vintages: readonly unknown[]): Histories {
  const periods = new Map<string, Map<number, Vintage[]>>()
  const kinds = new Map<string, Frequency>()
  headers.forEach((item, i) => {
    const header = record(item, `body.series[${i}]`)
    const frequency =
      frequencies.find(candidate => candidate === header.frequency) ??
      refuse(`body.series[${i}].frequency`, 'a frequency')
    kinds.set(text(header.series, `body.series[${i}].series`), frequency)
  })
  vintages.forEach((item, i) => {
    const { series, period, vintage } = readUsed(item, `body.observations[${i}]`)
    const held = periods.get(series) ?? new Map<number, Vintage[]>()
    const known = held.get(period.ordinal) ?? []
    const isHeld = known.some(other => compareVintages(other, vintage) === 0)
    held.set(period.ordinal, isHeld ? known : [...known, vintage])
    periods.set(series, held)
    if (!kinds.has(series)) kinds.set(series, period.frequency)
  })
  return new Map(
    [...kinds].map(([reference, frequency]) => [
      reference,
      buildHistory({ reference, name: reference, unit: '', frequency }, periods.get(reference) ?? new Map()),
    ]),
  )
}

export interface Difference {
  /** Which line: `step factor`, `adjustmentPct`, `hash`. */
  readonly line: string
  readonly written: string
  readonly recomputed: string
}

/** The first line in which a receipt and its recomputation differ, in the order a person would check them. */
export function firstDifference(written: ReceiptBody, recomputed: ReceiptBody): Difference | null {
  // A receipt from elsewhere may lack them.
  const lines = Array.isArray(written.steps) ? written.steps : []
  const steps = recomputed.steps.map((step, i) => ({ name: step.name, written: lines[i], recomputed: step }))
  for (const step of steps) {
    const pairs = [
      ['value', step.written?.value, step.recomputed.value],
      ['shown', step.written?.shown ?? null, step.recomputed.shown],
      ['expr', step.written?.expr, step.recomputed.expr],
    ] as const
    for (const [what, before, after] of pairs)
      if (before !== after)
        return {
          line: `step ${step.name}${what === 'value' ? '' : ` (${what})`}`,
          written: before ?? 'nothing',
          recomputed: after ?? 'nothing',
        }
  }
  const [before, after] = [
    written.result as unknown as { [key: string]: Json },
    recomputed.result as unknown as { [key: string]: Json },
  ]
  for (const key of [...new Set([...Object.keys(after), ...Object.keys(before ?? {})])]) {
    const [a, b] = [plain(before?.[key]), plain(after[key])]
    if (a !== b) return { line: key, written: a, recomputed: b }
  }
  const [whole, again] = [
    written as unknown as { [key: string]: Json },
    recomputed as unknown as { [key: string]: Json },
  ]
  for (const key of [...new Set([...Object.keys(again), ...Object.keys(whole)])]) {
    const [a, b] = [plain(whole[key]), plain(again[key])]
    if (a !== b) return { line: key, written: a.slice(0, 200), recomputed: b.slice(0, 200) }
  }
  return null
}

function plain(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'string' ? value : canonicalJson(value)
}
