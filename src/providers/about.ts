// What people are told about a provider besides its name and terms: where it lives on the web, how often it may be asked,
// and which variable sets its key.
import type { ProviderName } from '../core/series.ts'
import type { Provider, ProviderLimits } from './provider.ts'

export const providerHomes: Readonly<Record<ProviderName, string>> = {
  BLS: 'https://www.bls.gov/data/',
  FRED: 'https://fred.stlouisfed.org/',
  EIA: 'https://www.eia.gov/opendata/',
  ECB: 'https://data.ecb.europa.eu/',
  WORLD_BANK: 'https://data.worldbank.org/',
  IMF: 'https://data.imf.org/',
  EUROSTAT: 'https://ec.europa.eu/eurostat/data/database',
  ONS: 'https://www.ons.gov.uk/',
  STATCAN: 'https://www.statcan.gc.ca/',
  ABS: 'https://www.abs.gov.au/statistics',
  BIS: 'https://data.bis.org/',
  BOJ: 'https://www.stat-search.boj.or.jp/',
  OECD: 'https://data-explorer.oecd.org/',
  DBNOMICS: 'https://db.nomics.world/',
  NASDAQ_DATA_LINK: 'https://data.nasdaq.com/',
}

/** `null` where it takes no key. */
export function keyVariable({ key, name }: Provider): string | null {
  return key === 'none' ? null : `ASSIZE_KEY_${name}`
}

/** `30 requests a minute, 500 a day, 50 series a request`. */
export function limitWords({ requestsPerMinute, requestsPerDay, seriesPerRequest }: ProviderLimits): string {
  const perDay = requestsPerDay === null ? '' : `, ${requestsPerDay} a day`
  return `${requestsPerMinute} requests a minute${perDay}, ${seriesPerRequest} series a request`
}
