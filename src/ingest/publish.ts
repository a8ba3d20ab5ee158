// Handles the answer for one series: compares it with what is stored, then publishes it, quarantines it for an operator or
// refuses it. A series is published completely or not at all.
import { createHash } from 'node:crypto'
import type { ProviderName } from '../core/series/series.ts'
import { type Instant, parseInstant } from '../core/time/instant.ts'
import { limits } from '../limits.ts'
import type { AnswerProblem, ParsedSeries, ProblemKind } from '../providers/provider.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { makeIdentifier } from '../storage/postgres/identifier.ts'
import type { OwnSeries } from '../storage/series/own-series.ts'
import { loadStoredVintages, type PublicSeries, publishSeries } from '../storage/series/public-series.ts'
import { decisionOn, overtake, quarantineAnswer } from '../storage/series/quarantine.ts'
import {
  type AskedRange,
  compareSeries,
  type NewVintage,
  needsWholeHistory,
  quarantineReason,
  type SeriesComparison,
} from './compare.ts'
import { describeSeries, isSameDescription, tidyUnit } from './describe.ts'
import type { SeriesShape } from './drift/series-signs.ts'
import { seriesSigns } from './drift/series-signs.ts'
import { type Sign, signWords } from './drift/sign.ts'
import { unwatched, type WatchedSeries } from './drift/watch.ts'
import type { Gathered } from './gather.ts'
import type { Plan } from './plan.ts'
import { oneLine } from './redact.ts'

export type Outcome =
  | {
      readonly kind: 'changed'
      readonly added: number
      readonly revised: number
      readonly withdrawn: number
    }
  | { readonly kind: 'unchanged' }
  /** Waits for an operator. */
  | { readonly kind: 'quarantined'; readonly reason: string }
  /** An operator has rejected the same change before. */
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'failed'; readonly problem: AnswerProblem }
  /** Another run is working on it. */
  | { readonly kind: 'busy' }

export interface SeriesResult {
  readonly outcome: Outcome
  /** Parts of the answer that could not be read. */
  readonly problems: readonly AnswerProblem[]
  /** The series as it is now; `null` if it was never received. */
  readonly series: OwnSeries | null
  /** The newest period stored now. */
  readonly newestPeriod: number | null
}

interface Publishing {
  readonly sql: Sql
  readonly clock: () => Instant
}

export async function publishAnswer(
  provider: ProviderName,
  code: string,
  stored: PublicSeries | null,
  gathered: Gathered,
  plan: Plan,
  publishing: Publishing,
  watched: WatchedSeries = unwatched,
): Promise<SeriesResult | 'ask for everything'> {
  const stay = (outcome: Outcome, problems: readonly AnswerProblem[] = []): SeriesResult => {
    return { outcome, problems, series: stored, newestPeriod: stored?.newestPeriod ?? null }
  }
  const fail = (kind: ProblemKind, message: string) => stay({ kind: 'failed', problem: { kind, message } })
  if (gathered.kind === 'failed') return stay({ kind: 'failed', problem: gathered.problem })
  if (gathered.kind === 'empty' || isBare(gathered.series)) {
    if (plan.changedSince !== null && stored !== null) return stay({ kind: 'unchanged' })
    // An answer without rows never means "no change".
    if (stored === null) return fail('unknown-series', `${provider} has no values for ${code}`)
    return fail('provider-error', `${provider} sent no values for ${code}, although some are stored`)
  }
  const { isComplete, problems } = gathered
  const parsed = { ...gathered.series, unit: tidyUnit(gathered.series.unit) }
  if (stored !== null && stored.frequency !== parsed.frequency && stored.newestPeriod !== null) {
    const words = `${code} is now ${parsed.frequency}; it was ${stored.frequency}`
    await watched.note([{ kind: 'frequency', words }], null)
    return fail('unreadable', words)
  }
  if (stored === null && watched.held !== null)
    return fail('unreadable', `the answer does not look like those before it: ${watched.held.words}`)
  const vintages = stored === null ? new Map() : await loadStoredVintages(publishing.sql, stored.id)
  const asked: AskedRange = {
    from: plan.from,
    isDelta: plan.changedSince !== null,
    isComplete,
    now: publishing.clock(),
  }
  const known = { unit: stored?.unit ?? '', frequency: parsed.frequency, vintages }
  const comparison = compareSeries(parsed, known, asked)
  if (needsWholeHistory(comparison, asked)) return 'ask for everything'
  const shape = watched.shapeOf(parsed)
  if (stored !== null) {
    const { kept, labels } = watched
    const signs = seriesSigns({ kept, stored: known, parsed, labels, comparison, asked })
    const stopped = await quarantine(stored, { parsed, comparison, asked, signs, shape }, watched, publishing)
    if (stopped !== null) return stay(stopped, problems)
  }
  const result = await publish(provider, stored, parsed, comparison, problems, publishing)
  await watched.accept(shape)
  return result
}

function isBare({ observations, missing }: ParsedSeries): boolean {
  return observations.length + missing.length === 0
}

interface Compared extends Pick<QuarantinedAnswer, 'asked'> {
  readonly parsed: ParsedSeries
  readonly comparison: SeriesComparison
  readonly signs: readonly Sign[]
  readonly shape: SeriesShape
}

