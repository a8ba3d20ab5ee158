// Rules of vintages: the one that counts inside the cuts, the meaning of a new value beside the stored ones, and the tag of
// mixed inputs. Pure rules over immutable records, written once: packed memory, SQL and the browser, which cannot call them,
// are checked against them by tests (test/properties/vintage-cuts.test.ts and vintage-rule.test.ts).

import { equal, ratio } from '../numbers/ratio.ts'
import type { Instant } from '../time/instant.ts'
import type { SeriesHeader, SeriesHistory, VersionTag, Vintage } from './series.ts'

/** The cuts of a request: by publication, by recording, both or none. */
export interface Cuts {
  /** Figures published by then. */
  readonly asOf: Instant | null
  /** Figures stored by then. */
  readonly knownAt: Instant | null
}

export const noCuts: Cuts = { asOf: null, knownAt: null }

/** Whether something lies inside a cut; the cut's own instant is included. */
export function isBy(instant: Instant, cut: Instant | null): boolean {
  return cut === null || instant <= cut
}

export function isInside({ publishedAt, recordedAt }: Vintage, { asOf, knownAt }: Cuts): boolean {
  return isBy(publishedAt, asOf) && (recordedAt === null || isBy(recordedAt, knownAt))
}

/** Whether no day of publication was given: the vintage counts from the moment at which it was first seen here. */
export function isFirstSeen({ publishedAt, recordedAt }: Pick<Vintage, 'publishedAt' | 'recordedAt'>): boolean {
  return publishedAt === recordedAt
}

/** Newest last: by publication, then by recording. */
export function compareVintages(a: Vintage, b: Vintage): number {
  if (a.publishedAt !== b.publishedAt) return a.publishedAt < b.publishedAt ? -1 : 1
  const [first, second] = [a.recordedAt ?? '', b.recordedAt ?? '']
  return first === second ? 0 : first < second ? -1 : 1
}

export function vintagesInside(vintages: readonly Vintage[], cuts: Cuts): readonly Vintage[] {
  if (cuts.asOf === null && cuts.knownAt === null) return vintages
  return vintages.filter(vintage => isInside(vintage, cuts))
}

/** The choice among a period's vintages. */
export interface Selection {
  readonly policy: 'LATEST' | 'FIRST' | 'FINAL'
  /** The tag to read (C10); `orNewest` falls back to the newest where the tag is lacking. */
  readonly tag: VersionTag | null
  readonly orNewest: boolean
}

export const newest: Selection = { policy: 'LATEST', tag: null, orNewest: false }

/** A vintage with its value, which a withdrawal lacks. */
export interface ValuedVintage extends Vintage {
  readonly value: string
  readonly tag: VersionTag
}

/**
 * The vintage that counts among those inside the cuts, or undefined. After a withdrawal a period has no value under any
 * selection, until it is published again.
 */
export function selectVintage(vintages: readonly Vintage[], selection: Selection): ValuedVintage | undefined {
  const last = vintages.at(-1)
  if (last?.value == null) return undefined
  if (selection.tag === null && selection.policy === 'LATEST') return last as ValuedVintage
  const valued = vintages.filter((vintage): vintage is ValuedVintage => vintage.value !== null)
  if (selection.tag !== null) {
    const tagged = valued.filter(vintage => vintage.tag === selection.tag)
    const found = selection.policy === 'FIRST' ? tagged[0] : tagged.at(-1)
    if (found !== undefined || !selection.orNewest) return found
  }
  if (selection.policy === 'FIRST') return valued[0]
  if (selection.policy === 'FINAL') return valued.findLast(vintage => vintage.tag === 'FINAL')
  return valued.at(-1)
}

/** The weaker of two tags: PRELIMINARY before REVISED, REVISED before FINAL. */
export function weakerTag(a: VersionTag, b: VersionTag): VersionTag {
  if (a === 'PRELIMINARY' || b === 'PRELIMINARY') return 'PRELIMINARY'
  return a === 'REVISED' ? a : b
}

