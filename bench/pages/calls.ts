// What the pages ask of the server: how long each call takes and for how long it blocks the main thread, in the largest
// workspace there may be and in a small one of the same run. The server runs in this process.
import { limits } from '../../src/limits.ts'
import { openFolderGround, withConsole } from '../../test/faults/grounds.ts'
import { bracketsDocument, bracketsTable } from '../../test/support/agreements/brackets.ts'
import { copyAgreement } from '../../test/support/agreements/many-agreements.ts'
import type { Api } from '../../test/support/houses/api.ts'
import { type Browser, makeSeats, type Seats } from '../../test/support/houses/console.ts'
import { median } from '../growth/answers.ts'
import { longestBlock } from './blocked-thread.ts'

const turns = 5
const fewAgreements = 100
const months = 240
/** Of each month, in the long series. */
const entries = 250

interface Call {
  readonly name: string
  readonly base: Cost
  readonly large: Cost
}

interface Cost {
  readonly ms: number
  /** The shortest of the turns: a garbage collection happens now and then, the work itself each time. */
  readonly blockedMs: number
}

export async function measureCalls(say: (line: string) => void): Promise<readonly Call[]> {
  const ground = await openFolderGround()
  return withConsole(
    async ({ api }) => {
      say('filling a workspace with agreements')
      const [few, many] = [
        await makeAgreements(api, fewAgreements),
        await makeAgreements(api, limits.quotas.agreements),
      ]
      const lists = await comparePaths(api, few, many, [
        '/agreements',
        '/overview',
        '/sign-offs',
        '/find?q=copy-+00012',
      ])
      say('filling a series with vintages')
      const series = await compareSeries(api, few)
      return [...lists, series, await comparePreviews(few)]
    },
    ground,
    ground.secret,
  )
}

async function makeAgreements(api: Api, count: number): Promise<Seats> {
  const seats = await makeSeats(api, `pages-${count}-`)
  await seats.tenant.import(bracketsTable)
  const { id } = await seats.tenant.apply(bracketsDocument())
  await copyAgreement(api.owner, seats.tenant.id, id, count - 1)
  return seats
}

async function comparePaths(api: Api, few: Seats, many: Seats, paths: readonly string[]): Promise<Call[]> {
  const calls: Call[] = []
  for (const path of paths) {
    // What is remembered from the last call is forgotten.
    const costOf = ({ as }: Seats) =>
      measure(
        () => ask(as.owner, path),
        () => api.restart(),
      )
    calls.push({
      name: `${path}, ${limits.quotas.agreements} agreements`,
      base: await costOf(few),
      large: await costOf(many),
    })
  }
  return calls
}

async function compareSeries(api: Api, { tenant, as }: Seats): Promise<Call> {
  const rows = (code: string) =>
    Array.from({ length: months }, (_, month) => {
      const period = `${2000 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`
      return `CUSTOM/${code},${period},${100 + month}.5,FINAL,2021-01-01\n`
    }).join('')
  await tenant.import(`series,period,value,version,published\n${rows('short')}${rows('long')}`)
  const [short, long] = [await tenant.seriesId('CUSTOM/short'), await tenant.seriesId('CUSTOM/long')]
  await api.owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into vintage (owner, series_id, period, seq, value, tag, published_at, recorded_at)
      select owner, series_id, period, seq, value || n, tag, published_at + n * interval '1 day', recorded_at
      from vintage, generate_series(1, ${entries - 1}) as n where series_id = ${long}`
  })
  const costOf = (id: string) =>
    measure(
      () => ask(as.viewer, `/series/${id}`),
      () => api.restart(),
    )
  return {
    name: `a series of ${months * entries} vintages`,
    base: await costOf(short),
    large: await costOf(long),
  }
}

/** Ten years of months over three series, beside the same contract over its first year. */
async function comparePreviews({ tenant, as }: Seats): Promise<Call> {
  const periods = Array.from(
    { length: 144 },
    (_, i) => `${2014 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  )
  const rows = ['a', 'b', 'c'].flatMap((code, s) =>
    periods.map((period, i) => `CUSTOM/${code},${period},${100 + i + ((i * (s + 2)) % 5)}\n`),
  )
  await tenant.import(`series,period,value\n${rows.join('')}`)
  const preview = (end: string) => async () => {
    const text = `slug: months
contract: { start: 2015-01-01, end: ${end}, frequency: MONTHLY, price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } } }
inputs:
  a: { series: CUSTOM/a, weight: 0.35, base: 2014-06, lag: 2 months, window: 3 months }
  b: { series: CUSTOM/b, weight: 0.25, base: 2014-06, lag: 2 months }
  c: { series: CUSTOM/c, weight: 0.15, base: 2014-06, lag: 2 months }
clause: { fixed: 0.25, threshold: { pct: 1, test: EXCEEDS, pays: ALL }, cap: { periodPct: 2 }, rounding: { percent: { dp: 2 } } }
`
    const { status, text: said } = await as.editor.post('/agreements/preview', { text, against: null })
    if (status !== 200) throw new Error(`a preview answered ${status}: ${said}`)
  }
  return {
    name: 'a preview of 131 months',
    base: await measure(preview('2015-12-31')),
    large: await measure(preview('2025-12-31')),
  }
}

async function ask(browser: Browser, path: string): Promise<void> {
  const { status, text } = await browser.get(path)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`)
}

async function measure(work: () => Promise<void>, prepare: () => Promise<void> = async () => {}): Promise<Cost> {
  const costs: Cost[] = []
  for (let turn = 0; turn < turns; turn++) {
    await prepare()
    const { blockedMs, value: ms } = await longestBlock(async () => {
      const startedMs = performance.now()
      await work()
      return performance.now() - startedMs
    })
    costs.push({ ms, blockedMs })
  }
  return {
    ms: median(costs.map(({ ms }) => ms)),
    blockedMs: Math.min(...costs.map(({ blockedMs }) => blockedMs)),
  }
}
