// The lists of a workspace in memory: whatever is published about a series or a formula changes them in place, and they
// then equal what a newly started server reads.
import { beforeAll, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import { seriesOf } from '../../src/core/formula/check/check-inputs.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { ReadersBySeries } from '../../src/read/agreements/agreement-readers.ts'
import { Library } from '../../src/read/library.ts'
import { CachedIndex } from '../../src/read/lists/cached-index.ts'
import { Stale } from '../../src/read/memory/stale.ts'
import { loadReferences } from '../../src/storage/agreements/agreement-lists.ts'
import { appending, loadEntriesSince } from '../../src/storage/log/append.ts'
import { createCompany, renameCompany } from '../../src/storage/people/parties.ts'
import { publicScope, withWorkspace } from '../../src/storage/postgres/database.ts'
import { followSeries } from '../../src/storage/series/follows.ts'
import { changeMetadata, type OwnSeries } from '../../src/storage/series/own-series.ts'
import type { VisibleSeries } from '../../src/storage/series/visible-series.ts'
import { renameWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { cancelOneThatWaits, untilOneWaits } from '../support/blocked-statements.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace, publishRows } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

let workspace: Workspace
let library: Library
const seen = new Map<string, number>()
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
  await importText('CUSTOM/index,2020-01,100\nCUSTOM/euro,2020-01,1.1\nCUSTOM/other,2020-01,3\nCUSTOM/old,2020-01,3\n')
  library = openLibrary()
})

const openLibrary = (mostBytes = 64 * 1024 * 1024) =>
  new Library(db.sql, mostBytes, { seals: new Seal(makeTestRing()).rows, report: () => {} })

function importText(rows: string) {
  const source = textSource(`series,period,value\n${rows}`)
  return importTable(db.sql, workspace.id, source, { dryRun: false, upload: uploadOf('table'), onProgress: () => {} })
}

const apply = (text: string) =>
  applyDocument(db.sql, { workspaceId: workspace.id, text, by: 'eva@editor.test', today: parseDay('2021-01-01')! })

const document = (slug: string, series = 'CUSTOM/index') => `
slug: ${slug}
status: ACTIVE
contract: { start: 2020-01-01, frequency: QUARTERLY }
inputs: { index: { series: ${series}, weight: 1, base: 2020-01 } }
clause: { fixed: 0 }
`

const describePublic = (id: string, code: string, name: string): OwnSeries => ({
  id,
  provider: 'CUSTOM',
  code,
  name,
  unit: '',
  dataType: 'INDEX',
  frequency: 'MONTHLY',
  description: '',
})

/** Notifies the library of what was published since, as the server does. */
async function hear(): Promise<void> {
  const since = new Map([workspace.id, publicScope].map(scope => [scope, seen.get(scope) ?? 0]))
  for (const notice of (await loadEntriesSince(db.sql, since, 1_000))!) {
    library.changes.entered(notice)
    seen.set(notice.scope, notice.seq)
  }
}

async function expectTrue(): Promise<CachedIndex> {
  const index = await library.index(workspace.id)
  const fresh = await openLibrary().index(workspace.id)
  expect(index.series).toEqual(fresh.series)
  expect(index.agreements).toEqual(fresh.agreements)
  for (const series of fresh.series) {
    expect(index.find(series.id)).toEqual(series)
    expect(index.findByReference(`${series.provider}/${series.code}`)).toEqual(series)
  }
  for (const agreement of fresh.agreements)
    expect([index.findAgreement(agreement.slug), index.findAgreement(agreement.id)]).toEqual([agreement, agreement])
  expect(index.pamsBySlug).toEqual(fresh.pamsBySlug)
  expect(index.newestOfSeries).toEqual(fresh.newestOfSeries)
  expect(index.newestOfAgreements).toBe(fresh.newestOfAgreements)
  return index
}

test('a new, renamed or followed series and a new or changed formula change the lists in place', async () => {
  await hear()
  const first = await expectTrue()
  const readers = await library.readers(workspace.id, first)
  const bySlug = first.pamsBySlug
  const publicSeries = await makeSeries(db.sql, publicScope, 'shared')
  const changes = [
    () => importText('CUSTOM/a,2020-01,1\nCUSTOM/zzz,2020-01,1\n'),
    () =>
      importTable(db.sql, workspace.id, textSource('series,period,value,name\nCUSTOM/a,2020-01,1,Renamed\n'), {
        dryRun: false,
        upload: uploadOf('table'),
        onProgress: () => {},
      }),
    () => apply(document('one')),
    () => apply(document('two', 'CUSTOM/a')),
    () => apply(document('one', 'CUSTOM/zzz')),
    () => apply(document('one', 'CUSTOM/zzz').replace('ACTIVE', 'SUSPENDED')),
    () => followSeries(db.sql, workspace.id, { id: publicSeries, provider: 'BLS', code: 'shared' }),
    () =>
      appending(db.sql, publicScope, (tx, log) =>
        changeMetadata(tx, log, [describePublic(publicSeries, 'shared', 'Another name')]),
      ),
  ]
  for (const change of changes) {
    await change()
    const before = first.series
    await hear()
    expect(first.isCurrent).toBe(false)
    // A list that was returned stays as it was.
    expect(first.series).toBe(before)
    expect(await expectTrue()).toBe(first)
    expect(await library.readers(workspace.id, first)).toBe(readers)
    expect(new Map(readers.references)).toEqual(await readAllReferences())
    const made = await ReadersBySeries.make(first.agreements, readers.references, first)
    expect(readers.readers).toEqual(made.readers)
    for (const { id } of first.agreements) expect(readers.governingSeries(id)).toEqual(made.governingSeries(id))
  }
  expect(first.pamsBySlug).not.toBe(bySlug)
})

