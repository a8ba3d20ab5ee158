// Union of several answers about each requested series: pages, spans of years, metadata next to values. It decides whether a
// series was received at all, and whether completely. Pure; it compares nothing.

import { isSameValue } from '../core/series/vintage.ts'
import { type Frequency, formatPeriod, parsePeriod, periodAt, rankOf } from '../core/time/period.ts'
import type {
  AnswerProblem,
  MissingObservation,
  ParsedAnswer,
  ParsedObservation,
  ParsedSeries,
} from '../providers/provider.ts'

/** One request and every request that followed from it. */
export interface Chain {
  readonly codes: readonly string[]
  /** If an answer led to a further request, the problems of the further answer replace its own. */
  readonly parsedAnswers: readonly ParsedAnswer[]
  /** Why the chain stopped early; none of its series count then. */
  readonly failure: AnswerProblem | null
  /** Whether every answer marked its end; if not, a missing period means nothing. */
  readonly hasMarkedEnds: boolean
}

export type Gathered =
  | {
      readonly kind: 'read'
      readonly series: ParsedSeries
      /** The answer is complete, so a missing period is really missing. */
      readonly isComplete: boolean
      /** Parts that could not be read. */
      readonly problems: readonly AnswerProblem[]
    }
  /** The provider answered, without anything about this series. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'failed'; readonly problem: AnswerProblem }

/** Gathers answers by requested code; series that were not requested are ignored. */
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
  const parts: ParsedSeries[] = []
  const unread: AnswerProblem[] = []
  for (const { codes: asked, parsedAnswers } of chains) {
    const own = parsedAnswers.flatMap(({ series }) => series.filter(each => isSameCode(each.code, code, codes)))
    const about = parsedAnswers.flatMap(({ problems }) => problems).filter(problem => isAbout(problem, code, asked))
    if (own.length === 0 && about.length > 0) return { kind: 'failed', problem: about[0]! }
    parts.push(...own)
    unread.push(...about)
  }
  const [first] = parts
  if (first === undefined) return { kind: 'empty' }
  const frequency = frequencyOf(parts)
  const fitting = parts.map(part => readAs(part, frequency)).filter(part => part !== null)
  if (fitting.every(isHead) && !parts.every(isHead)) {
    const names = [...new Set(parts.map(part => part.frequency))].join(' and ')
    return { kind: 'failed', problem: { kind: 'unreadable', message: `${code} was sent as ${names}` } }
  }
  const { observations, conflicts } = mergeObservations(fitting.flatMap(part => part.observations))
  const problems = [...unread, ...conflicts.map(period => conflictAt(code, period))]
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

/** Ignores case, unless another requested code differs only in case. */
function isSameCode(came: string, code: string, codes: readonly string[]): boolean {
  if (came === code) return true
  return came.toLowerCase() === code.toLowerCase() && !codes.includes(came)
}

/** A problem that names a code of its request belongs to that code; any other problem concerns all of them. */
function isAbout({ message }: AnswerProblem, code: string, asked: readonly string[]): boolean {
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

function isHead({ observations, missing }: ParsedSeries): boolean {
  return observations.length + missing.length === 0
}

/** The frequency in the metadata; without it the finest one received, because coarser ones next to it are averages. */
function frequencyOf(parts: readonly ParsedSeries[]): Frequency {
  const head = parts.find(isHead)
  if (head !== undefined) return head.frequency
  return parts.map(part => part.frequency).reduce((finest, each) => (rankOf(each) < rankOf(finest) ? each : finest))
}

/** A date can be read as any coarser period that contains it; no other conversion is possible. */
function readAs(part: ParsedSeries, frequency: Frequency): ParsedSeries | null {
  if (part.frequency === frequency) return part
  if (part.frequency !== 'DAILY') return null
  const turn = <T extends { readonly period: string }>(each: T): T => {
    return { ...each, period: formatPeriod(periodAt(frequency, ordinalOf(each.period))) }
  }
  return { ...part, frequency, observations: part.observations.map(turn), missing: part.missing.map(turn) }
}

function conflictAt(code: string, period: string): AnswerProblem {
  return { kind: 'unreadable', message: `${code}: two different values were sent for ${period}` }
}

function mergeObservations(all: readonly ParsedObservation[]): {
  readonly observations: readonly ParsedObservation[]
  readonly conflicts: readonly string[]
} {
  if (isInOrder(all)) return { observations: all, conflicts: [] }
  const kept = new Map<string, ParsedObservation>()
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

/** Nearly every long history arrives in one answer, in order and without repeats: then there is nothing to merge. */
function isInOrder(all: readonly ParsedObservation[]): boolean {
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

function mergeMissing(all: readonly MissingObservation[]): readonly MissingObservation[] {
  const kept = new Map(all.map(missing => [`${missing.period} ${missing.reason}`, missing]))
  return [...kept.values()].sort((a, b) => ordinalOf(a.period) - ordinalOf(b.period))
}

/** An unknown publication day sorts before the known ones. */
function byPeriod(a: ParsedObservation, b: ParsedObservation): number {
  const [first, second] = [a.published ?? '', b.published ?? '']
  return ordinalOf(a.period) - ordinalOf(b.period) || (first === second ? 0 : first < second ? -1 : 1)
}

function ordinalOf(period: string): number {
  return parsePeriod(period)!.ordinal
}
