// Answers that look different from those before them, through ingest and storage: one alarm for all of it, values held back,
// and the decision of an operator.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptDrift, findDrift, rejectDrift } from '../../src/ingest/drift/drift-decision.ts'
import { follow } from '../../src/ingest/follow.ts'
import type { OpenIngest } from '../../src/ingest/ingest-connections.ts'
import { refreshSeries } from '../../src/ingest/refresh.ts'
import { listDrifts } from '../../src/storage/series/drift.ts'
import { listPublicSeries } from '../../src/storage/series/public-series.ts'
import { listQuarantine } from '../../src/storage/series/quarantine.ts'
import type { StandInSeries } from '../stand-in/model.ts'
import { publish } from '../stand-in/model.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { finalMonths, ingestAt, newestOf } from './support.ts'

let db: TestDatabase
let standIn: StandIn
let ingest: OpenIngest
let deciding: OpenIngest & { readonly by: string }
const codes = ['EXR/M.AAA.EUR.SP00.A', 'EXR/M.BBB.EUR.SP00.A', 'EXR/M.CCC.EUR.SP00.A']

beforeAll(async () => {
  db = await openTestDatabase()
  standIn = await startStandIn({ at: '2026-06-15' })
  ingest = ingestAt(db, standIn, { sleep: async () => {} })
  deciding = Object.assign(Object.create(ingest), { by: 'otto@operator.test' })
  for (const code of codes) standIn.put(steady(code))
  await follow(
    ingest,
    (await makeWorkspace(db)).id,
    codes.map(code => `ECB/${code}`),
  )
  // What may be asked in a minute is not the subject.
  await db.owner`delete from provider_request`
})
afterAll(async () => {
  await ingest.close()
  await standIn.close()
  await db.close()
})

/** Two years of months. */
function steady(
  code: string,
  change: Partial<StandInSeries> = {},
  write = (at: number) => `${100 + at}.25`,
): StandInSeries {
  const model = standIn.seriesOf('ECB').find(each => each.code === 'EXR/M.USD.EUR.SP00.A')!
  return { ...model, code, publications: finalMonths(24, write), ...change }
}

async function refreshAll() {
  await db.owner`delete from provider_request`
  await db.owner`update series_state set etag = null, last_modified = null`
  const runs = await refreshSeries(ingest, await listPublicSeries(db.sql, { provider: 'ECB' }), 'refresh')
  return runs.flatMap(run => run.outcomes.map(({ outcome }) => outcome.kind))
}

test('good answers raise nothing, and their shape is kept once', async () => {
  await refreshAll()
  await refreshAll()
  expect(await listDrifts(db.sql)).toEqual([])
  const kept = await db.owner`select about from answer_shape where kind = 'values'`
  expect(kept.map(({ about }) => about)).toEqual(['EXR service/data'])
})

test('figures of all series a thousand times as large are one alarm, and accepting it publishes all of them', async () => {
  for (const code of codes) standIn.put(steady(code, {}, at => `${100 + at}250`))
  expect(await refreshAll()).toEqual(['quarantined', 'quarantined', 'quarantined'])
  const drifts = await listDrifts(db.sql)
  expect(drifts.map(({ provider, parts }) => [provider, parts.length])).toEqual([['ECB', 3]])
  expect((await newestOf(db.sql, 'ECB', codes[0]!)).at(-1)).toContain('123.25')
  const held = (await listQuarantine(db.sql, 'waiting')).map(({ driftId, reason }) => [driftId, reason])
  expect(held).toHaveLength(3)
  expect(held[0]).toEqual([drifts[0]!.id, expect.stringContaining('all figures are 1000 times as large')])
  await acceptDrift((await findDrift(ingest, drifts[0]!.id))!, deciding)
  expect(await listQuarantine(db.sql, 'waiting')).toEqual([])
  expect((await newestOf(db.sql, 'ECB', codes[2]!)).at(-1)).toContain('123250')
  expect(await refreshAll()).toEqual(['unchanged', 'unchanged', 'unchanged'])
  expect(await listDrifts(db.sql)).toEqual([])
})

test('a title that was rejected is rejected again without another alarm', async () => {
  standIn.put(steady(codes[0]!, { name: 'US dollar, seasonally adjusted' }, at => `${100 + at}250`))
  expect((await refreshAll())[0]).toBe('quarantined')
  const [drift] = await listDrifts(db.sql)
  expect(drift!.parts[0]!.lines).toContainEqual(expect.objectContaining({ after: 'US dollar, seasonally adjusted' }))
  await rejectDrift((await findDrift(ingest, drift!.id))!, deciding)
  expect((await refreshAll())[0]).toBe('rejected')
  expect(await listDrifts(db.sql)).toEqual([])
  standIn.put(steady(codes[0]!, {}, at => `${100 + at}250`))
  expect((await refreshAll())[0]).toBe('unchanged')
})

test('a web page in place of a table is one alarm that ends with the next good answer', async () => {
  standIn.misbehave('ECB', 'html-200')
  expect(await refreshAll()).toEqual(['failed', 'failed', 'failed'])
  const [drift, ...others] = await listDrifts(db.sql)
  expect(others).toEqual([])
  expect(drift!.parts.flatMap(({ signs }) => signs.map(({ kind }) => kind))).toEqual(['format'])
  expect(drift!.parts[0]!.lines[1]).toEqual({ what: 'Format', before: 'table', after: 'web page' })
  standIn.behave()
  await db.owner`delete from provider_pause`
  await refreshAll()
  expect(await listDrifts(db.sql)).toEqual([])
  expect((await listDrifts(db.sql, 'all')).map(({ decision }) => decision)).toEqual([
    'released',
    'rejected',
    'overtaken',
  ])
})

test('a series that stands still while its family goes on is an alarm that ends when it catches up', async () => {
  const write = (at: number) => `${100 + at}250`
  const later = ['2026-01', '2026-02', '2026-03'].map((period, at) => publish(period, write(24 + at), '2026-05-10'))
  const further = (code: string) => steady(code, { publications: [...finalMonths(24, write), ...later] })
  const [still, ...moving] = codes
  for (const code of moving) standIn.put(further(code))
  expect((await refreshAll()).toSorted()).toEqual(['changed', 'changed', 'unchanged'])
  const [drift, ...others] = await listDrifts(db.sql)
  expect(others).toEqual([])
  expect(drift!.parts).toMatchObject([
    {
      place: 'family EXR',
      signs: [{ kind: 'standing-still', words: `${still} stands still: its family is 3 periods ahead` }],
      lines: [{ what: `Newest period of ${still}`, before: 'family: 2026-03', after: '2025-12' }],
      series: [still],
    },
  ])
  standIn.put(further(still!))
  await refreshAll()
  expect(await listDrifts(db.sql)).toEqual([])
})
