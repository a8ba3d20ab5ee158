// `calendar refresh`: asks providers for their release calendars, with the limits, locks and redaction used for values, and
// announces new entries. A calendar that suddenly says much less waits for a person.
import { createHash } from 'node:crypto'
import type { Release } from '../../core/calendar/release.ts'
import type { ProviderName } from '../../core/series/series.ts'
import { canonicalJson, type Json } from '../../core/text/canonical-json.ts'
import { dayOfInstant, type Instant } from '../../core/time/instant.ts'
import { providers } from '../../providers/catalogue/catalogue.ts'
import type {
  AnswerProblem,
  ParsedReleases,
  Provider,
  ProviderRequest,
  ReleasesPart,
} from '../../providers/provider.ts'
import { publicScope, type Sql } from '../../storage/postgres/database.ts'
import {
  loadCalendarNow,
  loadPublicSeriesReleases,
  publishReleases,
  saveSeriesReleases,
} from '../../storage/series/calendar.ts'
import {
  decideCalendar,
  isRejectedCalendar,
  listCalendarStates,
  quarantineCalendar,
  saveCalendarState,
} from '../../storage/series/calendar-state.ts'
import { finishRun, keepAnswers, type RunProblem, startRun } from '../../storage/series/ingest-runs.ts'
import { listPublicSeries, type PublicSeries } from '../../storage/series/public-series.ts'
import { type AnswerChain, type AnswerReader, askChain, Lane, requestHash } from '../ask.ts'
import { watchForms } from '../drift/watch.ts'
import { noValidators } from '../fetch.ts'
import { ingestLimits } from '../ingest-limits.ts'
import { problemWords } from '../publish.ts'
import type { Ingest } from '../run.ts'
import { type CalendarComparison, compareCalendar, tidyRelease } from './calendar-compare.ts'

type Outcome =
  | { readonly kind: 'changed'; readonly added: number; readonly moved: number; readonly withdrawn: number }
  | { readonly kind: 'unchanged' }
  /** Waits for an operator. */
  | { readonly kind: 'quarantined'; readonly reason: string }
  /** An operator has rejected the same calendar before. */
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'failed' }
  /** Another run is asking for it. */
  | { readonly kind: 'busy' }
  /** No followed series has a calendar that could be asked for. */
  | { readonly kind: 'nothing asked' }

export interface CalendarRun {
  readonly provider: ProviderName
  readonly outcome: Outcome
  readonly entries: number
  readonly ahead: number
  /** Entries whose period or date could not be read. */
  readonly unread: number
  readonly problems: readonly AnswerProblem[]
  readonly asked: number
}

export type CalendarProvider = Provider & { readonly releases: ReleasesPart }

export function calendarProviders(): readonly CalendarProvider[] {
  return Object.values(providers).filter((each): each is CalendarProvider => each.releases !== undefined)
}

/** Runs every provider to its end, whatever happens to the others; then throws the first internal error, if any. */
export async function refreshCalendars(
  ingest: Ingest,
  asked: readonly CalendarProvider[],
): Promise<readonly CalendarRun[]> {
  const runs = await Promise.allSettled(asked.map(provider => refreshCalendar(ingest, provider)))
  for (const run of runs) if (run.status === 'rejected') throw run.reason
  return runs.map(run => (run as PromiseFulfilledResult<CalendarRun>).value)
}

/** Whether the timetable asks for it now: somebody uses it, and it was not answered for most of a day. */
export async function isCalendarDue(
  { sql, clock }: Pick<Ingest, 'sql' | 'clock'>,
  provider: CalendarProvider,
): Promise<boolean> {
  const state = (await listCalendarStates(sql)).find(each => each.provider === provider.name)
  if (state !== undefined)
    return state.lastAnsweredAt === null || hoursBetween(state.lastAnsweredAt, clock()) >= ingestLimits.calendarHours
  return (await listPublicSeries(sql, { provider: provider.name })).length > 0
}

function hoursBetween(before: Instant, after: Instant): number {
  return (Date.parse(after) - Date.parse(before)) / 3_600_000
}

const nothing = { entries: 0, ahead: 0, unread: 0, problems: [], asked: 0 }

export async function refreshCalendar(ingest: Ingest, provider: CalendarProvider): Promise<CalendarRun> {
  const reference = lockOf(provider.name)
  const taken = await ingest.locks.take([reference])
  if (!taken.has(reference)) return { provider: provider.name, outcome: { kind: 'busy' }, ...nothing }
  try {
    return await runCalendar(ingest, provider)
  } finally {
    await ingest.locks.release(taken)
  }
}

