// All index events that the program knows by itself.
import type { IndexEvent } from '../../core/index-changes/index-event.ts'
import { absEvents } from './abs.ts'
import { blsEvents } from './bls.ts'
import { bojEvents } from './boj.ts'
import { ecbEvents } from './ecb.ts'
import { eurostatEvents } from './eurostat.ts'
import { fredEvents } from './fred.ts'
import { officeEvents } from './offices.ts'
import { onsEvents } from './ons.ts'

export const allIndexEvents: readonly IndexEvent[] = [
  ...absEvents,
  ...blsEvents,
  ...bojEvents,
  ...ecbEvents,
  ...eurostatEvents,
  ...fredEvents,
  ...officeEvents,
  ...onsEvents,
]
