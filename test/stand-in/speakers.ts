// The fifteen stand-ins by provider, and the keys they accept.

import type { ProviderName } from '../../src/core/series/series.ts'
import type { Instant } from '../../src/core/time/instant.ts'
import type { ProviderRequest } from '../../src/providers/provider.ts'
import { blsStandIn } from './bls.ts'
import { bojStandIn } from './boj.ts'
import { dbnomicsStandIn } from './dbnomics.ts'
import { eiaStandIn } from './eia.ts'
import type { ProviderStandIn, Told } from './exchange.ts'
import { fredStandIn } from './fred.ts'
import type { ServedSeries } from './model.ts'
import { nasdaqDataLinkStandIn } from './nasdaq-data-link.ts'
import { onsStandIn } from './ons.ts'
import { absStandIn, ecbStandIn, eurostatStandIn, oecdStandIn } from './sdmx-csv.ts'
import { bisStandIn, imfStandIn } from './sdmx-json.ts'
import { statcanStandIn } from './statcan.ts'
import { worldBankStandIn } from './world-bank.ts'

export const speakers: Readonly<Record<ProviderName, ProviderStandIn>> = {
  BLS: blsStandIn,
  FRED: fredStandIn,
  EIA: eiaStandIn,
  ECB: ecbStandIn,
  WORLD_BANK: worldBankStandIn,
  IMF: imfStandIn,
  EUROSTAT: eurostatStandIn,
  ONS: onsStandIn,
  STATCAN: statcanStandIn,
  ABS: absStandIn,
  BIS: bisStandIn,
  BOJ: bojStandIn,
  OECD: oecdStandIn,
  DBNOMICS: dbnomicsStandIn,
  NASDAQ_DATA_LINK: nasdaqDataLinkStandIn,
}

/** Keys in each provider's format; they only work with the stand-in. */
export const standInKeys: Readonly<Partial<Record<ProviderName, string>>> = {
  BLS: '5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e',
  FRED: '0123456789abcdef0123456789abcdef',
  EIA: 'StandInStandInStandInStandInStandInStand',
  NASDAQ_DATA_LINK: 'StandInKeyStandInKey',
}

/** A stand-in's answer to one of our requests, given these series, without a network. */
export function speak(
  provider: ProviderName,
  series: readonly ServedSeries[],
  request: ProviderRequest,
  now: Instant,
): Told {
  const url = new URL(request.path, 'http://stand-in')
  const key = standInKeys[provider]
  return speakers[provider].answer({
    method: request.method,
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: request.body ?? '',
    now,
    series,
    keys: key === undefined ? [] : [key],
    pageSize: speakers[provider].pageSize,
    neverEnds: false,
  })
}
