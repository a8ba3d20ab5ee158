// Every provider end to end against the stand-in: first load, a preliminary value, its final, a revision, a withdrawal, an
// outage and its end.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { providerNames } from '../../src/core/series/series.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { formatPeriod, ordinalAt, periodOf } from '../../src/core/time/period.ts'
import { follow } from '../../src/ingest/follow.ts'
import type { OpenIngest } from '../../src/ingest/ingest-connections.ts'
import { refreshSeries } from '../../src/ingest/refresh.ts'
import { listRuns } from '../../src/storage/series/ingest-runs.ts'
import { listPublicSeries } from '../../src/storage/series/public-series.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { publish, type StandInSeries } from '../stand-in/model.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { ingestAt, newestOf, stateOf, vintagesOf } from './support.ts'

let db: TestDatabase
let standIn: StandIn
let ingest: OpenIngest
beforeAll(async () => {
  db = await openTestDatabase()
  standIn = await startStandIn({ at: '2024-02-20' })
  ingest = ingestAt(db, standIn, { answerMs: 5000, sleep: async () => {} })
})
afterAll(async () => {
  await ingest.close()
  await standIn.close()
  await db.close()
})

const tagged = new Set(['BLS', 'ECB', 'EUROSTAT', 'STATCAN', 'ABS', 'BIS', 'OECD'])

/** Forty periods with final values, and one that goes through every stage. */
function lifeOf(model: StandInSeries): { readonly series: StandInSeries; readonly period: string } {
  const { frequency, provider } = model
  const last = ordinalAt(frequency, parseDay('2024-01-31')!) - (frequency === 'ANNUAL' ? 1 : 0)
  const written = (ordinal: number) => formatPeriod(periodOf(frequency, ordinal))
  const final = Array.from({ length: 40 }, (_, i) => publish(written(last - 40 + i), `${100 + i}.5`, '2024-01-15'))
  const period = written(last)
  const first = tagged.has(provider) ? 'PRELIMINARY' : 'FINAL'
  const entries = [
    ...final,
    publish(period, '141.5', '2024-02-15T13:30:00Z', first),
    publish(period, '141.7', '2024-03-15T13:30:00Z', tagged.has(provider) ? 'FINAL' : 'REVISED'),
    publish(period, '141.9', '2024-04-15T13:30:00Z', 'REVISED'),
    publish(period, null, '2024-05-15T13:30:00Z', 'WITHDRAWN'),
  ]
  return { series: { ...model, publications: entries }, period }
}

describe.each(providerNames)('%s', provider => {
  test('follows a series through all its stages', async () => {
    const model =
      standIn
        .seriesOf(provider)
        .find(({ details, frequency }) => details.premium === undefined && frequency !== 'DAILY') ??
      standIn.seriesOf(provider)[0]!
    const { series, period } = lifeOf(model)
    standIn.put(series)
    standIn.at('2024-02-20')
    const workspace = await makeWorkspace(db)
    const { code } = series
    const [followed] = await follow(ingest, workspace.id, [`${provider}/${code}`])
    expect(followed).toMatchObject({ follows: 'new', outcome: { kind: 'changed', added: 41 }, problems: [] })

    const refresh = async () => {
      const stored = await listPublicSeries(db.sql, { provider })
      const [run] = await refreshSeries(ingest, stored, 'refresh')
      return run!.outcomes.find(outcome => outcome.code === code)!
    }
    const tag = tagged.has(provider) ? 'PRELIMINARY' : 'FINAL'
    expect((await newestOf(db.sql, provider, code)).at(-1)).toBe(`${period} 141.5 ${tag}`)
    expect((await newestOf(db.sql, provider, code)).length).toBe(41)
    expect((await refresh()).outcome).toEqual({ kind: 'unchanged' })

    standIn.at('2024-03-20')
    expect((await refresh()).outcome).toEqual({ kind: 'changed', added: 0, revised: 1, withdrawn: 0 })
    standIn.misbehave(provider, 'status-500')
    expect((await refresh()).outcome).toMatchObject({ kind: 'failed' })
    expect((await stateOf(db.sql, provider, code))?.trouble).toBeTruthy()
    standIn.at('2024-04-20')
    standIn.behave(provider)
    expect((await refresh()).outcome).toEqual({ kind: 'changed', added: 0, revised: 1, withdrawn: 0 })
    expect(await stateOf(db.sql, provider, code)).toMatchObject({ trouble: null, troubleSince: null })
    standIn.at('2024-05-20')
    expect((await refresh()).outcome).toEqual({ kind: 'changed', added: 0, revised: 0, withdrawn: 1 })
    expect((await refresh()).outcome).toEqual({ kind: 'unchanged' })

    const told = (await vintagesOf(db.sql, provider, code, period)).map(({ value, tag }) => `${value} ${tag}`)
    expect(told).toEqual([
      `141.5 ${tag}`,
      tag === 'FINAL' ? '141.7 REVISED' : '141.7 FINAL',
      '141.9 REVISED',
      'null null',
    ])
    expect((await newestOf(db.sql, provider, code)).filter(line => line.includes('withdrawn'))).toHaveLength(1)
  })
})

test('every run is recorded, and the chain of public publications verifies', async () => {
  const runs = await listRuns(db.sql, 500)
  expect(runs.length).toBeGreaterThanOrEqual(15 * 7)
  for (const run of runs) expect(run.finishedAt).not.toBeNull()
  expect((await verifyChain(db.owner, 'public')).problem).toBeNull()
})
