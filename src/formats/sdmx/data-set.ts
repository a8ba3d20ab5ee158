// The data that the writers of CSV, JSON and XML take: series of observations, one after the other, each made when it is
// written.

import type { Instant } from '../../core/time/instant.ts'
import type { DataStructure } from './artefacts.ts'

/** The receiver's act: none, replaces what it has, or deletes it. */
export type Action = 'Information' | 'Replace' | 'Delete'

export interface Observation {
  readonly period: string
  /** The value; null where it is deleted. */
  readonly value: string | null
  /** Attributes of an observation, in the order of the structure. */
  readonly attributes: readonly (string | null)[]
  readonly action: Action
  /** The first and the last instant at which the value counted; only in a history, and null while it still counts. */
  readonly validFrom: Instant | null
  readonly validTo: Instant | null
}

export interface SeriesOfData {
  /** Codes in the order of the dimensions, without time. */
  readonly key: readonly string[]
  /** The names of its codes, where they have one. */
  readonly names: readonly (string | null)[]
  /** Attributes of a series, in the order of the structure. */
  readonly attributes: readonly (string | null)[]
  readonly observations: Iterable<Observation>
}

export interface DataPart {
  readonly structure: DataStructure
  readonly series: AsyncIterable<SeriesOfData>
}

export interface DataMessage {
  readonly parts: readonly DataPart[]
  /** The time of the newest thing behind the message: an answer in which nothing changed stays the same. */
  readonly prepared: Instant
  /** Whether the message gives changes or a history: then each observation has an action of its own. */
  readonly hasActions: boolean
  readonly hasValidity: boolean
}

export function attributesOf({ attributes }: DataStructure, of: 'series' | 'observation') {
  return attributes.filter(each => each.of === of)
}

/** Names a message; not unique among messages with equal content. */
export function messageId({ parts, prepared }: Pick<DataMessage, 'parts' | 'prepared'>): string {
  return `${parts.length === 1 ? parts[0]!.structure.id : 'DATA'}-${prepared.replace(/\D/g, '')}`
}

/** A slice of the observations of all parts together, in the order in which they are written. */
export function cutParts(parts: readonly DataPart[], offset: number, limit: number | null): readonly DataPart[] {
  if (offset === 0 && limit === null) return parts
  const end = limit === null ? Number.POSITIVE_INFINITY : offset + limit
  let at = 0
  function* some(observations: Iterable<Observation>): Generator<Observation> {
    for (const each of observations) {
      if (at >= end) return
      if (at++ >= offset) yield each
    }
  }
  async function* cut(series: AsyncIterable<SeriesOfData>): AsyncGenerator<SeriesOfData> {
    for await (const each of series) {
      if (at >= end) return
      yield { ...each, observations: some(each.observations) }
    }
  }
  return parts.map(({ structure, series }) => ({ structure, series: cut(series) }))
}

/** Observations that have an action and a validity in common. */
export interface DataSet {
  readonly action: Action
  readonly validFrom: Instant | null
  readonly validTo: Instant | null
  readonly series: readonly SeriesOfData[]
}

/**
 * Changes and histories come as one data set for each action and validity, in the order of time; the actions of one
 * series are spread over several of them, so all of them are held.
 */
export async function* gatherDataSets(series: AsyncIterable<SeriesOfData>): AsyncGenerator<DataSet> {
  const sets = new Map<string, Map<SeriesOfData, Observation[]>>()
  for await (const each of series)
    for (const observation of each.observations) {
      const name = nameOf(observation)
      const set = sets.get(name) ?? new Map<SeriesOfData, Observation[]>()
      sets.set(name, set)
      const there = set.get(each)
      if (there === undefined) set.set(each, [observation])
      else there.push(observation)
    }
  for (const name of [...sets.keys()].sort()) {
    const parts = [...sets.get(name)!]
    sets.delete(name)
    const { action, validFrom, validTo } = parts[0]![1][0]!
    const series = parts.map(([each, observations]) => ({ ...each, ...sharedIn(action, each), observations }))
    yield { action, validFrom, validTo, series }
  }
}

/** A deletion names keys alone: a value beside one would say that only that value is deleted. */
function sharedIn(action: Action, { attributes }: SeriesOfData): Pick<SeriesOfData, 'attributes'> {
  return { attributes: action === 'Delete' ? attributes.map(() => null) : attributes }
}

/** Names sort in the order in which sets began to count. */
function nameOf({ action, validFrom, validTo }: Observation): string {
  return `${validFrom} ${action} ${validTo}`
}
