// Series that are often used in indexed contracts, so that search and names work without a network. Only codes known to be
// right are listed; a longer list would not be better.

import type { DataType, ProviderName } from '../../core/series/series.ts'
import type { Frequency } from '../../core/time/period.ts'
import { americanSeries } from './well-known-america.ts'
import { europeanSeries } from './well-known-europe.ts'
import { worldSeries } from './well-known-world.ts'

interface WellKnownSeries {
  readonly provider: ProviderName
  readonly code: string
  readonly name: string
  readonly unit: string
  readonly frequency: Frequency
  readonly dataType: DataType
}

const frequencyOfLetter: Readonly<Record<string, Frequency>> = {
  D: 'DAILY',
  W: 'WEEKLY',
  M: 'MONTHLY',
  Q: 'QUARTERLY',
  S: 'SEMIANNUAL',
  A: 'ANNUAL',
}

export const wellKnownSeries: readonly WellKnownSeries[] = [americanSeries, europeanSeries, worldSeries].flatMap(
  groups =>
    groups.flatMap(({ provider, unit, dataType, entries }) =>
      entries.map(([letter, code, name, ownUnit, ownType]) => ({
        provider,
        code,
        name,
        unit: ownUnit ?? unit,
        frequency: frequencyOfLetter[letter]!,
        dataType: ownType ?? dataType,
      })),
    ),
)

export function findWellKnown(provider: ProviderName, code: string): WellKnownSeries | undefined {
  const wanted = code.toLowerCase()
  return wellKnownSeries.find(each => each.provider === provider && each.code.toLowerCase() === wanted)
}
