// The document read differently, in one respect at a time: the ways two honest people may understand one clause. Each reading
// is a document of its own, or the reason why this document cannot be read that way.

import type { SeriesData } from '../formula/bind.ts'
import type { JsonObject } from '../formula/canonical.ts'
import { checkDocument } from '../formula/check/check.ts'
import { seriesOf } from '../formula/check/check-inputs.ts'
import { controls } from '../formula/controls/controls.ts'
import type { Formula, Input, VintagePolicy } from '../formula/formula.ts'
import { monthsPerUnit } from '../formula/schedule.ts'
import type { Span } from '../formula/terms.ts'
import type { VersionTag } from '../series/series.ts'
import type { Json } from '../text/canonical-json.ts'
import { andList } from '../text/words.ts'

export interface OtherReading {
  readonly id: string
  readonly title: string
  /** The difference in a sentence. */
  readonly words: string
  readonly reading: { readonly formula: Formula; readonly tag: VersionTag | null } | { readonly notApplicable: string }
}

interface Subject {
  readonly formula: Formula
  readonly document: JsonObject
  readonly data: SeriesData
}

/** `document` is the whole document of `formula`, as plain JSON. */
export function otherReadings(formula: Formula, document: JsonObject, data: SeriesData): OtherReading[] {
  const subject = { formula, document, data }
  return [
    readBasis(subject),
    readTag(subject, 'PRELIMINARY'),
    readTag(subject, 'FINAL'),
    readVintage(subject, 'FIRST'),
    readVintage(subject, 'LATEST'),
    ...readControls(subject),
    readLag(subject, 1),
    readLag(subject, -1),
  ]
}

/**
 * The document with one part left out: a control of the clause, or the conversion of currencies. Nobody reads a clause
 * like this in good faith, but it is a common mistake in a billed price.
 */
export function leftOutReadings(formula: Formula, document: JsonObject, data: SeriesData): OtherReading[] {
  const subject = { formula, document, data }
  return [...leftOutKeys.flatMap(key => leaveOutControl(subject, key)), leaveOutConversion(subject)]
}

const leftOutKeys = ['cap', 'floor', 'threshold'] as const

const limitWords = { periodPct: 'of a period', yearPct: 'of a year', cumulativePct: 'since the start' } as const
type LimitKey = keyof typeof limitWords
const limitNames = Object.keys(limitWords) as readonly LimitKey[]

/** The whole control; then, for a cap or floor with several limits, each limit. */
function leaveOutControl(subject: Subject, key: (typeof leftOutKeys)[number]): OtherReading[] {
  const told = { id: `without-${key}`, title: `Without the ${key}`, words: `The ${key} is left out.` }
  if (subject.formula.clause === null) return [{ ...told, reading: { notApplicable: writtenAsSteps } }]
  const { [key]: written, ...rest } = part(subject.document, 'clause')
  if (written === undefined || written === null)
    return [{ ...told, reading: { notApplicable: `The clause has no ${key}.` } }]
  const whole = { ...told, reading: changedClause(subject, rest) }
  const limits = part(part(subject.document, 'clause'), key)
  const names = limitNames.filter(name => Object.hasOwn(limits, name))
  if (key === 'threshold' || names.length < 2) return [whole]
  const each = names.map(name => ({
    id: `without-${key}-${name}`,
    title: `Without the ${key} ${limitWords[name]}`,
    words: `The ${key} ${limitWords[name]} is left out.`,
    reading: changedClause(subject, { ...rest, [key]: withoutLimit(limits, name) as Json }),
  }))
  return [whole, ...each]
}

/** Only a limit of a period or a year holds something back that could be carried forward. */
function withoutLimit(limits: JsonObject, name: LimitKey): JsonObject {
  const { [name]: _left, ...others } = limits
  const { year, carryForward, ...rest } = others
  const holdsBack = Object.hasOwn(rest, 'periodPct') || Object.hasOwn(rest, 'yearPct')
  return {
    ...rest,
    ...(year !== undefined && Object.hasOwn(rest, 'yearPct') ? { year } : {}),
    ...(carryForward !== undefined && holdsBack ? { carryForward } : {}),
  }
}

function leaveOutConversion(subject: Subject): OtherReading {
  const told = {
    id: 'without-fx',
    title: 'Without converting currencies',
    words: 'Every series is read in the currency it is published in.',
  }
  if (subject.formula.inputs.every(({ convert }) => convert?.fx == null))
    return { ...told, reading: { notApplicable: 'No input converts a currency.' } }
  const reading = changedInputs(subject, (_input, written) => {
    const { convert: _convert, ...rest } = written
    const { scale } = part(written, 'convert')
    return scale === undefined ? rest : { ...rest, convert: { scale } }
  })
  return { ...told, reading }
}

