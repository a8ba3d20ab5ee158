// When it is worth asking each provider: shortly after its releases, by its own clock, and now and then in between. The
// minutes are spread by installation, so that not everybody asks in the same second. Pure.
import type { ProviderName } from '../core/series.ts'
import type { Provider } from '../providers/provider.ts'

export interface AskingTime {
  /** Tells the times of one provider apart. */
  readonly key: string
  readonly cron: string
  readonly zone: string
}

interface Release {
  readonly zone: string
  /** Hours and the first minute after the release, and the days in cron's notation. */
  readonly times: readonly { readonly minute: number; readonly hours: string; readonly days: string }[]
}

const workdays = '1-5'

/** The providers that say when they publish; the others are asked at even distances alone. */
const releases: Readonly<Partial<Record<ProviderName, Release>>> = {
  BLS: { zone: 'America/New_York', times: [{ minute: 32, hours: '8', days: workdays }] },
  FRED: { zone: 'America/Chicago', times: [{ minute: 5, hours: '8,10,16', days: workdays }] },
  EIA: {
    zone: 'America/New_York',
    times: [
      { minute: 5, hours: '17,19', days: '1' },
      { minute: 5, hours: '10', days: '2' },
      { minute: 35, hours: '10,12', days: '3,4' },
    ],
  },
  ECB: { zone: 'Europe/Berlin', times: [{ minute: 5, hours: '16,17', days: workdays }] },
  EUROSTAT: { zone: 'Europe/Luxembourg', times: [{ minute: 5, hours: '11,23', days: '*' }] },
  ONS: { zone: 'Europe/London', times: [{ minute: 3, hours: '7', days: workdays }] },
  STATCAN: { zone: 'America/Toronto', times: [{ minute: 32, hours: '8', days: workdays }] },
  ABS: { zone: 'Australia/Sydney', times: [{ minute: 33, hours: '11', days: workdays }] },
  BOJ: { zone: 'Asia/Tokyo', times: [{ minute: 52, hours: '8', days: workdays }] },
}

const spreadMinutes = 7

/** `seed`: any whole number that belongs to the installation. */
export function askingTimes({ name, askEveryMinutes }: Provider, seed: number): readonly AskingTime[] {
  const release = releases[name]
  const after = (release?.times ?? []).map(({ minute, hours, days }, index) => ({
    key: `release-${index + 1}`,
    cron: `${minute + (seed % spreadMinutes)} ${hours} * * ${days}`,
    zone: release!.zone,
  }))
  return [...after, { key: 'regular', cron: regularly(askEveryMinutes, seed), zone: 'UTC' }]
}

/** At even distances; distances are whole hours that divide a day. */
function regularly(minutes: number, seed: number): string {
  const minute = seed % 60
  const hours = Math.max(1, Math.min(24, Math.round(minutes / 60)))
  const first = Math.floor(seed / 60) % hours
  const at = Array.from({ length: Math.floor(24 / hours) }, (_, i) => first + i * hours)
  return `${minute} ${hours === 1 ? '*' : at.join(',')} * * *`
}
