// A client walks thousands of series, values and vintages over a rough road: every one comes once, in the order of the
// server, and no request is refused because the client asked too often.
import { Assize } from '../../clients/typescript/src/assize.ts'
import { type RoughRoad, startRoughRoad } from '../stand-in/rough-road.ts'
import { VirtualClock } from '../support/clients/virtual-clock.ts'
import { copySeries } from '../support/files/many-series.ts'
import type { Api } from '../support/houses/api.ts'

export interface WalkedRoad {
  readonly failures: readonly string[]
  readonly met: RoughRoad['met']
  readonly answered: RoughRoad['answered']
}

export interface RoadWalk {
  readonly series: number
  readonly seed: number
  /** How many requests a minute the server allows; then the client waits for real. */
  readonly perMinute?: number
}

/** What a client finds at an address, in the order it finds it. */
export type Walker = (url: string, key: string, longest: string) => Promise<Found>

export interface Found {
  readonly listed: readonly string[]
  readonly found: readonly string[]
  readonly values: readonly string[]
}

const pageOf = 20
const periods = 90

export async function walkRoughRoad(
  api: Api,
  { series, seed, perMinute }: RoadWalk,
  walker?: Walker,
): Promise<WalkedRoad> {
  const tenant = await api.tenant(perMinute === undefined ? {} : { rateLimit: perMinute })
  const months = Array.from({ length: periods }, (_, at) => ({ period: monthOf(at), value: `${100 + at}.${at % 10}` }))
  await tenant.import(
    `series,period,value,published\n${months.map(({ period, value }) => `BLS/S,${period},${value},2020-01-01\n`).join('')}`,
  )
  const first = await tenant.seriesId('BLS/S')
  await copySeries(api.owner, tenant.id, first, series - 1)
  // The copies are no entries: a server that has read the list already would not see them.
  await api.restart()
  const rows = await api.owner<{ id: string }[]>`select id from series where owner = ${tenant.id}`
  const expected = rows.map(({ id }) => id).sort()
  const road = await startRoughRoad({ to: api.address, seed })
  try {
    const walk = walker ?? byOurClient(perMinute === undefined)
    const { listed, found, values } = await walk(road.url, tenant.key, first)
    const failures = [
      ...compared('the list', listed.toSorted(), expected),
      ...compared('the search', found.toSorted(), expected),
      ...compared(
        'the values',
        values,
        months.map(({ value }) => value),
      ),
      ...(road.answered[429] === undefined ? [] : [`${road.answered[429]} requests were too many for the server`]),
    ]
    return { failures, met: road.met, answered: road.answered }
  } finally {
    await road.close()
  }
}

function monthOf(at: number): string {
  return `${2000 + Math.floor(at / 12)}-${`${(at % 12) + 1}`.padStart(2, '0')}`
}

function byOurClient(isHasty: boolean): Walker {
  return async (url, key, longest) => {
    const clock = isHasty ? { clock: new VirtualClock() } : {}
    const assize = new Assize({ url, key, retries: 30, ...clock })
    const listed = await assize.series.list({ limit: pageOf }).all()
    const found = await assize.series.find({ limit: pageOf }).all()
    const values = await assize.series.values(longest, { limit: pageOf }).all()
    return {
      listed: listed.map(({ id }) => id),
      found: found.map(({ id }) => id),
      values: values.map(({ value }) => value),
    }
  }
}

/** Missing, twice, or in another order. */
function compared(what: string, got: readonly string[], expected: readonly string[]): string[] {
  const at = expected.findIndex((each, place) => got[place] !== each)
  if (at < 0 && got.length === expected.length) return []
  return [
    `${what} has ${got.length} of ${expected.length}, ${new Set(got).size} different ones; at ${at}: ${got[at]} is not ${expected[at]}`,
  ]
}