/** Quarantines an answer; `null` if it may be published. */
async function quarantine(
  stored: PublicSeries,
  { parsed, comparison, asked, signs, shape }: Compared,
  watched: WatchedSeries,
  { sql }: Publishing,
): Promise<Outcome | null> {
  const { held } = watched
  const told = [held?.words ?? null, signs.length === 0 ? null : signWords(signs), quarantineReason(comparison)]
  // A changed unit is a sign of drift and a reason of its own, in the same words.
  const reason = [...new Set(told.filter(words => words !== null).flatMap(words => words.split('; ')))].join('; ')
  if (reason === '') {
    await overtake(sql, stored.id, asked.now)
    await watched.settle()
    return null
  }
  const isDrift = held !== null || signs.length > 0
  const fingerprint = fingerprintOf(comparison, isDrift ? [held?.fingerprint ?? '', signWords(signs)] : [])
  const decision = await decisionOn(sql, stored.id, fingerprint)
  if (decision === 'released') return null
  if (decision === 'rejected') return { kind: 'rejected', reason }
  const kept: QuarantinedAnswer = { parsed, asked, shape }
  const driftId = signs.length > 0 ? await watched.note(signs, shape) : (held?.driftId ?? null)
  await quarantineAnswer(sql, {
    seriesId: stored.id,
    foundAt: asked.now,
    reason,
    fingerprint,
    driftId,
    reading: JSON.stringify(kept),
  })
  return { kind: 'quarantined', reason }
}

/** The stored form of an answer in quarantine. */
export interface QuarantinedAnswer {
  readonly parsed: ParsedSeries
  readonly asked: AskedRange
  /** Description of the series besides its figures. */
  readonly shape: SeriesShape
}

/** New periods do not change it: until something is published, the same periods are rewritten with the same values. */
function fingerprintOf({ rewritten, unitChange, dropped }: SeriesComparison, drift: readonly string[]): string {
  const lines = rewritten.map(({ period, value }) => `${period}=${value ?? ''}`).sort()
  return createHash('sha256')
    .update([unitChange?.to ?? '', String(dropped), ...drift, ...lines].join('\n'))
    .digest('hex')
}

export async function publish(
  provider: ProviderName,
  stored: PublicSeries | null,
  parsed: ParsedSeries,
  comparison: SeriesComparison,
  problems: readonly AnswerProblem[],
  { sql }: Publishing,
): Promise<SeriesResult> {
  const description = describeSeries(provider, parsed, stored)
  const series: OwnSeries = { ...description, id: stored?.id ?? makeIdentifier('ser') }
  const isRedescribed = stored !== null && !isSameDescription(stored, description)
  const rows = comparison.rows.map(tidyRow)
  const newestPeriod = Math.max(stored?.newestPeriod ?? -Infinity, ...rows.slice(-1).map(({ period }) => period))
  const result = { problems, series, newestPeriod: Number.isFinite(newestPeriod) ? newestPeriod : null }
  if (stored !== null && rows.length === 0 && !isRedescribed) return { ...result, outcome: { kind: 'unchanged' } }
  await publishSeries(sql, {
    series,
    description: stored === null ? 'new series' : isRedescribed ? 'changed' : 'none',
    rows,
  })
  const { added, revised, withdrawn } = comparison
  const outcome: Outcome = rows.length === 0 ? { kind: 'unchanged' } : { kind: 'changed', added, revised, withdrawn }
  return { ...result, outcome }
}

/** Returns the row itself if there is nothing to tidy, so that a long history is not copied. */
function tidyRow(row: NewVintage): NewVintage {
  const value = row.value?.startsWith('+') ? row.value.slice(1) : row.value
  const flag = cutFlag(row.flag)
  return value === row.value && flag === row.flag ? row : { ...row, value, flag }
}

function cutFlag(flag: string | null): string | null {
  if (flag === null) return null
  const line = oneLine(flag).slice(0, limits.flagLength)
  return line === '' ? null : line
}

/** Reads what `quarantine` stored. The instant is checked because the publication depends on it. */
export function readQuarantinedJson(json: string): QuarantinedAnswer {
  const kept = JSON.parse(json) as QuarantinedAnswer
  if (parseInstant(kept.asked.now) === null) throw new Error('a quarantined answer is stored without its instant')
  return kept
}

const phrases: Readonly<Record<ProblemKind, string>> = {
  'bad-key': 'the key was refused',
  'unknown-series': 'the provider does not know it',
  'bad-request': 'the request was refused',
  'rate-limited': 'asked too often',
  'too-large': 'the answer is too large',
  'provider-error': 'the provider has a problem',
  unreadable: 'the answer could not be read',
}

/** The problem of a series in words. */
export function troubleWords({ outcome, problems }: Pick<SeriesResult, 'outcome' | 'problems'>): string | null {
  if (outcome.kind === 'quarantined') return `waits in the quarantine: ${outcome.reason}`
  if (outcome.kind === 'rejected') return `rejected, but the provider still sends it: ${outcome.reason}`
  const problem = outcome.kind === 'failed' ? outcome.problem : problems[0]
  return problem === undefined ? null : problemWords(problem)
}

export function problemWords({ kind, message }: AnswerProblem): string {
  return `${phrases[kind]}: ${message}`
}
