// An objection: a party says no to the number that is proposed for a period, and why. Plain data that a receipt can
// carry next to its body. Whether it is still open follows from the proposal it was about, and from what was signed
// since.
import { hexHash, instant, listOf, mapping, nullable, oneOf, refuseShape, text } from '../text/exact-shape.ts'
import type { PartySignature } from './party-signature.ts'
import type { ReceiptBody } from './receipt.ts'

/** What it is about: the number, a line of the calculation, or a figure that was read. */
export type ObjectionSubject =
  | { readonly kind: 'number' }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'figure'; readonly input: string; readonly series: string; readonly period: string }

/** How the party reads the clause instead, and the number that gives. */
export interface AttachedReading {
  /** Of `ReadingVariant`. */
  readonly id: string
  readonly title: string
  readonly words: string
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  readonly price: string | null
}

/** `OPERATOR`: written by command, in the person's name. */
export const statementMeans = ['SESSION', 'OPERATOR'] as const
export type StatementMeans = (typeof statementMeans)[number]

/** Who said something, for which side, and when. */
export interface Statement {
  readonly party: 'buyer' | 'supplier'
  /** E-mail address. */
  readonly by: string
  /** As the workspace named the person then; empty where it did not. */
  readonly name: string
  readonly at: string
  readonly means: StatementMeans
}

export const answerKinds = ['ANSWER', 'WITHDRAWAL'] as const

export interface ObjectionAnswer extends Statement {
  readonly kind: (typeof answerKinds)[number]
  /** Empty only for a withdrawal. */
  readonly words: string
}

export interface PartyObjection extends Statement {
  readonly id: string
  /** Of the receipt it is about: the proposal may have changed since. */
  readonly hash: string
  readonly about: ObjectionSubject
  readonly reason: string
  readonly reading: AttachedReading | null
  readonly answers: readonly ObjectionAnswer[]
}

/**
 * `open`: the period is disputed. `withdrawn`: by the party that objected. `signed`: that party signed this number
 * after all. `moved`: another number is proposed since.
 */
export type ObjectionState = 'open' | 'withdrawn' | 'signed' | 'moved'

/** What is proposed for the period, or signed. */
export interface ProposalNow {
  readonly hash: string
  readonly signatures: readonly Pick<PartySignature, 'party'>[]
}

export function stateOfObjection({ party, hash, answers }: PartyObjection, now: ProposalNow): ObjectionState {
  if (answers.some(({ kind }) => kind === 'WITHDRAWAL')) return 'withdrawn'
  if (hash !== now.hash) return 'moved'
  return now.signatures.some(each => each.party === party) ? 'signed' : 'open'
}

/** Why the calculation does not contain it; null if it does. */
export function whyNoSubject(about: ObjectionSubject, { period, steps, observations }: ReceiptBody): string | null {
  if (about.kind === 'number') return null
  if (about.kind === 'line')
    return steps.some(({ name }) => name === about.line)
      ? null
      : `the calculation of ${period} has no line "${about.line}"; it has ${steps.map(({ name }) => name).join(', ')}`
  const isRead = observations.some(
    each => each.input === about.input && each.series === about.series && each.period === about.period,
  )
  return isRead ? null : `${about.input} does not read ${about.series} of ${about.period} for ${period}`
}

/** `the number`, `line ratio_steel`, `BLS/WPU101 of 2024-03 (steel)` */
export function tellSubject(about: ObjectionSubject): string {
  if (about.kind === 'number') return 'the number'
  return about.kind === 'line' ? `line ${about.line}` : `${about.series} of ${about.period} (${about.input})`
}

export function readObjection(value: unknown, path: string): PartyObjection {
  const keys = ['id', 'hash', 'about', 'reason', 'reading', 'answers']
  const found = mapping(value, path, [...statementKeys, ...keys])
  return {
    id: text(found.id, `${path}.id`),
    ...readStatement(found, path),
    hash: hexHash(found.hash, `${path}.hash`),
    about: readSubject(found.about, `${path}.about`),
    reason: text(found.reason, `${path}.reason`),
    reading: nullable(found.reading, `${path}.reading`, readReading),
    answers: listOf(found.answers, `${path}.answers`, readAnswer),
  }
}

const statementKeys = ['party', 'by', 'name', 'at', 'means'] as const

function readStatement(found: { readonly [key: string]: unknown }, path: string): Statement {
  return {
    party: oneOf(['buyer', 'supplier'])(found.party, `${path}.party`),
    by: text(found.by, `${path}.by`),
    name: text(found.name, `${path}.name`),
    at: instant(found.at, `${path}.at`),
    means: oneOf(statementMeans)(found.means, `${path}.means`),
  }
}

function readAnswer(value: unknown, path: string): ObjectionAnswer {
  const found = mapping(value, path, [...statementKeys, 'kind', 'words'])
  return {
    ...readStatement(found, path),
    kind: oneOf(answerKinds)(found.kind, `${path}.kind`),
    words: text(found.words, `${path}.words`),
  }
}

function readSubject(value: unknown, path: string): ObjectionSubject {
  const { kind } = mapping(value, path, ['kind'], ['line', 'input', 'series', 'period'])
  if (kind === 'number') {
    mapping(value, path, ['kind'])
    return { kind }
  }
  if (kind === 'line') return { kind, line: text(mapping(value, path, ['kind', 'line']).line, `${path}.line`) }
  if (kind !== 'figure') refuseShape(`${path}.kind`, 'number, line or figure')
  const { input, series, period } = mapping(value, path, ['kind', 'input', 'series', 'period'])
  return {
    kind: 'figure',
    input: text(input, `${path}.input`),
    series: text(series, `${path}.series`),
    period: text(period, `${path}.period`),
  }
}

function readReading(value: unknown, path: string): AttachedReading {
  const found = mapping(value, path, ['id', 'title', 'words', 'adjustmentPct', 'cumulativePct', 'price'])
  return {
    id: text(found.id, `${path}.id`),
    title: text(found.title, `${path}.title`),
    words: text(found.words, `${path}.words`),
    adjustmentPct: nullable(found.adjustmentPct, `${path}.adjustmentPct`, text),
    cumulativePct: text(found.cumulativePct, `${path}.cumulativePct`),
    price: nullable(found.price, `${path}.price`, text),
  }
}
