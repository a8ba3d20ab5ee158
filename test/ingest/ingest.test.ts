// What ingest guarantees for one series and one provider, tested against the stand-in: refusals, quarantine, limits,
// conditional requests, secrets, and that a problem does not spread.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '../../src/core/refusal.ts'
import type { ProviderName } from '../../src/core/series/series.ts'
import { follow } from '../../src/ingest/follow.ts'
import type { OpenIngest } from '../../src/ingest/ingest-connections.ts'
import { refreshSeries } from '../../src/ingest/refresh.ts'
import { rejectQuarantined, releaseQuarantined } from '../../src/ingest/release.ts'
import { listRuns, loadRawBody } from '../../src/storage/series/ingest-runs.ts'
import { takePlace } from '../../src/storage/series/provider-pace.ts'
import { listPublicSeries } from '../../src/storage/series/public-series.ts'
import { listQuarantine } from '../../src/storage/series/quarantine.ts'
import { SeriesLocks } from '../../src/storage/series/series-locks.ts'
import { publish, type StandInSeries } from '../stand-in/model.ts'
import { type StandIn, startStandIn } from '../stand-in/stand-in.ts'
import { makeSeries, makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { basesOf, finalMonths, ingestAt, keys, newestOf, stateOf, vintagesOf } from './support.ts'

let db: TestDatabase
let standIn: StandIn
let ingest: OpenIngest
let deciding: OpenIngest & { readonly by: string }
let workspace: string
const logged: string[] = []
beforeAll(async () => {
  db = await openTestDatabase()
  standIn = await startStandIn({ at: '2026-06-15', tagged: ['BIS'], slowMs: 60_000 })
  const log = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }))
  ingest = ingestAt(db, standIn, { answerMs: 2000, sleep: async () => {}, log: { info: log, warn: log } })
  deciding = Object.assign(Object.create(ingest), { by: 'otto@operator.test' })
  workspace = (await makeWorkspace(db)).id
})
afterAll(async () => {
  await ingest.close()
  await standIn.close()
  await db.close()
})
beforeEach(async () => {
  standIn.behave()
  await db.owner`delete from provider_pause`
  await db.owner`delete from provider_request`
})

async function refreshAll(provider?: ProviderName) {
  const series = await listPublicSeries(db.sql, provider === undefined ? {} : { provider })
  const runs = await refreshSeries(ingest, series, 'refresh')
  return runs.flatMap(run => run.outcomes)
}

async function refreshOne(provider: ProviderName, code: string) {
  return (await refreshAll(provider)).find(outcome => outcome.code === code)!
}

/** Sixty final months. */
function steady(provider: ProviderName, code: string, value = (i: number) => `${100 + i}.5`): StandInSeries {
  const model = standIn
    .seriesOf(provider)
    .find(series => series.frequency === 'MONTHLY' && series.details.premium === undefined)!
  return { ...model, code, publications: finalMonths(60, value) }
}