/**
 * Whether two figures are equal. They are compared as numbers, here and everywhere: `1.0` and `1.00` are one value, so another
 * zero at the end is neither a revision nor a contradiction, and the digits that came first stay.
 */
export function isSameValue(a: string | null, b: string | null): boolean {
  if (a === b) return true
  return a !== null && b !== null && equal(ratio(a), ratio(b))
}

/** Whether a vintage is neither preliminary nor withdrawn. */
export function isPastPreliminary({ value, tag }: Pick<Vintage, 'value' | 'tag'>): boolean {
  return value !== null && (tag === 'FINAL' || tag === 'REVISED')
}

/** The tag of a value that comes without one: FINAL, or REVISED where it changes a FINAL or REVISED one. */
export function tagByHistory(before: readonly Vintage[], value: string): VersionTag {
  const final = before.findLast(isPastPreliminary)
  if (final === undefined) return 'FINAL'
  return isSameValue(final.value, value) ? final.tag! : 'REVISED'
}

/**
 * A source's mark on a value: a tag, that it is no longer preliminary, or nothing at all. Without a tag the history decides
 * between FINAL and REVISED.
 */
export type Mark = VersionTag | 'NOT_PRELIMINARY' | null

/** A source's statement about a period: a vintage whose tag may still be open. */
export interface Statement extends Omit<Vintage, 'tag'> {
  readonly mark: Mark
}

/** Whether a vintage is exactly this statement: the same publication with the same value, under a tag that fits the mark. */
export function isStatement(vintage: Vintage, { value, mark, publishedAt }: Omit<Statement, 'recordedAt'>): boolean {
  if (vintage.publishedAt !== publishedAt || !isSameValue(vintage.value, value)) return false
  if (mark === null || value === null) return true
  return mark === 'NOT_PRELIMINARY' ? isPastPreliminary(vintage) : vintage.tag === mark
}

/** The vintage that a statement adds after others of its period; null if it only repeats the last of them. */
export function vintageBehind(before: readonly Vintage[], { mark, ...said }: Statement): Vintage | null {
  const { value } = said
  const isOpen = mark === null || mark === 'NOT_PRELIMINARY'
  const tag = value === null ? null : isOpen ? tagByHistory(before, value) : mark
  const last = before.at(-1)
  const isRepeat = last === undefined ? value === null : last.tag === tag && isSameValue(last.value, value)
  return isRepeat ? null : { ...said, tag }
}

/** The place behind everything that was published by then. */
export function placeBehind(vintages: readonly Vintage[], publishedAt: Instant): number {
  const later = vintages.findIndex(vintage => vintage.publishedAt > publishedAt)
  return later < 0 ? vintages.length : later
}

/**
 * A period's vintages, oldest publication first, after statements that came together (C12): statements that are already stored
 * add nothing, nor do statements that only repeat the one published before them.
 */
export function withStatements(held: readonly Vintage[], statements: readonly Statement[]): readonly Vintage[] {
  const timeline = [...held]
  const open = statements.filter(said => !held.some(vintage => isStatement(vintage, said)))
  for (const said of open.toSorted((a, b) =>
    a.publishedAt === b.publishedAt ? 0 : a.publishedAt < b.publishedAt ? -1 : 1,
  )) {
    const place = placeBehind(timeline, said.publishedAt)
    const vintage = vintageBehind(timeline.slice(0, place), said)
    if (vintage !== null) timeline.splice(place, 0, vintage)
  }
  return timeline
}

export function buildHistory(header: SeriesHeader, vintages: ReadonlyMap<number, readonly Vintage[]>): SeriesHistory {
  const ordinals = [...vintages.keys()].sort((a, b) => a - b)
  const periods = new Map(ordinals.map(ordinal => [ordinal, [...vintages.get(ordinal)!].sort(compareVintages)]))
  return { ...header, periods, ordinals }
}
