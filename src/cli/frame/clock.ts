// The commands' clock: the only place in the command line that reads the time.
import { type Day, parseDay } from '../../core/time/day.ts'
import { type Instant, instantOfMicros } from '../../core/time/instant.ts'

export function currentInstant(): Instant {
  return instantOfMicros(Date.now() * 1000)
}

/** Today in UTC. */
export function today(): Day {
  return parseDay(currentInstant().slice(0, 10))!
}

export function toTheSecond(instant: Instant): string {
  return `${instant.slice(0, 19)}Z`
}