describe('following', () => {
  test('an invalid code and an unknown provider are refused before any request', async () => {
    standIn.forgetRequests()
    const wrong = follow(ingest, workspace, ['BLS/not a code', 'NOBODY/x', 'CUSTOM/mine', 'ECB/EXR/D.USD.EUR.SP00.A'])
    await expect(wrong).rejects.toThrow(Refusal)
    for (const words of ['a BLS code is', 'NOBODY/x', 'CUSTOM/mine']) await expect(wrong).rejects.toThrow(words)
    expect(standIn.requests).toEqual([])
  })

  test('a code that the workspace has imported is refused', async () => {
    const own = (await makeWorkspace(db)).id
    await makeSeries(db.sql, own, 'cuur0000SA0')
    await db.owner`alter table series disable trigger append_only`
    await db.owner`update series set provider = 'BLS' where owner = ${own}`
    await db.owner`alter table series enable trigger append_only`
    const refused = follow(ingest, own, ['BLS/CUUR0000SA0'])
    await expect(refused).rejects.toThrow('BLS/cuur0000SA0 was imported into this workspace')
  })

  test('an unknown series leaves nothing behind, and the others of the batch are read', async () => {
    const followed = await follow(ingest, workspace, ['BLS/NOSUCHSERIES', 'BLS/CWUR0000SA0'])
    expect(followed.map(({ code, follows, outcome }) => [code, follows, outcome.kind])).toEqual([
      ['CWUR0000SA0', 'new', 'changed'],
      ['NOSUCHSERIES', 'no', 'failed'],
    ])
    expect(await listPublicSeries(db.sql, { provider: 'BLS', codes: ['NOSUCHSERIES'] })).toEqual([])
  })

  test('a second workspace and another case share the one public series', async () => {
    const first = await follow(ingest, workspace, ['ONS/D7BT/MM23/M'])
    const other = (await makeWorkspace(db)).id
    const second = await follow(ingest, other, ['ONS/d7bt/mm23/m'])
    expect(second[0]).toMatchObject({
      follows: 'new',
      outcome: { kind: 'unchanged' },
      series: { id: first[0]!.series!.id },
    })
    const again = await follow(ingest, other, ['ONS/D7BT/MM23/M'])
    expect(again[0]!.follows).toBe('held')
    expect(await listPublicSeries(db.sql, { provider: 'ONS' })).toHaveLength(1)
  })

  test('names come from the provider, or from the built-in list if it has none', async () => {
    const followed = await follow(ingest, workspace, ['STATCAN/v41690973', 'BLS/CUUR0000SA0', 'FRED/CPIAUCNS'])
    const named = new Map(followed.map(({ provider, series }) => [provider, series]))
    expect(named.get('STATCAN')?.name).toContain('Canada, all-items')
    expect(named.get('BLS')).toMatchObject({ name: expect.stringContaining('CPI-U'), unit: '1982-84 = 100' })
    expect(named.get('FRED')).toMatchObject({ unit: 'Index 1982-1984=100', dataType: 'INDEX' })
  })

  test('a provider that needs a key is not asked without one', async () => {
    const { asking } = ingest
    const bare = { ...ingest, keys: new Map(), asking: { ...asking, bases: new Map() } }
    const [outcome] = await follow(bare, workspace, ['FRED/PPIACO'])
    expect(outcome).toMatchObject({
      follows: 'no',
      outcome: { problem: { kind: 'bad-key', message: 'FRED needs a key: set ASSIZE_KEY_FRED' } },
    })
  })

  test('a range with more vintages than fit one answer is split and joined without gaps', async () => {
    const model = standIn.seriesOf('FRED').find(series => series.frequency === 'MONTHLY')!
    const entries = Array.from({ length: 4500 }, (_, i) => {
      const day = new Date(Date.UTC(2005, 0, 1 + i, 18)).toISOString()
      return publish(`${2000 + (i % 5)}-0${1 + (i % 4)}`, `${i}.5`, day)
    })
    standIn.put({ ...model, code: 'MANYVINTAGES', publications: entries })
    const [followed] = await follow(ingest, workspace, ['FRED/MANYVINTAGES'])
    expect(followed).toMatchObject({ outcome: { kind: 'changed', added: 4500 }, problems: [] })
    const [first, ...later] = await vintagesOf(db.sql, 'FRED', 'MANYVINTAGES', '2000-01')
    expect(first).toMatchObject({ value: '0.5', tag: 'FINAL' })
    expect(new Set(later.map(({ tag }) => tag))).toEqual(new Set(['REVISED']))
    expect((await refreshOne('FRED', 'MANYVINTAGES')).outcome).toEqual({ kind: 'unchanged' })
  })
})

