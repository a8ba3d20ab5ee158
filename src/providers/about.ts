// Facts about a provider for people: how often it may be asked, and which variable sets its key.
import type { Provider, ProviderLimits } from './provider.ts'

/** The variable of a provider's key; `null` if it needs none. */
export function keyVariable({ key, name }: Provider): string | null {
  return key === 'none' ? null : `ASSIZE_KEY_${name}`
}

/** `30 requests a minute, 500 a day, 50 series a request`. */
export function limitWords({ requestsPerMinute, requestsPerDay, seriesPerRequest }: ProviderLimits): string {
  const perDay = requestsPerDay === null ? '' : `, ${requestsPerDay} a day`
  const perMinute = `${requestsPerMinute} ${requestsPerMinute === 1 ? 'request' : 'requests'} a minute`
  return `${perMinute}${perDay}, ${seriesPerRequest} series a request`
}
