// The lists of a workspace in memory: whatever is published about a series or a formula changes them in place, and they are
// then what a server that has just started reads.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { parseDay } from '../../src/core/day.ts'
import { checkDocument } from '../../src/core/formula/check.ts'
import { seriesOf } from '../../src/core/formula/check-inputs.ts'
import { importTable } from '../../src/import/table.ts'
import { CachedIndex } from '../../src/read/cached-index.ts'
import { Library } from '../../src/read/library.ts'
import { publicScope, withWorkspace } from '../../src/storage/database.ts'
import { followSeries } from '../../src/storage/follows.ts'
import { readReferences } from '../../src/storage/pams.ts'
import { publishing, readPublicationsSince } from '../../src/storage/publish.ts'
import type { VisibleSeries } from '../../src/storage/series.ts'
import { changeMetadata } from '../../src/storage/series-writing.ts'
import type { Workspace } from '../../src/storage/workspaces.ts'
import { textSource, uploadOf } from '../support/api.ts'
import { openTestDatabase, type TestDatabase, testSecret } from '../support/postgres.ts'
import { makeSeries, makeWorkspace } from '../support/workspace.ts'

let db: TestDatabase
let workspace: Workspace
let library: Library
const seen = new Map<string, number>()
beforeAll(async () => {
  db = await openTestDatabase()
  workspace = await makeWorkspace(db)
  await importText('CUSTOM/index,2020-01,100\nCUSTOM/euro,2020-01,1.1\nCUSTOM/other,2020-01,3\nCUSTOM/old,2020-01,3\n')
  library = openLibrary()
})
afterAll(() => db.close())

const openLibrary = () => new Library(db.sql, 64 * 1024 * 1024, { seals: new Seal(testSecret).rows, report: () => {} })

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

/** Tells the library what was published since, as the server does. */
async function hear(): Promise<void> {
  const since = new Map([workspace.id, publicScope].map(scope => [scope, seen.get(scope) ?? 0]))
  for (const notice of (await readPublicationsSince(db.sql, since, 1_000))!) {
    library.forget(notice)
    seen.set(notice.scope, notice.seq)
  }
}

async function expectTrue(): Promise<CachedIndex> {
  const index = await library.index(workspace.id)
  const fresh = await openLibrary().index(workspace.id)
  expect(index.series).toEqual(fresh.series)
  expect(index.pams).toEqual(fresh.pams)
  for (const series of fresh.series) {
    expect(index.find(series.id)).toEqual(series)
    expect(index.findByReference(`${series.provider}/${series.code}`)).toEqual(series)
  }
  for (const pam of fresh.pams) expect([index.findPam(pam.slug), index.findPam(pam.id)]).toEqual([pam, pam])
  return index
}

test('a new, renamed or followed series and a new or changed formula change the lists in place', async () => {
  await hear()
  const first = await expectTrue()
  await library.references(workspace.id, first)
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
      publishing(db.sql, publicScope, (tx, publication) =>
        changeMetadata(tx, publication, [
          {
            id: publicSeries,
            provider: 'CUSTOM',
            code: 'shared',
            name: 'Another name',
            unit: '',
            dataType: 'INDEX',
            frequency: 'MONTHLY',
            description: '',
          },
        ]),
      ),
  ]
  for (const change of changes) {
    await change()
    const before = first.series
    await hear()
    expect(first.isCurrent).toBe(false)
    // What somebody has in hand stays as it was.
    expect(first.series).toBe(before)
    expect(await expectTrue()).toBe(first)
    const references = await library.references(workspace.id, first)
    expect(new Map(references)).toEqual(await readAllReferences())
  }
})

const readAllReferences = async () =>
  new Map(await withWorkspace(db.sql, workspace.id, tx => readReferences(tx, workspace.id)))

test('what is published while the lists are renewed is not lost', async () => {
  await hear()
  const index = await library.index(workspace.id)
  await apply(document('three'))
  await hear()
  const renewing = Promise.all([library.index(workspace.id), library.index(workspace.id)])
  await apply(document('four'))
  await hear()
  expect(await renewing).toEqual([index, index])
  expect((await expectTrue()).findPam('four')?.slug).toBe('four')
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

test('one change in a list of 100,000 takes milliseconds', async () => {
  const metadata = { seq: 1, recordedAt: '', name: '', unit: '', dataType: 'INDEX', frequency: 'MONTHLY' } as const
  const one = (n: number): VisibleSeries => ({
    owner: workspace.id,
    id: `ser_${n.toString().padStart(26, '0')}`,
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
  const times = Array.from({ length: 21 }, (_, i) => {
    const added = one(2 * i * 4_000 + 1)
    const from = performance.now()
    index.outdate(added.id)
    index.change({ subjects: index.takeStale(), series: [added], pams: [], references: null })
    expect(index.find(added.id)).toBe(added)
    return performance.now() - from
  })
  expect(index.series).toHaveLength(100_021)
  expect(index.series.map(({ id }) => id)).toEqual(index.series.map(({ id }) => id).toSorted())
  expect(times.toSorted((a, b) => a - b)[10]).toBeLessThan(20)
})