describe('the quarantine', () => {
  const code = 'WPU101'
  beforeAll(async () => {
    standIn.put(steady('BLS', code))
    await follow(ingest, workspace, [`BLS/${code}`])
  })

  test('quarantines a rebased history, publishes nothing of it, and says so', async () => {
    standIn.put(steady('BLS', code, i => `${50 + i}.25`))
    const { outcome } = await refreshOne('BLS', code)
    expect(outcome).toEqual({ kind: 'quarantined', reason: '60 of 60 final values would be rewritten' })
    expect((await newestOf(db.sql, 'BLS', code)).at(-1)).toBe('2025-12 159.5 FINAL')
    expect((await stateOf(db.sql, 'BLS', code))?.trouble).toContain('waits in the quarantine: 60 of 60')
    await refreshOne('BLS', code)
    expect(await listQuarantine(db.sql, 'waiting')).toHaveLength(1)
  })

  test('drops it when the provider withdraws it', async () => {
    standIn.put(steady('BLS', code))
    expect((await refreshOne('BLS', code)).outcome).toEqual({ kind: 'unchanged' })
    expect(await listQuarantine(db.sql, 'waiting')).toEqual([])
    expect((await stateOf(db.sql, 'BLS', code))?.trouble).toBeNull()
  })

  test('a rejected change is not published and not asked about again; a different one waits again', async () => {
    standIn.put(steady('BLS', code, i => `${50 + i}.25`))
    await refreshOne('BLS', code)
    const [entry] = await listQuarantine(db.sql, 'waiting')
    await rejectQuarantined(entry!.id, deciding)
    await expect(rejectQuarantined(entry!.id, deciding)).rejects.toThrow('nothing with the id')
    expect((await refreshOne('BLS', code)).outcome.kind).toBe('rejected')
    expect(await listQuarantine(db.sql, 'waiting')).toEqual([])
    standIn.put(steady('BLS', code, i => `${70 + i}.25`))
    expect((await refreshOne('BLS', code)).outcome.kind).toBe('quarantined')
  })

  test('a released change is published as revisions, once', async () => {
    const [entry] = await listQuarantine(db.sql, 'waiting')
    const released = await releaseQuarantined(entry!.id, deciding)
    expect(released.outcome).toEqual({ kind: 'changed', added: 0, revised: 60, withdrawn: 0 })
    expect((await newestOf(db.sql, 'BLS', code)).at(-1)).toBe('2025-12 129.25 REVISED')
    expect((await refreshOne('BLS', code)).outcome).toEqual({ kind: 'unchanged' })
    await expect(releaseQuarantined(entry!.id, deciding)).rejects.toThrow('nothing with the id')
  })

  test('quarantines a changed unit, and a release changes the description and keeps the history', async () => {
    standIn.put({ ...steady('ECB', 'ICP/M.XX.N.000000.4.INX'), unit: 'PURE_NUMB', details: { base: '2015=100' } })
    await follow(ingest, workspace, ['ECB/ICP/M.XX.N.000000.4.INX'])
    standIn.put({ ...steady('ECB', 'ICP/M.XX.N.000000.4.INX'), unit: 'PURE_NUMB', details: { base: '2025=100' } })
    await db.owner`update series_state set last_modified = null`
    const { outcome } = await refreshOne('ECB', 'ICP/M.XX.N.000000.4.INX')
    expect(outcome).toMatchObject({ kind: 'quarantined', reason: expect.stringContaining('the unit changed from') })
    const [entry] = await listQuarantine(db.sql, 'waiting')
    await releaseQuarantined(entry!.id, deciding)
    const [series] = await listPublicSeries(db.sql, { provider: 'ECB', codes: ['ICP/M.XX.N.000000.4.INX'] })
    expect(series!.unit).toContain('2025=100')
    const [versions] = await db.owner<{ n: number }[]>`
      select count(*)::int as n from series_metadata where series_id = ${series!.id}`
    expect(versions!.n).toBe(2)
  })

  test('a revision that reaches back beyond the window is found completely', async () => {
    standIn.put(steady('EUROSTAT', 'prc_hicp_minr/M.I25.DEEP.DE'))
    await follow(ingest, workspace, ['EUROSTAT/prc_hicp_minr/M.I25.DEEP.DE'])
    const months = [3, 40, 45, 50, 55, 58]
    standIn.put(
      steady('EUROSTAT', 'prc_hicp_minr/M.I25.DEEP.DE', i => (months.includes(i) ? `${200 + i}.5` : `${100 + i}.5`)),
    )
    const { outcome } = await refreshOne('EUROSTAT', 'prc_hicp_minr/M.I25.DEEP.DE')
    expect(outcome).toEqual({ kind: 'changed', added: 0, revised: 6, withdrawn: 0 })
  })
})