const readAllReferences = async () =>
  new Map(await withWorkspace(db.sql, workspace.id, tx => loadReferences(tx, workspace.id)))

test('what is published while the lists are renewed is not lost', async () => {
  await hear()
  const index = await library.index(workspace.id)
  await apply(document('three'))
  await hear()
  const renewing = Promise.all([library.index(workspace.id), library.index(workspace.id)])
  await apply(document('four'))
  await hear()
  expect(await renewing).toEqual([index, index])
  expect((await expectTrue()).findAgreement('four')?.slug).toBe('four')
})

test('what could not be read is read for the next request', async () => {
  await hear()
  await expectTrue()
  await apply(document('unread'))
  await hear()
  let asked: Promise<unknown> | null = null
  await db.owner.begin(async tx => {
    await tx`lock table agreement_state in access exclusive mode`
    asked = Promise.resolve(library.index(workspace.id)).catch(error => error)
    await cancelOneThatWaits(db)
  })
  expect(await asked).toBeInstanceOf(Error)
  expect((await expectTrue()).findAgreement('unread')?.slug).toBe('unread')
})

test('a public series that is renamed while it is just being followed has the new name', async () => {
  const id = await makeSeries(db.sql, publicScope, 'just-followed')
  await hear()
  await expectTrue()
  await followSeries(db.sql, workspace.id, { id, provider: 'CUSTOM', code: 'just-followed' })
  await hear()
  let asked: CachedIndex | Promise<CachedIndex> | null = null
  await db.owner.begin(async tx => {
    // The lists are read in a moment before the new name, and wait here.
    await tx`lock table agreement_state in access exclusive mode`
    asked = library.index(workspace.id)
    await untilOneWaits(db)
    await appending(db.sql, publicScope, (own, log) =>
      changeMetadata(own, log, [describePublic(id, 'just-followed', 'Its new name')]),
    )
    await hear()
  })
  await asked
  expect((await expectTrue()).find(id)?.metadata.at(-1)?.name).toBe('Its new name')
})

test('what is published while the lists are read for the first time is in them', async () => {
  await hear()
  library = openLibrary()
  const reading = library.index(workspace.id)
  await apply(document('five'))
  await importText('CUSTOM/five,2020-01,5\n')
  await hear()
  // A request after the notice waits for its effect.
  const asked = library.index(workspace.id)
  expect((await asked).findAgreement('five')?.slug).toBe('five')
  expect(await reading).toBe(await expectTrue())
})

test('a bulk publication without single notices leaves the lists in memory, and correct', async () => {
  await hear()
  const index = await expectTrue()
  const after = seen.get(workspace.id)!
  await importText(Array.from({ length: 30 }, (_, i) => `CUSTOM/many-${i},2020-01,1\n`).join(''))
  await apply(document('six'))
  library.changes.enteredMany(workspace.id, after + 1)
  expect(index.isCurrent).toBe(false)
  expect(await expectTrue()).toBe(index)
  await hear()
  await expectTrue()
})

test('a bulk publication of public series reaches the lists of their followers', async () => {
  await hear()
  const index = await expectTrue()
  const followed = index.series.find(({ owner }) => owner === publicScope)!
  const after = seen.get(publicScope)!
  const stranger = await makeSeries(db.sql, publicScope, 'stranger')
  await appending(db.sql, publicScope, (tx, log) =>
    changeMetadata(tx, log, [
      describePublic(followed.id, followed.code, 'Named again'),
      describePublic(stranger, 'stranger', 'Of nobody here'),
    ]),
  )
  library.changes.enteredMany(publicScope, after + 1)
  expect(await expectTrue()).toBe(index)
  expect(index.find(followed.id)?.metadata.at(-1)?.name).toBe('Named again')
  await hear()
})

test('a renamed party makes new lists, however it is notified', async () => {
  const by = { who: 'olga@owner.test', fromAddress: null }
  const companyOf = (index: CachedIndex) => index.identity!.issuerAt(null).companyName('brenner')
  await createCompany(db.sql, workspace.id, { slug: 'brenner', name: 'Brenner GmbH' }, by)
  await hear()
  const index = await expectTrue()
  expect(companyOf(index)).toBe('Brenner GmbH')
  await renameCompany(db.sql, workspace.id, 'brenner', 'Brenner AG', by)
  await hear()
  expect(companyOf(await expectTrue())).toBe('Brenner AG')
  const after = seen.get(workspace.id)!
  await renameCompany(db.sql, workspace.id, 'brenner', 'Brenner SE', by)
  library.changes.enteredMany(workspace.id, after + 1)
  expect(companyOf(await expectTrue())).toBe('Brenner SE')
  await hear()
})

