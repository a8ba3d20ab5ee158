// Changed answers of all providers, and how many of them go unnoticed: by their shape, by the reader, and by the check of what
// would be rewritten.
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import { formatPeriod, lastDayOf, parsePeriod, periodAt } from '../../src/core/time/period.ts'
import { placesIn } from '../../src/ingest/drift/places.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { Answer } from '../../src/providers/provider.ts'
import { Chance } from '../faults/chance.ts'
import { instant, type StandInSeries } from '../stand-in/model.ts'
import { answersAt, from, moments, recordedAnswers, someSeries } from './drift-bodies.ts'
import { type Comparers, Known, ownComparers } from './drift-judge.ts'
import { mutators } from './drift-mutators.ts'

export interface DriftOutcome {
  readonly changed: number
  /** How many were changed in each way. */
  readonly kinds: Readonly<Record<string, number>>
  /** By kind: what was changed and not noticed. */
  readonly unnoticed: readonly string[]
}

interface Case {
  readonly provider: ProviderName
  /** Those that the answer and its neighbours are about. */
  readonly series: readonly StandInSeries[]
  readonly answer: Answer
  readonly isRecorded: boolean
  readonly known: Known
  /** What is noticed about the answer as it is: parts that cannot be read. */
  readonly own: ReadonlySet<string>
}

const frequencyKind = 'another frequency'
const stillKind = 'a series that stands still'
const now = moments[2]!
const recordedNow = instant('2027-06-01')

export function runDrift(
  { count, seed, withRecorded }: { readonly count: number; readonly seed: number; readonly withRecorded: boolean },
  comparers: Comparers = ownComparers,
): DriftOutcome {
  const chance = new Chance(seed)
  const cases = casesOf(comparers, withRecorded)
  const byProvider = [...Map.groupBy(cases, ({ provider }) => provider).values()]
  const ways = [...Object.keys(mutators), frequencyKind, stillKind]
  const kinds: Record<string, number> = {}
  const unnoticed: string[] = []
  for (let changed = 0, tries = 0; changed < count && tries < count * 20; tries++) {
    const way = ways[tries % ways.length]!
    const chosen = chance.pick(chance.pick(byProvider))
    const noticed = attempt(way, chosen, chance, comparers)
    if (noticed === null) continue
    changed++
    kinds[way] = (kinds[way] ?? 0) + 1
    if (noticed.length === 0) unnoticed.push(`${way}: ${chosen.provider}${chosen.isRecorded ? ', recorded' : ''}`)
  }
  return { changed: Object.values(kinds).reduce((sum, each) => sum + each, 0), kinds, unnoticed: unnoticed.sort() }
}

function casesOf(comparers: Comparers, withRecorded: boolean): readonly Case[] {
  const caseOf = (
    provider: ProviderName,
    series: readonly StandInSeries[],
    answer: Answer,
    isRecorded: boolean,
  ): Case => {
    const known = new Known(providers[provider], comparers)
    known.accept(answer, timeOf(isRecorded).now)
    const { from: since, now: at } = timeOf(isRecorded)
    return { provider, series, answer, isRecorded, known, own: new Set(known.notice(answer, since, at)) }
  }
  const recorded = withRecorded ? recordedAnswers() : []
  return providerNames.flatMap(provider => {
    const series = someSeries(provider)
    return [
      ...answersAt(provider, series.slice(0, 3), now)
        .filter(answer => providers[provider].read(answer).series.length > 0)
        .map(answer => caseOf(provider, series, answer, false)),
      ...recorded.filter(each => each.provider === provider).map(each => caseOf(provider, series, each.answer, true)),
    ]
  })
}

const timeOf = (isRecorded: boolean) => (isRecorded ? { from: null, now: recordedNow } : { from, now })

/** What is noticed; `null` where the answer cannot be changed in this way. */
function attempt(way: string, chosen: Case, chance: Chance, comparers: Comparers): readonly string[] | null {
  const { provider, answer, isRecorded, known, own } = chosen
  if (way === stillKind) return noticeStill(chosen, chance, comparers)
  const mutated = way === frequencyKind ? anotherFrequency(chosen) : mutators[way]!(answer, providers[provider], chance)
  if (mutated === null || (mutated.body === answer.body && mutated.contentType === answer.contentType)) return null
  const { from: since, now: at } = timeOf(isRecorded)
  return known.notice(mutated, since, at).filter(each => !own.has(each))
}

/** The same code with figures of whole years. */
function anotherFrequency({ provider, answer, series: all }: Case): Answer | null {
  const series = all.filter(({ code }) => answer.codes.includes(code))
  if (series.length === 0 || series.some(({ frequency }) => frequency === 'ANNUAL')) return null
  const place = (each: Answer) => `${each.url?.replace(/\?.*/, '')} ${each.codes.join()}`
  return answersAt(provider, series.map(yearly), now).find(each => place(each) === place(answer)) ?? null
}

function yearly(series: StandInSeries): StandInSeries {
  const publications = series.publications.map(each => {
    return { ...each, period: formatPeriod(periodAt('ANNUAL', lastDayOf(parsePeriod(each.period)!))) }
  })
  return { ...series, frequency: 'ANNUAL', publications }
}

/** The others of a family have moved on, one has not. */
function noticeStill({ series }: Case, chance: Chance, { formSigns }: Comparers): readonly string[] | null {
  if (series.length < 4) return null
  const family = series
    .slice(0, 5)
    .map(({ code }) => ({ code, frequency: 'MONTHLY' as const, newest: 660 + chance.int(0, 1) }))
  const before = placesIn(family.map(each => ({ ...each, behind: null })))
  const still = chance.int(0, family.length - 1)
  const by = chance.int(3, 6)
  const after = family.map((each, at) => {
    const behind = before.find(({ code }) => code === each.code)!.behind
    return { ...each, newest: at === still ? each.newest : each.newest + by, behind }
  })
  const left = placesIn(after).filter(({ isLeftBehind }) => isLeftBehind)
  return formSigns === ownComparers.formSigns ? left.map(({ code }) => `shape: standing-still: ${code}`) : []
}