describe('asking', () => {
  test('unchanged data is not sent again, quarantined data is', async () => {
    await follow(ingest, workspace, ['BIS/WS_EER/M.N.B.DE'])
    await refreshOne('BIS', 'WS_EER/M.N.B.DE')
    standIn.forgetRequests()
    expect((await refreshOne('BIS', 'WS_EER/M.N.B.DE')).outcome).toEqual({ kind: 'unchanged' })
    expect(standIn.requests.map(({ headers }) => headers['if-none-match'])).toEqual([expect.stringContaining('"')])
    standIn.misbehave('BIS', 'rebased')
    expect((await refreshOne('BIS', 'WS_EER/M.N.B.DE')).outcome.kind).toBe('quarantined')
    expect(await stateOf(db.sql, 'BIS', 'WS_EER/M.N.B.DE')).toMatchObject({ etag: null, requestHash: null })
  })

  test('Retry-After applies to all processes, and is waited for if it is short', async () => {
    await follow(ingest, workspace, ['ABS/CPI,2.0.0/1.10001.10.50.Q'])
    standIn.misbehave('ABS', '429-storm', 1)
    const patient = ingestAt(db, standIn)
    const [run] = await refreshSeries(patient, await listPublicSeries(db.sql, { provider: 'ABS' }), 'refresh')
    await patient.close()
    expect(run).toMatchObject({ asked: 2, outcomes: [{ outcome: { kind: 'unchanged' } }] })
    standIn.forgetRequests()
    await db.owner`insert into provider_pause (owner, provider, until) values ('public', 'ABS', now() + interval '1 hour')
      on conflict (owner, provider) do update set until = excluded.until`
    expect((await refreshOne('ABS', 'CPI,2.0.0/1.10001.10.50.Q')).outcome).toMatchObject({
      kind: 'failed',
      problem: { kind: 'rate-limited', message: 'ABS was not asked: its limits allow the next request in 60 minutes' },
    })
    expect(standIn.requests).toEqual([])
  })

  test('limits are shared by all processes', async () => {
    const windows = [
      { requests: 3, seconds: 60 },
      { requests: 4, seconds: 3600 },
    ]
    const taken = await Promise.all(Array.from({ length: 8 }, () => takePlace(db.sql, 'TEST', windows)))
    expect(taken.filter(wait => wait === 0)).toHaveLength(3)
    for (const wait of taken.filter(each => each > 0)) expect(wait).toBeGreaterThan(55_000)
    await db.owner`update provider_request set at = at - interval '61 seconds' where provider = 'TEST'`
    expect(await takePlace(db.sql, 'TEST', windows)).toBe(0)
    expect(await takePlace(db.sql, 'TEST', windows)).toBeGreaterThan(3_500_000)
  })

  test('a series that another run is working on is left to it', async () => {
    const locks = new SeriesLocks(db.target)
    await locks.take(['BIS/ws_eer/m.n.b.de'])
    standIn.forgetRequests()
    expect((await refreshOne('BIS', 'WS_EER/M.N.B.DE')).outcome).toEqual({ kind: 'busy' })
    expect(standIn.requests).toEqual([])
    await locks.close()
    expect((await refreshOne('BIS', 'WS_EER/M.N.B.DE')).outcome.kind).not.toBe('busy')
  })

  test('a lost connection costs one try, and locks can be taken again', async () => {
    const locks = new SeriesLocks(db.target)
    expect(await locks.take(['X/1'])).toEqual(new Set(['X/1']))
    await db.owner`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())`
    await locks.take(['X/0']).catch(() => null)
    const again = await Promise.all([locks.take(['X/1']), locks.take(['X/2'])])
    expect(again).toEqual([new Set(['X/1']), new Set(['X/2'])])
    const other = new SeriesLocks(db.target)
    expect(await other.take(['X/1', 'X/2', 'X/3'])).toEqual(new Set(['X/3']))
    await Promise.all([locks.close(), other.close()])
  })

  test('a provider that hangs blocks no other, and its problem is reported and later cleared', async () => {
    await follow(ingest, workspace, [
      'OECD/OECD.SDD.TPS,DSD_PRICES@DF_PRICES_ALL,1.0/GBR.A.N.CPI.PA._T.N.GY',
      'WORLD_BANK/FP.CPI.TOTL/CAN',
    ])
    standIn.misbehave('WORLD_BANK', 'slow-headers')
    const ended: string[] = []
    const watching = { ...ingest, report: ({ provider }: { provider: string }) => void ended.push(provider) }
    await refreshSeries(watching, await listPublicSeries(db.sql), 'refresh')
    expect(ended.filter(provider => ['OECD', 'WORLD_BANK'].includes(provider))).toEqual(['OECD', 'WORLD_BANK'])
    expect(await stateOf(db.sql, 'WORLD_BANK', 'FP.CPI.TOTL/CAN')).toMatchObject({
      trouble: 'the provider has a problem: WORLD_BANK took longer than 2 s',
    })
    standIn.behave()
    await refreshOne('WORLD_BANK', 'FP.CPI.TOTL/CAN')
    expect(await stateOf(db.sql, 'WORLD_BANK', 'FP.CPI.TOTL/CAN')).toMatchObject({ trouble: null })
  })

  test('a provider that does not answer is not asked again in the same run', async () => {
    const codes = standIn
      .seriesOf('NASDAQ_DATA_LINK')
      .filter(({ details }) => details.premium === undefined)
      .slice(0, 8)
    await follow(
      ingest,
      workspace,
      codes.map(({ code }) => `NASDAQ_DATA_LINK/${code}`),
    )
    standIn.misbehave('NASDAQ_DATA_LINK', 'connection-reset')
    standIn.forgetRequests()
    const outcomes = await refreshAll('NASDAQ_DATA_LINK')
    expect(outcomes.every(({ outcome }) => outcome.kind === 'failed')).toBe(true)
    expect(standIn.requests.length).toBeLessThanOrEqual(9)
  })
})

