// Times at which each provider is asked: shortly after its releases, in its own time zone, and at regular intervals in between.
// The minutes differ by installation, so that not all of them ask in the same second. Pure.
import type { Provider } from '../providers/provider.ts'

export interface AskingTime {
  /** Key that is unique among the times of one provider. */
  readonly key: string
  readonly cron: string
  readonly zone: string
}

const spreadMinutes = 7

/** `seed`: any whole number that belongs to the installation. */
export function askingTimes({ calendar, askEveryMinutes }: Provider, seed: number): readonly AskingTime[] {
  const after = (calendar?.times ?? []).map(({ minute, hours, days }, index) => ({
    key: `release-${index + 1}`,
    cron: `${minute + (seed % spreadMinutes)} ${hours} * * ${days}`,
    zone: calendar!.zone,
  }))
  return [...after, { key: 'regular', cron: regularly(askEveryMinutes, seed), zone: 'UTC' }]
}

/** Time of day for the calendar, half an hour away from the minute in which values are asked for. */
export function calendarTime(seed: number): AskingTime {
  return { key: 'calendar', cron: `${(seed + 30) % 60} ${Math.floor(seed / 60) % 24} * * *`, zone: 'UTC' }
}

/** Times at even intervals of whole hours that divide a day. */
function regularly(minutes: number, seed: number): string {
  const minute = seed % 60
  const hours = Math.max(1, Math.min(24, Math.round(minutes / 60)))
  const first = Math.floor(seed / 60) % hours
  const at = Array.from({ length: Math.floor(24 / hours) }, (_, i) => first + i * hours)
  return `${minute} ${hours === 1 ? '*' : at.join(',')} * * *`
}