test('a bulk publication of public series reaches formulas whose series have left memory before them', async () => {
  const publicId = await makeSeries(db.sql, publicScope, 'read')
  await publishRows(db.sql, publicScope, publicId, [{ period: 2020 * 12, value: '1' }])
  await followSeries(db.sql, workspace.id, { id: publicId, provider: 'CUSTOM', code: 'read' })
  await apply(document('reads-public', 'CUSTOM/read'))
  const months = Array.from(
    { length: 240 },
    (_, i) => `${2000 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
  )
  const room = (n: number) => months.map(month => `CUSTOM/room-${n},${month},1\n`).join('')
  await importText(Array.from({ length: 40 }, (_, n) => room(n)).join(''))
  await hear()
  const small = openLibrary(600_000)
  const index = await small.index(workspace.id)
  const id = index.agreementId('reads-public')!
  const cached = (await small.agreement(workspace.id, id))!
  const request = { asOf: null, knownAt: null, version: null, until: parseDay('2021-01-01')! }
  await small.adjustments(workspace.id, cached, request)
  const series = await small.series(workspace.id, index.find(publicId)!)
  // Others take the memory of the series; the formula is requested all the time, and stays.
  for (const each of index.series.filter(({ code }) => code.startsWith('room-'))) {
    small.viewOf(await small.series(workspace.id, each), { vintagesKnownAt: null })
    expect(await small.agreement(workspace.id, id)).toBe(cached)
    await small.index(workspace.id)
  }
  expect([series.isKept, cached.isKept]).toEqual([false, true])
  small.changes.enteredMany(publicScope, seen.get(publicScope)! + 1)
  expect(cached.isKept).toBe(false)
})

test('a renamed workspace makes new lists, however it is notified', async () => {
  await hear()
  const index = await expectTrue()
  const after = seen.get(workspace.id)!
  await renameWorkspace(db.sql, workspace.id, 'Another name', { who: 'olga@owner.test', fromAddress: null })
  library.changes.enteredMany(workspace.id, after + 1)
  const renewed = await expectTrue()
  expect(renewed).not.toBe(index)
  expect(renewed.identity!.issuerAt(null).workspace.name).toBe('Another name')
  await hear()
})

test('what the database finds named in a document is what the formula reads', async () => {
  const text = `
slug: everything
contract: { start: 2020-01-01, frequency: MONTHLY }
inputs:
  plain: { series: CUSTOM/index, weight: 0.5, base: 2020-01 }
  linked:
    series: CUSTOM/index
    weight: 0.3
    base: 2020-01
    links: [{ series: CUSTOM/old, until: 2019-12, coefficient: 1.5 }]
    missing: { fallback: CUSTOM/other }
  converted: { series: CUSTOM/other, weight: 0.2, base: 2020-01, convert: { fx: CUSTOM/euro, operation: MULTIPLY } }
clause: { fixed: 0 }
`
  const { formula, problems } = checkDocument(text)
  expect(problems).toEqual([])
  const applied = await apply(text)
  if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
  const [version] = (await readAllReferences()).get(applied.id)!
  const read = new Set(seriesOf(formula!.inputs).map(({ series }) => series))
  expect(read.size).toBe(4)
  expect(new Set(version!.references)).toEqual(read)
})

test('one change in a list of 100,000 looks at few of them', async () => {
  const metadata = { seq: 1, recordedAt: '', name: '', unit: '', dataType: 'INDEX', frequency: 'MONTHLY' } as const
  let looks = 0
  const one = (n: number): VisibleSeries => ({
    owner: workspace.id,
    get id() {
      looks++
      return `ser_${n.toString().padStart(26, '0')}`
    },
    provider: 'CUSTOM',
    code: `c${n}`,
    createdAt: '',
    since: 1,
    metadata: [metadata],
  })
  const index = await CachedIndex.make(
    workspace.id,
    Array.from({ length: 100_000 }, (_, i) => one(2 * i)),
    [],
    null,
  )
  const counts = Array.from({ length: 21 }, (_, i) => {
    const added = one(2 * i * 4_000 + 1)
    looks = 0
    const stale = new Stale()
    stale.add(added.id)
    index.outdate(stale)
    index.change({ subjects: index.stale.take().subjects, series: [added], agreements: [], references: null })
    expect(index.find(added.id)).toBe(added)
    return looks
  })
  expect(index.series).toHaveLength(100_021)
  expect(index.series.map(({ id }) => id)).toEqual(index.series.map(({ id }) => id).toSorted())
  expect(Math.max(...counts)).toBeLessThan(100)
})
