// What is known about an index as such: that it ended, was put on another base, replaced, cancelled for a period, or is
// computed differently. Facts of a provider, or what our own figures let us suspect; data only.
import type { ProviderName } from '../series/series.ts'

export const eventKinds = ['ENDED', 'REBASED', 'SUPERSEDED', 'CANCELLED', 'METHOD'] as const
export type EventKind = (typeof eventKinds)[number]

/** Which way a coefficient leads: a value of the first series times it is on the base of the second. */
export const directions = ['OLD_TO_NEW', 'NEW_TO_OLD'] as const
export type Direction = (typeof directions)[number]

/** A coefficient as an office prints it. */
export interface PublishedCoefficient {
  readonly direction: Direction
  /** As printed, zeros at the end included. */
  readonly digits: string
}

/** A fact about an index. A newer one with the same id corrects it. */
export interface IndexEvent {
  readonly id: string
  readonly provider: ProviderName
  /** A code of the provider, or a pattern in which `*` stands for any characters: `prc_hicp_midx/*`. */
  readonly codes: string
  readonly kind: EventKind
  /** From which it holds; of a cancelled release, the first day of the period without a value. */
  readonly day: string
  readonly sentence: string
  /** The code of the series that takes its place at the same provider; null where none is named. */
  readonly successor: string | null
  readonly coefficient: PublishedCoefficient | null
  /** Where it was published. */
  readonly source: string
}

/** Whether an event is about a series of this code. */
export function isAbout({ codes }: Pick<IndexEvent, 'codes'>, code: string): boolean {
  const parts = codes.split('*')
  if (parts.length === 1) return codes === code
  if (!code.startsWith(parts[0]!)) return false
  let at = parts[0]!.length
  for (const part of parts.slice(1, -1)) {
    const found = code.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  const last = parts.at(-1)!
  return code.length - last.length >= at && code.endsWith(last)
}
