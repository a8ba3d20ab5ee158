// F7 of safety.md in its short form: every way in which the stand-in misbehaves, each for a few of the fifteen connectors in
// turn while the others behave; with FAULTS=all each for all of them. Nothing comes of an answer that is refused, nothing is
// published that a person has to see first, and whoever behaves is read.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ProviderName, providerNames } from '../../src/core/series.ts'
import { follow } from '../../src/ingest/follow.ts'
import type { OpenIngest } from '../../src/ingest/open.ts'
import { refreshSeries } from '../../src/ingest/refresh.ts'
import { listPublicSeries } from '../../src/storage/public-series.ts'
import { type Misbehaviour, misbehaviourKinds, ruleOf } from '../stand-in/misbehaviour.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { openTestDatabase, type TestDatabase } from '../support/postgres.ts'
import { makeWorkspace } from '../support/workspace.ts'
import { ingestAt } from './support.ts'

let db: TestDatabase
let standIn: StandIn
let ingest: OpenIngest
beforeAll(async () => {
  db = await openTestDatabase()
  standIn = await startStandIn({ at: '2026-11-10', slowMs: 30_000 })
  ingest = ingestAt(db, standIn, { answerMs: 1500, sleep: async () => {} })
  const workspace = await makeWorkspace(db)
  const followed = await follow(ingest, workspace.id, providerNames.map(longestOf))
  for (const { follows, problems, provider } of followed)
    expect({ provider, follows, problems }).toEqual({ provider, follows: 'new', problems: [] })
})
afterAll(async () => {
  await ingest.close()
  await standIn.close()
  await db.close()
})

function longestOf(provider: ProviderName): string {
  const [series] = standIn
    .seriesOf(provider)
    .filter(
      ({ details, frequency }) =>
        details.premium === undefined && (provider === 'NASDAQ_DATA_LINK' || frequency !== 'DAILY'),
    )
    .toSorted((a, b) => b.publications.length - a.publications.length)
  return `${provider}/${series!.code}`
}

/** What must never be is a value that nobody published; a tag or a withdrawal read in good faith may come and go. */
async function held(): Promise<Readonly<Record<string, string>>> {
  const rows = await db.owner<{ provider: string; values: string }[]>`
    select s.provider, md5(string_agg(distinct v.period || '=' || v.value, ',')) as values
    from vintage v join series s on s.owner = v.owner and s.id = v.series_id
    where v.value is not null group by s.provider`
  return Object.fromEntries(rows.map(({ provider, values }) => [provider, values]))
}

async function refreshAll() {
  // Nobody waits for a limit here, and a validator would keep the ECB from answering badly.
  await db.owner`delete from provider_pause`
  await db.owner`delete from provider_request`
  await db.owner`update series_state set etag = null, last_modified = null`
  const runs = await refreshSeries(ingest, await listPublicSeries(db.sql), 'refresh')
  return runs.flatMap(run => run.outcomes)
}

/** A third of the connectors at a time, another third for the next kind. */
function chosen(kind: Misbehaviour): readonly ProviderName[] {
  const turn = misbehaviourKinds.indexOf(kind)
  return process.env.FAULTS === 'all' ? providerNames : providerNames.filter((_, at) => (at + turn) % 3 === 0)
}

describe('an answer that', () => {
  test.each(misbehaviourKinds)('is %s', async kind => {
    const bad = chosen(kind)
    const before = await held()
    for (const provider of bad) standIn.misbehave(provider, kind)
    const outcomes = await refreshAll()
    standIn.behave()
    const { outcome: expected } = ruleOf(kind)
    for (const { provider, outcome, problems } of outcomes) {
      if (!bad.includes(provider))
        expect({ provider, kind: outcome.kind, problems }).toEqual({ provider, kind: 'unchanged', problems: [] })
      else if (expected === 'nothing') expect({ provider, kind: outcome.kind }).toEqual({ provider, kind: 'failed' })
    }
    expect(await held()).toEqual(before)
    if (outcomes.some(({ outcome }) => outcome.kind === 'changed')) await refreshAll()
  })

  test('is over leaves no trouble behind', async () => {
    for (const { provider, outcome } of await refreshAll())
      expect({ provider, kind: outcome.kind }).toEqual({ provider, kind: 'unchanged' })
    const troubled = (await listPublicSeries(db.sql)).filter(({ state }) => state?.trouble != null)
    expect(troubled).toEqual([])
    expect(standIn.trapped).toBe(0)
  })
})