function part(map: JsonObject, key: string): JsonObject {
  const value = map[key]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** Checked like any other; a change that does not fit the rest of the document is not a reading of it. */
function changed(document: JsonObject): OtherReading['reading'] {
  const { formula, problems } = checkDocument(JSON.stringify(document))
  if (formula !== null) return { formula, tag: null }
  return { notApplicable: `The document does not allow it: ${problems[0]!.path}: ${problems[0]!.message}.` }
}

function changedClause({ document }: Subject, clause: JsonObject): OtherReading['reading'] {
  return changed({ ...document, clause: clause as Json })
}

function changedInputs(
  { document, formula }: Subject,
  change: (input: Input, written: JsonObject) => JsonObject,
): OtherReading['reading'] {
  const inputs = part(document, 'inputs')
  const entries = formula.inputs.map(input => [input.name, change(input, part(inputs, input.name)) as Json])
  return changed({ ...document, inputs: Object.fromEntries(entries) })
}

const writtenAsSteps = 'The document is written as steps: its expressions say what is measured against what.'

function readBasis(subject: Subject): OtherReading {
  const { clause } = subject.formula
  const isChained = clause?.basis === 'CHAINED'
  const told = isChained
    ? {
        title: 'Fixed base instead of chained',
        words: 'Always measured from the base, and not from the last applied adjustment.',
      }
    : {
        title: 'Chained instead of fixed base',
        words: 'Measured from the last applied adjustment, and not always from the base.',
      }
  if (clause === null) return { id: 'basis', ...told, reading: { notApplicable: writtenAsSteps } }
  if (!isChained && clause.rounding.total !== null) {
    const notApplicable = 'The clause rounds the total since the base, which a chain does not have.'
    return { id: 'basis', ...told, reading: { notApplicable } }
  }
  const written = part(subject.document, 'clause')
  const basis = isChained ? 'FIXED_BASE' : 'CHAINED'
  return { id: 'basis', ...told, reading: changedClause(subject, { ...written, basis }) }
}

function readTag({ formula, data }: Subject, tag: 'PRELIMINARY' | 'FINAL'): OtherReading {
  const isPreliminary = tag === 'PRELIMINARY'
  const told = {
    id: isPreliminary ? 'preliminary' : 'final',
    title: isPreliminary ? 'Preliminary values' : 'Final values',
    words: `Where a value was published as ${tag}, that value counts; elsewhere the newest.`,
  }
  const hasTag = seriesOf(formula.inputs).some(({ series }) =>
    data
      .get(series)
      ?.periods.values()
      .some(vintages => vintages.some(vintage => vintage.tag === tag)),
  )
  if (!hasTag)
    return { ...told, reading: { notApplicable: `No value of the series it reads was ever published as ${tag}.` } }
  return { ...told, reading: { formula, tag } }
}

function readVintage(subject: Subject, vintage: Extract<VintagePolicy, 'FIRST' | 'LATEST'>): OtherReading {
  const isFirst = vintage === 'FIRST'
  const told = {
    id: isFirst ? 'first' : 'latest',
    title: isFirst ? 'First print' : 'Latest values',
    words: isFirst
      ? 'Every value as it was first published; later revisions do not count.'
      : 'Every value as it was published last; every revision counts.',
  }
  const { inputs } = subject.formula
  if (inputs.length === 0) return { ...told, reading: { notApplicable: 'The document reads no series.' } }
  if (inputs.every(input => input.vintage === vintage)) {
    const already = isFirst ? 'first prints' : 'the latest values'
    return { ...told, reading: { notApplicable: `The document takes ${already} already.` } }
  }
  return { ...told, reading: changedInputs(subject, (_input, written) => ({ ...written, vintage })) }
}

/** The readings that the controls of the clause offer; for a worksheet, those they would offer. */
function readControls(subject: Subject): OtherReading[] {
  const { clause } = subject.formula
  const written = clause === null ? null : { clause, written: part(subject.document, 'clause') }
  return (clause?.controls ?? controls).flatMap(({ readings }) =>
    (readings?.(written) ?? []).map(({ reading, ...told }) => ({
      ...told,
      reading:
        clause === null
          ? { notApplicable: writtenAsSteps }
          : 'clause' in reading
            ? changedClause(subject, reading.clause)
            : reading,
    })),
  )
}

function readLag(subject: Subject, by: 1 | -1): OtherReading {
  const isMore = by === 1
  const told = {
    id: isMore ? 'lag-more' : 'lag-less',
    title: isMore ? 'One month more lag' : 'One month less lag',
    words: `Every series is read one month ${isMore ? 'earlier' : 'later'} than the document says.`,
  }
  const { inputs } = subject.formula
  if (inputs.length === 0) return { ...told, reading: { notApplicable: 'The document reads no series.' } }
  const lags = new Map(inputs.map(input => [input.name, inMonths(input.lag)]))
  const uneven = inputs.filter(input => lags.get(input.name) === null).map(input => input.name)
  if (uneven.length > 0)
    return { ...told, reading: { notApplicable: `The lag of ${andList(uneven)} is not counted in months.` } }
  const reading = changedInputs(subject, (input, written) => ({
    ...written,
    lag: `${lags.get(input.name)! + by} months`,
  }))
  return { ...told, reading }
}

/** A lag of 0 is 0 in any unit; days and weeks do not add up to months. */
function inMonths({ count, unit }: Span): number | null {
  if (count === 0) return 0
  return unit === 'day' || unit === 'week' ? null : count * monthsPerUnit[unit]
}
