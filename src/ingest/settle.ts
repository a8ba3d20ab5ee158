// What becomes of one series after it was asked for: compared with what is held, published, put aside for a person, or
// refused. All of a series or nothing of it.
import { createHash } from 'node:crypto'
import { type Instant, parseInstant } from '../core/instant.ts'
import type { ProviderName } from '../core/series.ts'
import { limits } from '../limits.ts'
import type { ProblemKind, ReadingProblem, SeriesReading } from '../providers/provider.ts'
import type { Sql } from '../storage/database.ts'
import { makeIdentifier } from '../storage/identifier.ts'
import { type PublicSeries, publishSeries, readHeld } from '../storage/public-series.ts'
import { decisionOn, holdReading, overtake } from '../storage/quarantine.ts'
import type { OwnSeries } from '../storage/series-writing.ts'
import {
  type Asked,
  type Comparison,
  compareReading,
  type NewVintage,
  needsWholeHistory,
  quarantineReason,
} from './compare.ts'
import { describeSeries, isSameDescription, tidyUnit } from './describe.ts'
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
  /** Waits for a person. */
  | { readonly kind: 'quarantined'; readonly reason: string }
  /** A person has said no to the same before. */
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'failed'; readonly problem: ReadingProblem }
  /** Another run is at it. */
  | { readonly kind: 'busy' }

export interface Settled {
  readonly outcome: Outcome
  /** What could not be read beside what was published. */
  readonly problems: readonly ReadingProblem[]
  /** The series as it stands now; `null` where it never came. */
  readonly series: OwnSeries | null
  /** The newest period that is held now. */
  readonly newestPeriod: number | null
}

export interface Settling {
  readonly sql: Sql
  readonly clock: () => Instant
}

export async function settleSeries(
  provider: ProviderName,
  code: string,
  held: PublicSeries | null,
  gathered: Gathered,
  plan: Plan,
  settling: Settling,
): Promise<Settled | 'ask for everything'> {
  const stay = (outcome: Outcome, problems: readonly ReadingProblem[] = []): Settled => {
    return { outcome, problems, series: held, newestPeriod: held?.newestPeriod ?? null }
  }
  const fail = (kind: ProblemKind, message: string) => stay({ kind: 'failed', problem: { kind, message } })
  if (gathered.kind === 'failed') return stay({ kind: 'failed', problem: gathered.problem })
  if (gathered.kind === 'empty' || isBare(gathered.series)) {
    if (plan.changedSince !== null && held !== null) return stay({ kind: 'unchanged' })
    // No rows is never "no change".
    if (held === null) return fail('unknown-series', `${provider} has no values for ${code}`)
    return fail('provider-error', `${provider} sent no values for ${code}, which has some here`)
  }
  const { isComplete, problems } = gathered
  const reading = { ...gathered.series, unit: tidyUnit(gathered.series.unit) }
  if (held !== null && held.frequency !== reading.frequency && held.newestPeriod !== null)
    return fail('unreadable', `${code} is ${reading.frequency} now, and was ${held.frequency}`)
  const vintages = held === null ? new Map() : await readHeld(settling.sql, held.id)
  const asked: Asked = { from: plan.from, isDelta: plan.changedSince !== null, isComplete, now: settling.clock() }
  const comparison = compareReading(reading, { unit: held?.unit ?? '', frequency: reading.frequency, vintages }, asked)
  if (needsWholeHistory(comparison, asked)) return 'ask for everything'
  if (held !== null) {
    const stopped = await quarantine(held, reading, comparison, asked, settling)
    if (stopped !== null) return stay(stopped, problems)
  }
  return publish(provider, held, reading, comparison, problems, settling)
}

function isBare({ observations, missing }: SeriesReading): boolean {
  return observations.length + missing.length === 0
}

/** `null` where it may be published. */
async function quarantine(
  held: PublicSeries,
  reading: SeriesReading,
  comparison: Comparison,
  asked: Asked,
  { sql }: Settling,
): Promise<Outcome | null> {
  const reason = quarantineReason(comparison)
  if (reason === null) {
    await overtake(sql, held.id, asked.now)
    return null
  }
  const fingerprint = fingerprintOf(comparison)
  const decision = await decisionOn(sql, held.id, fingerprint)
  if (decision === 'released') return null
  if (decision === 'rejected') return { kind: 'rejected', reason }
  const kept: HeldReading = { reading, asked }
  await holdReading(sql, { seriesId: held.id, foundAt: asked.now, reason, fingerprint, reading: JSON.stringify(kept) })
  return { kind: 'quarantined', reason }
}

/** What waits in the quarantine. */
export interface HeldReading {
  readonly reading: SeriesReading
  readonly asked: Asked
}

/** New periods do not change it: as long as nothing is published, the same values of the same periods stay rewritten. */
function fingerprintOf({ rewritten, unitChange, dropped }: Comparison): string {
  const lines = rewritten.map(({ period, value }) => `${period}=${value ?? ''}`).sort()
  return createHash('sha256')
    .update([unitChange?.to ?? '', String(dropped), ...lines].join('\n'))
    .digest('hex')
}

export async function publish(
  provider: ProviderName,
  held: PublicSeries | null,
  reading: SeriesReading,
  comparison: Comparison,
  problems: readonly ReadingProblem[],
  { sql }: Settling,
): Promise<Settled> {
  const description = describeSeries(provider, reading, held)
  const series: OwnSeries = { ...description, id: held?.id ?? makeIdentifier('ser') }
  const isRedescribed = held !== null && !isSameDescription(held, description)
  const rows = comparison.rows.map(tidyRow)
  const newestPeriod = Math.max(held?.newestPeriod ?? -Infinity, ...rows.slice(-1).map(({ period }) => period))
  const settled = { problems, series, newestPeriod: Number.isFinite(newestPeriod) ? newestPeriod : null }
  if (held !== null && rows.length === 0 && !isRedescribed) return { ...settled, outcome: { kind: 'unchanged' } }
  await publishSeries(sql, {
    series,
    description: held === null ? 'new series' : isRedescribed ? 'changed' : 'none',
    rows,
  })
  const { added, revised, withdrawn } = comparison
  const outcome: Outcome = rows.length === 0 ? { kind: 'unchanged' } : { kind: 'changed', added, revised, withdrawn }
  return { ...settled, outcome }
}

/** The row itself where there is nothing to tidy: a long history is not copied. */
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

/** Reads what `quarantine` put away; an instant is checked because it decides about publication. */
export function readHeldReadingJson(json: string): HeldReading {
  const kept = JSON.parse(json) as HeldReading
  if (parseInstant(kept.asked.now) === null) throw new Error('a kept reading has lost its instant')
  return kept
}

const phrases: Readonly<Record<ProblemKind, string>> = {
  'bad-key': 'the key was refused',
  'unknown-series': 'the provider does not know it',
  'bad-request': 'the question was refused',
  'rate-limited': 'asked too often',
  'too-large': 'the answer is too large',
  'provider-error': 'the provider is in trouble',
  unreadable: 'the answer could not be read',
}

/** The trouble of a series in words; `null` where there is none. */
export function troubleWords({ outcome, problems }: Pick<Settled, 'outcome' | 'problems'>): string | null {
  if (outcome.kind === 'quarantined') return `waits in the quarantine: ${outcome.reason}`
  if (outcome.kind === 'rejected') return `rejected, and the provider still says it: ${outcome.reason}`
  const problem = outcome.kind === 'failed' ? outcome.problem : problems[0]
  return problem === undefined ? null : `${phrases[problem.kind]}: ${problem.message}`
}