/** No code of a series looks like it. */
export function lockOf(provider: ProviderName): string {
  return `${provider} calendar`
}

async function runCalendar(ingest: Ingest, provider: CalendarProvider): Promise<CalendarRun> {
  const { sql, clock, log } = ingest
  const { name } = provider
  const startedAt = clock()
  const series = await listPublicSeries(sql, { provider: name })
  const id = await startRun(sql, { provider: name, cause: 'calendar', startedAt, series: series.length })
  let run: CalendarRun = { provider: name, outcome: { kind: 'failed' }, ...nothing }
  try {
    const chains = await askAll(ingest, provider, series)
    run = await publish(ingest, provider, series, chains)
    const isQuiet = run.outcome.kind === 'unchanged' && run.problems.length === 0
    const answers = chains.flatMap(chain => chain.answers.map(each => ({ ...each, provider: name, isKept: !isQuiet })))
    await keepAnswers(sql, id, 0, answers)
  } finally {
    const counts = countsOf(run)
    await finishRun(sql, id, clock(), counts)
    const { problems, ...numbers } = counts
    const fields = { provider: name, cause: 'calendar', ...numbers, unread: run.unread, problems: problems.length }
    if (problems.length > 0) log.warn(fields, 'calendar')
    else log.info(fields, 'calendar')
  }
  return run
}

function countsOf({ provider, outcome, problems, asked }: CalendarRun) {
  const { added, moved, withdrawn } = outcome.kind === 'changed' ? outcome : { added: 0, moved: 0, withdrawn: 0 }
  const told: RunProblem[] = problems.map(each => ({ series: lockOf(provider), ...each }))
  if (outcome.kind === 'quarantined' || outcome.kind === 'rejected')
    told.push({ series: lockOf(provider), kind: outcome.kind, message: outcome.reason })
  const kept = told.slice(0, ingestLimits.ingestProblemsKept)
  const quarantined = outcome.kind === 'quarantined' ? 1 : 0
  return { asked, added, revised: moved, withdrawn, quarantined, problems: kept }
}

const noReleases: ParsedReleases = { releases: [], series: [], unread: [], problems: [] }

/** Reader that asks each address once in a refresh: releases of several series lead to the same address. */
function calendarReader(
  part: ReleasesPart,
  isNew: (request: ProviderRequest) => boolean,
): AnswerReader<ParsedReleases> {
  return {
    read: answer => part.read(answer),
    next(request, answer) {
      const next = part.next?.(request, answer) ?? null
      return next === null || !isNew(next) ? null : next
    },
    nothing: noReleases,
    isEmpty: ({ releases, series }) => releases.length + series.length === 0,
    rowsOf: ({ releases }) => releases.length,
  }
}

async function askAll(
  { sql, keys, clock, asking, signal }: Ingest,
  provider: CalendarProvider,
  series: readonly PublicSeries[],
): Promise<readonly AnswerChain<ParsedReleases>[]> {
  const key = keys.get(provider.name) ?? null
  if (key === null && provider.key === 'required' && !asking.bases.has(provider.name)) {
    const message = `${provider.name} needs a key: set ASSIZE_KEY_${provider.name}`
    return [{ ...nothingAsked, failure: { kind: 'bad-key', message } }]
  }
  const pairs = await loadPublicSeriesReleases(
    sql,
    series.map(({ id }) => id),
  )
  const known = new Map(series.flatMap(({ id, code }) => (pairs.has(id) ? [[code, pairs.get(id)!] as const] : [])))
  const codes = series.map(({ code }) => code)
  const seen = new Set<string>()
  const isNew = (request: ProviderRequest) => {
    const hash = requestHash(request)
    return !seen.has(hash) && seen.add(hash) !== null
  }
  const lane = new Lane(provider, signal)
  const reader = calendarReader(provider.releases, isNew)
  const chains: AnswerChain<ParsedReleases>[] = []
  for (const request of provider.releases.requests({ today: dayOfInstant(clock()), key, codes, known }))
    if (isNew(request)) chains.push(await askChain(lane, request, noValidators, asking, reader))
  return chains
}

const nothingAsked: AnswerChain<ParsedReleases> = {
  codes: [],
  parsedAnswers: [],
  failure: null,
  hasMarkedEnds: true,
  isUnchanged: false,
  validators: noValidators,
  trace: null,
  answers: [],
  refused: null,
  requests: 0,
  requestHash: '',
}