describe('what is stored', () => {
  test('every run with its counts, and an answer with something new with its hash', async () => {
    standIn.put(steady('DBNOMICS', 'BIS/kept/M.CA'))
    await follow(ingest, workspace, ['DBNOMICS/BIS/kept/M.CA'])
    const [run] = (await listRuns(db.sql, 50)).filter(each => each.provider === 'DBNOMICS')
    expect(run).toMatchObject({
      cause: 'follow',
      series: 1,
      asked: 1,
      added: 60,
      revised: 0,
      withdrawn: 0,
      problems: [],
    })
    const [answer] = await db.owner<{ sha256: Buffer; address: string; status: number; size: number }[]>`
      select sha256, address, status, size from raw_answer where run_id = ${run!.id}`
    expect(answer).toMatchObject({
      status: 200,
      address: expect.stringContaining('https://api.db.nomics.world/v22/series/BIS/kept/'),
    })
    const body = await loadRawBody(db.sql, answer!.sha256)
    expect([Buffer.byteLength(body!), body]).toEqual([answer!.size, expect.stringContaining('"series_code":"M.CA"')])
  })

  test('only the hash of an answer with nothing new', async () => {
    standIn.put(steady('FRED', 'STEADY'))
    await follow(ingest, workspace, ['FRED/STEADY'])
    standIn.at('2026-06-16')
    expect((await refreshOne('FRED', 'STEADY')).outcome).toEqual({ kind: 'unchanged' })
    standIn.at('2026-06-15')
    const [run] = (await listRuns(db.sql, 50)).filter(each => each.provider === 'FRED')
    const rows = await db.owner`
      select a.place, b.sha256 is not null as kept from raw_answer a left join raw_body b on b.sha256 = a.sha256
      where a.run_id = ${run!.id} and 'STEADY' = any(a.codes) order by a.place`
    expect(rows.map(({ kept }) => kept)).toEqual([false, false])
  })

  test('no key anywhere: not in the database, not in the log', async () => {
    await follow(ingest, workspace, [
      'EIA/petroleum/pri/spt/RWTC/D',
      'NASDAQ_DATA_LINK/ECONOMIST/BIGMAC_USA/dollar_price',
    ])
    const wrong = new Map([...keys].map(([name, key]) => [name, `${key.slice(0, -3)}zzz`]))
    const refused = await refreshSeries({ ...ingest, keys: wrong }, await listPublicSeries(db.sql), 'refresh')
    expect(
      refused.flatMap(run => run.outcomes).filter(({ outcome }) => outcome.kind === 'failed').length,
    ).toBeGreaterThan(2)
    const secrets = [...keys.values(), ...wrong.values()].map(key => key.slice(0, -3).toLowerCase())
    const texts = [logged.join('\n'), JSON.stringify(refused)]
    const tables = ['ingest_run', 'raw_answer', 'series_state', 'series_metadata', 'quarantine', 'provider_request']
    for (const table of tables) {
      const rows = await db.owner`select t::text as line from ${db.owner(table)} t`
      texts.push(...rows.map(({ line }) => line as string))
    }
    for (const { sha256 } of await db.owner<{ sha256: Buffer }[]>`select sha256 from raw_body`)
      texts.push((await loadRawBody(db.sql, sha256))!)
    const all = texts.join('\n').toLowerCase()
    expect(all).toContain('api_key')
    for (const secret of secrets) expect(all.includes(secret)).toBe(false)
    expect(logged.length).toBeGreaterThan(20)
  })

  test('all requests went to the operator\u2019s base address', () => {
    for (const base of basesOf(standIn).values()) expect(base).toContain('127.0.0.1')
    expect(standIn.trapped).toBe(0)
  })
})
