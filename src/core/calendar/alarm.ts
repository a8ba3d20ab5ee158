// Alarms: a figure that agreements wait for is late, or will not come. One for each series and period; a series that is silent
// for long has one for its oldest missing figure. Each names the likely cause, and why it was cleared.
import type { Instant } from '../time/instant.ts'
import { hasEnded, isCancelled, isLate, type Outlook, type SeriesEnd } from './due.ts'

/**
 * The release was cancelled. The series has ended as published, or was silent for so long that it probably has. The provider
 * does not answer, or not as it should. The date was moved, and the figure did not come then either, or the date is open. The
 * provider answers, without this period. Nobody has recorded a figure of an own series.
 */
const alarmCauses = ['CANCELLED', 'ENDED', 'PROVIDER', 'MOVED', 'ANSWERED_WITHOUT', 'NOT_RECORDED'] as const
export type AlarmCause = (typeof alarmCauses)[number]

/** The value came; the release was cancelled; its date was moved, or is right again; no agreement waits for it any more. */
const clearings = ['VALUE', 'CANCELLED', 'MOVED', 'NOT_AWAITED'] as const
type Clearing = (typeof clearings)[number]

/** A figure that agreements wait for, with the facts known about it. */
export interface AwaitedBySome {
  readonly seriesId: string
  /** The period in our notation, which sorts by time within a series. */
  readonly period: string
  readonly stage: 'FINAL' | null
  readonly outlook: Outlook
  /** Whether its provider was in trouble when it last should have answered. */
  readonly isInTrouble: boolean
}

export interface Alarm {
  readonly seriesId: string
  readonly period: string
  readonly cause: AlarmCause
  readonly expectedAt: string | null
}

/** An open alarm as stored. */
export interface OpenAlarm extends Alarm {
  readonly raisedAt: Instant
}

export interface AlarmChanges<Open extends OpenAlarm = OpenAlarm> {
  readonly raised: readonly Alarm[]
  readonly cleared: readonly { readonly alarm: Open; readonly by: Clearing }[]
  /** Open alarms with another likely cause than before. */
  readonly restated: readonly { readonly alarm: Open; readonly cause: AlarmCause }[]
}

/** The cause of a missing figure; null where nothing is wrong. */
function causeOf({ outlook, isInTrouble }: AwaitedBySome, now: Instant): AlarmCause | null {
  if (isCancelled(outlook)) return 'CANCELLED'
  if (outlook.end !== null) return 'ENDED'
  if (!isLate(outlook, now)) return null
  if (isInTrouble) return 'PROVIDER'
  // Holds for own series too: the rows of due dates and the page of index changes agree about the figure.
  if (hasEnded(outlook, now)) return 'ENDED'
  if (outlook.isOwn) return 'NOT_RECORDED'
  return outlook.isMoved || outlook.status === 'POSTPONED' ? 'MOVED' : 'ANSWERED_WITHOUT'
}

/** The alarms to raise and to clear, given the open ones and everything that agreements wait for now. */
export function alarmChanges<Open extends OpenAlarm>(
  open: readonly Open[],
  awaited: readonly AwaitedBySome[],
  isThere: (alarm: OpenAlarm) => boolean,
  now: Instant,
): AlarmChanges<Open> {
  const wanted = new Map(wantedAlarms(awaited, now).map(alarm => [keyOf(alarm), alarm]))
  const byFigure = new Map(awaited.map(each => [`${each.seriesId} ${each.period}`, each]))
  const cleared: AlarmChanges<Open>['cleared'][number][] = []
  const restated: AlarmChanges<Open>['restated'][number][] = []
  for (const alarm of open) {
    const still = wanted.get(keyOf(alarm))
    wanted.delete(keyOf(alarm))
    if (still === undefined) cleared.push({ alarm, by: clearingOf(alarm, byFigure, isThere) })
    else if (still.cause !== alarm.cause) restated.push({ alarm, cause: still.cause })
  }
  return { raised: [...wanted.values()], cleared, restated }
}

/** Alarms for all cancelled figures, and for the oldest late figure of each series. */
function wantedAlarms(awaited: readonly AwaitedBySome[], now: Instant): readonly Alarm[] {
  const oldest = new Map<string, Alarm>()
  const cancelled: Alarm[] = []
  for (const each of awaited) {
    const cause = causeOf(each, now)
    if (cause === null) continue
    const { seriesId, period, outlook } = each
    const alarm = { seriesId, period, cause, expectedAt: outlook.expected?.expectedAt ?? null }
    const known = oldest.get(seriesId)
    if (cause === 'CANCELLED') cancelled.push(alarm)
    else if (known === undefined || period < known.period) oldest.set(seriesId, alarm)
  }
  return [...cancelled, ...oldest.values()]
}

/** A cancelled release and a late one are different alarms. */
function keyOf({ seriesId, period, cause }: Alarm): string {
  return `${seriesId} ${period} ${cause === 'CANCELLED'}`
}

function clearingOf(
  alarm: OpenAlarm,
  byFigure: ReadonlyMap<string, AwaitedBySome>,
  isThere: (alarm: OpenAlarm) => boolean,
): Clearing {
  const still = byFigure.get(`${alarm.seriesId} ${alarm.period}`)
  if (still === undefined) return isThere(alarm) ? 'VALUE' : 'NOT_AWAITED'
  return isCancelled(still.outlook) ? 'CANCELLED' : 'MOVED'
}

const causeWords: Readonly<Record<AlarmCause, (provider: string) => string>> = {
  CANCELLED: provider => `will not be published: ${provider} cancelled its release`,
  ENDED: () => 'has not come: the series has ended, or has probably ended because no figure has come for a long time',
  PROVIDER: provider => `is late: ${provider} does not answer as it should`,
  MOVED: provider => `is late: ${provider} moved its date, and the figure has not come`,
  ANSWERED_WITHOUT: provider => `is late: ${provider} answers, but has not published it`,
  NOT_RECORDED: () => 'is late: the figure has not been uploaded or imported',
}

/** A sentence's end, after the name of the series and the period. */
export function alarmWords(cause: AlarmCause, provider: string, end: SeriesEnd | null = null): string {
  return cause === 'ENDED' && end !== null ? endWords[end.kind] : causeWords[cause](provider)
}

const endWords: Readonly<Record<SeriesEnd['kind'], string>> = {
  ENDED: 'does not come: the series has ended',
  SUPERSEDED: 'does not come: the series was replaced',
}
