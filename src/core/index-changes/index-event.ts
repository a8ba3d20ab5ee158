// Facts about an index as such: it ended, was put on another base, replaced, cancelled for a period, or is computed
// differently. They come from a provider, or our own figures suggest them; data only.
import { type ProviderName, parseReference } from '../series/series.ts'

export const eventKinds = ['ENDED', 'REBASED', 'SUPERSEDED', 'CANCELLED', 'METHOD'] as const
export type EventKind = (typeof eventKinds)[number]

/** The direction of a coefficient: a value of the first series times it is on the base of the second. */
export const directions = ['OLD_TO_NEW', 'NEW_TO_OLD'] as const
export type Direction = (typeof directions)[number]

/** A coefficient as an office prints it. */
export interface PublishedCoefficient {
  readonly direction: Direction
  /** The digits as printed, zeros at the end included. */
  readonly digits: string
}

/** A fact about an index. A newer one with the same id corrects it. */
export interface IndexEvent {
  readonly id: string
  /** The provider; null for an index that none of our providers has: the sentence names it. */
  readonly provider: ProviderName | null
  /** A code of the provider, or a pattern in which `*` stands for any characters: `prc_hicp_midx/*`. Null without a provider. */
  readonly codes: string | null
  readonly kind: EventKind
  /** The first day on which it holds; for a cancelled release, the first day of the period without a value. */
  readonly day: string
  readonly sentence: string
  /** The code of the successor at that provider; null where none is named. */
  readonly successor: string | null
  readonly coefficient: PublishedCoefficient | null
  /** The place of publication. */
  readonly source: string
}

export function isAbout(
  event: Pick<IndexEvent, 'provider' | 'codes'>,
  series: { readonly provider: string; readonly code: string },
): boolean {
  return event.codes !== null && event.provider === series.provider && fits(event.codes, series.code)
}

/** The end of a series: the newest event whose day has come counts; null where the series goes on. */
export function endingsBy(
  today: string,
  events: readonly IndexEvent[],
): (reference: string) => 'ENDED' | 'SUPERSEDED' | null {
  const endings = events
    .flatMap(({ kind, ...event }) => (kind === 'ENDED' || kind === 'SUPERSEDED' ? [{ ...event, kind }] : []))
    .filter(({ day }) => day <= today)
    .sort((a, b) => (a.day < b.day ? 1 : -1))
  return reference => {
    const series = parseReference(reference)
    if (series === null) return null
    return endings.find(event => isAbout(event, series))?.kind ?? null
  }
}

function fits(codes: string, code: string): boolean {
  const [first, ...rest] = codes.split('*')
  const last = rest.pop()
  if (last === undefined) return codes === code
  if (!code.startsWith(first!)) return false
  let at = first!.length
  for (const part of rest) {
    const found = code.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return code.length - last.length >= at && code.endsWith(last)
}

/** The code of the successor of a series: where a pattern is replaced by a pattern, the text for `*` stays. */
export function successorOf({ codes, successor }: IndexEvent, code: string): string | null {
  if (codes === null || successor === null || !successor.includes('*')) return successor
  const [start, end] = codes.split('*') as [string, string]
  return successor.replace('*', code.slice(start.length, code.length - end.length))
}