async function publish(
  { sql, clock }: Ingest,
  provider: CalendarProvider,
  series: readonly PublicSeries[],
  chains: readonly AnswerChain<ParsedReleases>[],
): Promise<CalendarRun> {
  const { name } = provider
  const at = clock()
  const asked = chains.reduce((sum, { requests }) => sum + requests, 0)
  if (chains.length === 0) return { provider: name, outcome: { kind: 'nothing asked' }, ...nothing }
  const parsed = chains.flatMap(({ parsedAnswers }) => parsedAnswers)
  const problems = chains.flatMap(({ failure, parsedAnswers }) => [
    ...(failure === null ? [] : [failure]),
    ...parsedAnswers.flatMap(answer => answer.problems),
  ])
  const given = parsed.flatMap(({ releases }) => releases).map(each => tidyRelease({ ...each, provider: name }))
  const came = given.filter(each => each !== null)
  const unread = parsed.reduce((sum, each) => sum + each.unread.length, 0) + given.length - came.length
  const isComplete = problems.length === 0
  const watch = await watchForms({ sql, provider, now: at }, 'calendar', chains, readingOf)
  const [held = null] = watch.held.values()
  await keepPairs(sql, series, parsed)
  const compared = compareCalendar(await loadCalendarNow(sql, name), came, { now: at, isComplete })
  const comparison = held === null ? compared : { ...compared, doubt: held.words }
  const outcome = came.length === 0 && !isComplete ? failed : await decide(sql, provider, came, comparison, at)
  await watch.accept()
  const run = { provider: name, outcome, entries: came.length, ahead: comparison.ahead, unread, problems, asked }
  await saveCalendarState(sql, {
    provider: name,
    at,
    counts: isComplete ? { entries: came.length, ahead: comparison.ahead, unread } : null,
    trouble: calendarTrouble(run),
  })
  return run
}

const failed: Outcome = { kind: 'failed' }

function readingOf({ releases, series, problems }: ParsedReleases) {
  const isEmpty = releases.length + series.length === 0
  return {
    isGood: !isEmpty && problems.length === 0,
    isEmpty,
    isRefused: isEmpty && problems.some(({ kind }) => kind !== 'unreadable'),
  }
}

/** Announces it, or quarantines it for a person. */
async function decide(
  sql: Sql,
  { name }: Provider,
  came: readonly Release[],
  { rows, added, moved, withdrawn, doubt }: CalendarComparison,
  at: Instant,
): Promise<Outcome> {
  if (doubt !== null) {
    const fingerprint = fingerprintOf(came)
    if (await isRejectedCalendar(sql, name, fingerprint)) return { kind: 'rejected', reason: doubt }
    const entries = JSON.stringify(came)
    await quarantineCalendar(sql, { provider: name, foundAt: at, reason: doubt, fingerprint, entries })
    return { kind: 'quarantined', reason: doubt }
  }
  await decideCalendar(sql, name, { decision: 'overtaken', at, by: null })
  if (rows.length === 0) return { kind: 'unchanged' }
  await publishReleases(sql, rows)
  return { kind: 'changed', added, moved, withdrawn }
}

function fingerprintOf(came: readonly Release[]): string {
  const texts = came.map(each => canonicalJson({ ...each } as Json)).sort()
  return createHash('sha256').update(texts.join('\n')).digest('hex')
}

/** Stores which series come with which release, where only an answer says so. */
async function keepPairs(sql: Sql, series: readonly PublicSeries[], parsed: readonly ParsedReleases[]): Promise<void> {
  const named = new Map(parsed.flatMap(each => each.series).map(({ code, release }) => [code.toLowerCase(), release]))
  const own = series.flatMap(({ id, code }) => {
    const release = named.get(code.toLowerCase())
    return release === undefined ? [] : [{ seriesId: id, release }]
  })
  const stored = await loadPublicSeriesReleases(
    sql,
    own.map(({ seriesId }) => seriesId),
  )
  const changed = own.filter(({ seriesId, release }) => stored.get(seriesId) !== release)
  await saveSeriesReleases(sql, publicScope, changed)
}

/** The trouble of a calendar in words. */
export function calendarTrouble({ outcome, problems }: Pick<CalendarRun, 'outcome' | 'problems'>): string | null {
  if (outcome.kind === 'quarantined') return `waits in the quarantine: ${outcome.reason}`
  if (outcome.kind === 'rejected') return `rejected, but the provider still sends it: ${outcome.reason}`
  return problems[0] === undefined ? null : problemWords(problems[0])
}
