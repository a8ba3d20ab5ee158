// What vintages mean: which one counts inside the cuts, what a new value is beside what we hold, and how mixed inputs
// are named. Pure rules over immutable records.
import type { Instant } from './instant.ts'
import type { SeriesHeader, SeriesHistory, VersionTag, Vintage } from './series.ts'

/** How far a question looks: by publication, by recording, or not cut at all. */
export interface Cuts {
  /** Only what had been published by then. */
  readonly asOf: Instant | null
  /** Only what we held by then. */
  readonly knownAt: Instant | null
}

export const noCuts: Cuts = { asOf: null, knownAt: null }

export function isInside(vintage: Vintage, { asOf, knownAt }: Cuts): boolean {
  if (asOf !== null && vintage.publishedAt > asOf) return false
  return knownAt === null || vintage.recordedAt === null || vintage.recordedAt <= knownAt
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

/** Which of a period's vintages counts. */
export interface Selection {
  readonly policy: 'LATEST' | 'FIRST' | 'FINAL'
  /** Only this tag (C10); `orNewest` falls back to the newest where the tag is lacking. */
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
 * The vintage that counts among those inside the cuts, or undefined. From a withdrawal on a period has no value under
 * any selection, until it is published again.
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

/** The weakest of the tags: any PRELIMINARY, else any REVISED, else FINAL. */
export function weakestTag(tags: Iterable<VersionTag>): VersionTag {
  let weakest: VersionTag = 'FINAL'
  for (const tag of tags) {
    if (tag === 'PRELIMINARY') return tag
    if (tag === 'REVISED') weakest = tag
  }
  return weakest
}

/** The tag of a value that comes without one: FINAL, or REVISED where it changes a FINAL or REVISED one. */
export function tagByHistory(before: readonly Vintage[], value: string): VersionTag {
  const settled = before.findLast(vintage => vintage.tag === 'FINAL' || vintage.tag === 'REVISED')
  if (settled === undefined) return 'FINAL'
  return settled.value === value ? settled.tag! : 'REVISED'
}

export function buildHistory(header: SeriesHeader, vintages: ReadonlyMap<number, readonly Vintage[]>): SeriesHistory {
  const ordinals = [...vintages.keys()].sort((a, b) => a - b)
  const periods = new Map(ordinals.map(ordinal => [ordinal, [...vintages.get(ordinal)!].sort(compareVintages)]))
  return { ...header, periods, ordinals }
}
