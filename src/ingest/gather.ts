// Puts together what several answers say about each series that was asked for: pages, spans of years, metadata beside
// values. It decides whether a series came at all, and whether what came is all of it. Pure; it compares nothing.
import { type Frequency, parsePeriod, periodAt, rankOf, writePeriod } from '../core/period.ts'
import { isSameValue } from '../core/vintage.ts'
import type {
  MissingReading,
  ObservationReading,
  Reading,
  ReadingProblem,
  SeriesReading,
} from '../providers/provider.ts'

/** One request and all that followed from it. */
export interface Chain {
  readonly codes: readonly string[]
  /** What each answer means. The problems of one that called for another are superseded by that other's. */
  readonly readings: readonly Reading[]
  /** Why the chain ended before its end: nothing of its series counts then. */
  readonly failure: ReadingProblem | null
  /** Whether the answers said where they end: where not, an absence says nothing. */
  readonly hasMarkedEnds: boolean
}

export type Gathered =
  | {
      readonly kind: 'read'
      readonly series: SeriesReading
      /** Nothing is missing from what was asked for, so that an absence means something. */
      readonly isComplete: boolean
      /** What could not be read beside it. */
      readonly problems: readonly ReadingProblem[]
    }
  /** The provider answered and had nothing to say about it. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'failed'; readonly problem: ReadingProblem }

/** By the codes that were asked for; series that came along unasked are left out. */
export function gather(codes: readonly string[], chains: readonly Chain[]): ReadonlyMap<string, Gathered> {
  return new Map(
    codes.map(code => [
      code,
      gatherOne(
        code,
        codes,
        chains.filter(chain => chain.codes.includes(code)),
      ),
    ]),
  )
}

function gatherOne(code: string, codes: readonly string[], chains: readonly Chain[]): Gathered {
  const failure = chains.find(chain => chain.failure !== null)?.failure
  if (failure != null) return { kind: 'failed', problem: failure }
  const parts: SeriesReading[] = []
  const beside: ReadingProblem[] = []
  for (const { codes: asked, readings } of chains) {
    const own = readings.flatMap(({ series }) => series.filter(each => isSameCode(each.code, code, codes)))
    const about = readings.flatMap(({ problems }) => problems).filter(problem => isAbout(problem, code, asked))
    if (own.length === 0 && about.length > 0) return { kind: 'failed', problem: about[0]! }
    parts.push(...own)
    beside.push(...about)
  }
  const [first] = parts
  if (first === undefined) return { kind: 'empty' }
  const frequency = frequencyOf(parts)
  const fitting = parts.map(part => readAs(part, frequency)).filter(part => part !== null)
  if (fitting.every(isHead) && !parts.every(isHead)) {
    const names = [...new Set(parts.map(part => part.frequency))].join(' and ')
    return { kind: 'failed', problem: { kind: 'unreadable', message: `${code} came as ${names}` } }
  }
  const { observations, conflicts } = mergeObservations(fitting.flatMap(part => part.observations))
  const problems = [...beside, ...conflicts.map(period => conflictAt(code, period))]
  return {
    kind: 'read',
    series: {
      code: first.code,
      name: parts.map(part => part.name).find(name => name !== null) ?? null,
      unit: parts.map(part => part.unit).find(unit => unit !== null) ?? null,
      frequency,
      observations,
      missing: mergeMissing(fitting.flatMap(part => part.missing)),
    },
    isComplete: problems.length === 0 && chains.every(chain => chain.hasMarkedEnds),
    problems,
  }
}

/** Letters aside, where no other code that was asked for differs in its letters alone. */
function isSameCode(came: string, code: string, codes: readonly string[]): boolean {
  if (came === code) return true
  return came.toLowerCase() === code.toLowerCase() && !codes.includes(came)
}

/** A problem that names one of the codes of its request is that one's; any other concerns them all. */
function isAbout({ message }: ReadingProblem, code: string, asked: readonly string[]): boolean {
  if (asked.length === 1) return true
  const named = asked.filter(each => names(message, each))
  return named.length === 0 || named.includes(code)
}

function names(message: string, code: string): boolean {
  for (let at = message.indexOf(code); at >= 0; at = message.indexOf(code, at + 1)) {
    const [before, after] = [message[at - 1] ?? ' ', message[at + code.length] ?? ' ']
    if (!/[\w/]/.test(before) && !/[\w/]/.test(after)) return true
  }
  return false
}

function isHead({ observations, missing }: SeriesReading): boolean {
  return observations.length + missing.length === 0
}

/** What the metadata says; without them the finest that came, for coarser ones beside it are averages. */
function frequencyOf(parts: readonly SeriesReading[]): Frequency {
  const head = parts.find(isHead)
  if (head !== undefined) return head.frequency
  return parts.map(part => part.frequency).reduce((finest, each) => (rankOf(each) < rankOf(finest) ? each : finest))
}

/** Dates can be read as any coarser period that holds them; nothing else can be turned into something else. */
function readAs(part: SeriesReading, frequency: Frequency): SeriesReading | null {
  if (part.frequency === frequency) return part
  if (part.frequency !== 'DAILY') return null
  const turn = <T extends { readonly period: string }>(reading: T): T => {
    return { ...reading, period: writePeriod(periodAt(frequency, ordinalOf(reading.period))) }
  }
  return { ...part, frequency, observations: part.observations.map(turn), missing: part.missing.map(turn) }
}

function conflictAt(code: string, period: string): ReadingProblem {
  return { kind: 'unreadable', message: `${code}: ${period} came with two different values` }
}

function mergeObservations(all: readonly ObservationReading[]): {
  readonly observations: readonly ObservationReading[]
  readonly conflicts: readonly string[]
} {
  if (isInOrder(all)) return { observations: all, conflicts: [] }
  const kept = new Map<string, ObservationReading>()
  const conflicts = new Map<string, string>()
  for (const observation of all) {
    const place = `${observation.period} ${observation.published ?? ''}`
    const twin = kept.get(place)
    if (twin === undefined) kept.set(place, observation)
    else if (!isSameValue(twin.value, observation.value)) conflicts.set(place, observation.period)
  }
  for (const place of conflicts.keys()) kept.delete(place)
  return { observations: [...kept.values()].sort(byPeriod), conflicts: [...conflicts.values()] }
}

/** Nearly every long history comes as one answer in order, nothing twice: then there is nothing to put together. */
function isInOrder(all: readonly ObservationReading[]): boolean {
  let ordinal = Number.NEGATIVE_INFINITY
  let published = ''
  for (const observation of all) {
    const next = ordinalOf(observation.period)
    const nextPublished = observation.published ?? ''
    if (next < ordinal || (next === ordinal && nextPublished <= published)) return false
    ordinal = next
    published = nextPublished
  }
  return true
}

function mergeMissing(all: readonly MissingReading[]): readonly MissingReading[] {
  const kept = new Map(all.map(missing => [`${missing.period} ${missing.reason}`, missing]))
  return [...kept.values()].sort((a, b) => ordinalOf(a.period) - ordinalOf(b.period))
}

/** An unknown day of publication was before those that are known. */
function byPeriod(a: ObservationReading, b: ObservationReading): number {
  const [first, second] = [a.published ?? '', b.published ?? '']
  return ordinalOf(a.period) - ordinalOf(b.period) || (first === second ? 0 : first < second ? -1 : 1)
}

function ordinalOf(period: string): number {
  return parsePeriod(period)!.ordinal
}
