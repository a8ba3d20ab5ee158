// Pieces of a workspace's lists: what one request needs is answered while the whole is not in memory, and says the same.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { limits } from '../../src/limits.ts'
import { Library } from '../../src/read/library.ts'
import type { CachedIndex } from '../../src/read/lists/cached-index.ts'
import { unbounded } from '../../src/read/memory/library-bounds.ts'
import { createCompany } from '../../src/storage/people/parties.ts'
import { publicScope } from '../../src/storage/postgres/database.ts'
import { followSeries } from '../../src/storage/series/follows.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import { cancelOneThatWaits } from '../support/blocked-statements.ts'
import { copySeries, followCopies } from '../support/files/many-series.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeSeries, makeWorkspace } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

const own = 40_000
const followed = 10_000

let workspace: Workspace
let whole: CachedIndex
/** Three formulas and three series, where nothing depends on how many there are. */
let small: Workspace
let wholeOfSmall: CachedIndex
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  ;[workspace, small] = [await makeWorkspace(db), await makeWorkspace(db)]
  const shared = await makeSeries(db.sql, publicScope, 'shared')
  for (const each of [workspace, small]) await fill(each, shared)
  const by = { who: 'olga@owner.test', fromAddress: null }
  await createCompany(db.sql, workspace.id, { slug: 'brenner', name: 'Brenner GmbH' }, by)
  const [first] = await db.owner<{ id: string }[]>`select id from series where owner = ${workspace.id} and code = 'a'`
  await copySeries(db.owner, workspace.id, first!.id, own)
  await copySeries(db.owner, publicScope, shared, followed)
  await followCopies(db.owner, workspace.id, shared, followed)
  whole = await openLibrary().index(workspace.id)
  wholeOfSmall = await openLibrary().index(small.id)
})

/** A library that never reads ahead: it has only pieces. */
const openLibrary = (readsListsAhead = false, mostBytes = 256 * 1024 * 1024) =>
  new Library(
    db.sql,
    mostBytes,
    { seals: new Seal(makeTestRing()).rows, report: () => {} },
    { ...unbounded, readsListsAhead },
  )

/** Two series of its own, a public one that it follows, and three formulas. */
async function fill({ id }: Workspace, shared: string): Promise<void> {
  await importTable(db.sql, id, textSource('series,period,value\nCUSTOM/a,2020-01,1\nCUSTOM/b,2020-01,1\n'), {
    dryRun: false,
    upload: uploadOf('table'),
    onProgress: () => {},
  })
  for (const slug of ['one', 'two', 'three']) await apply(id, slug, slug === 'two' ? 'CUSTOM/b' : 'CUSTOM/a')
  await followSeries(db.sql, id, { id: shared, provider: 'CUSTOM', code: 'shared' })
}

async function apply(workspaceId: string, slug: string, series: string): Promise<void> {
  const text = `
slug: ${slug}
contract: { start: 2020-01-01, frequency: QUARTERLY }
inputs: { index: { series: ${series}, weight: 1, base: 2020-01 } }
clause: { fixed: 0 }
`
  const by = 'eva@editor.test'
  const applied = await applyDocument(db.sql, { workspaceId, text, by, today: parseDay('2021-01-01')! })
  expect(applied.outcome).toBe('created')
}

/** Nobody else reads the table meanwhile. */
async function whileLocked(table: string, work: () => Promise<void>): Promise<void> {
  await db.owner.begin(async tx => {
    await tx`lock table ${tx(table)} in access exclusive mode`
    await work()
  })
}

const firstPage = { after: '', provider: null, seq: null, most: 51 }

describe('a piece', () => {
  test('is the page that the whole has at that place, of a workspace’s own series and of those it follows', async () => {
    const library = openLibrary()
    const last = whole.series[own - 10]!.id
    for (const after of ['', whole.series[99]!.id, last, whole.series.at(-3)!.id, 'z']) {
      const page = await library.index(workspace.id, { seriesPage: { ...firstPage, after } })
      expect(page.series).toEqual(whole.series.filter(({ id }) => id > after).slice(0, 51))
      expect(page.newestOfSeries.own).toBeGreaterThanOrEqual(whole.newestOfSeries.own)
      expect(page.newestOfSeries.public).toBeGreaterThanOrEqual(whole.newestOfSeries.public)
    }
    expect(library.cached).toBe(0)
  })

  test('has nothing later than its walk, and only one provider if one is requested', async () => {
    const library = openLibrary()
    const { since } = whole.series.find(({ owner }) => owner === publicScope)!
    const ask = (seriesPage: object) =>
      library.index(workspace.id, { seriesPage: { ...firstPage, after: whole.series[own - 10]!.id, ...seriesPage } })
    const expected = (isSeen: (seen: number) => boolean) =>
      whole.series.filter(({ id, since: from }) => id > whole.series[own - 10]!.id && isSeen(from)).slice(0, 51)
    expect((await ask({ seq: since - 1 })).series).toEqual(expected(from => from < since))
    expect((await ask({ seq: since })).series).toEqual(expected(from => from <= since))
    expect((await ask({ provider: 'CUSTOM' })).series).toEqual(expected(() => true))
    expect((await ask({ provider: 'BLS' })).series).toEqual([])
  })

  test('is a series by its id or its name, or nothing', async () => {
    const library = openLibrary()
    const { id } = whole.series[5_000]!
    const piece = await library.index(workspace.id, { series: [id, 'CUSTOM/b', 'ser_none', 'a\0b'] })
    expect(piece.find(id)).toEqual(whole.find(id))
    expect(piece.findByReference('CUSTOM/b')).toEqual(whole.findByReference('CUSTOM/b'))
    expect(piece.series).toHaveLength(2)
  })

  test('is a formula by its id or slug with the series it reads, a page of formulas, or all of them', async () => {
    const library = openLibrary()
    const piece = await library.index(workspace.id, { agreements: ['two', 'none'] })
    expect(piece.findAgreement('two')).toEqual(whole.findAgreement('two'))
    expect(piece.agreementId('one')).toBeUndefined()
    expect(piece.series).toEqual([whole.findByReference('CUSTOM/b')])
    const [issuer, issuerOfWhole] = [piece, whole].map(({ identity }) => identity!.issuerAt(null))
    expect([issuer!.installation, issuer!.workspace]).toEqual([issuerOfWhole!.installation, issuerOfWhole!.workspace])
    expect(issuer!.companyName('brenner')).toBe('Brenner GmbH')
    const page = { after: whole.agreements[0]!.id, seq: null, most: 1 }
    expect((await library.index(workspace.id, { agreementPage: page })).agreements).toEqual([whole.agreements[1]])
    const seq = whole.agreements[0]!.states[0]!.seq
    expect((await library.index(workspace.id, { agreementPage: { ...page, seq } })).agreements).toEqual([])
    expect((await library.index(workspace.id, { agreements: 'all' })).agreements).toEqual(whole.agreements)
  })
})

test('the first page does not wait for fifty thousand series, and then they are there', async () => {
  const library = openLibrary(true)
  const page = await library.index(workspace.id, { seriesPage: firstPage })
  expect(page.series).toHaveLength(51)
  expect(page.isKept).toBe(false)
  // The whole is on its way, and was not waited for.
  expect([library.loading, library.cached]).toEqual([1, 0])
  const all = await library.index(workspace.id)
  expect(all.series).toHaveLength(own + followed + 3)
  expect(await library.index(workspace.id, { seriesPage: firstPage })).toBe(all)
})

test('of many simultaneous requests a few are served by pieces, and the others as soon as possible', async () => {
  const library = openLibrary(true)
  const { id } = whole.series[77]!
  const asked = Array.from({ length: 100 }, () => library.index(workspace.id, { series: [id] }))
  await setImmediate()
  expect(library.loading).toBeLessThanOrEqual(limits.piecesAtOnce + 1)
  const answers = await Promise.all(asked)
  for (const index of answers) expect(index.find(id)).toEqual(whole.find(id))
  // Once the whole is in memory, everybody gets it.
  const all = await library.index(workspace.id)
  expect(await library.index(workspace.id, { series: [id] })).toBe(all)
})

describe('all formulas', () => {
  const formulas = { agreements: 'all' } as const

  test('come before the series of the whole, once for all callers, and are not read a second time', async () => {
    const library = openLibrary(true)
    const [first, second] = await Promise.all([1, 2].map(() => library.index(workspace.id, formulas)))
    expect(second).toBe(first)
    expect([first!.agreements, first!.series, first!.isKept]).toEqual([whole.agreements, [], false])
    expect([library.loading, library.cached]).toEqual([1, 0])
    await library.index(workspace.id)
  })

  test('are read for a caller after something was published about them while the whole is being read', async () => {
    const library = openLibrary(true)
    await whileLocked('series_metadata', async () => {
      const asked = await library.index(small.id, formulas)
      expect(asked.agreements).toEqual(wholeOfSmall.agreements)
      await copyAgreement(db.owner, small.id, wholeOfSmall.agreementId('one')!, 1)
      const [copy] = await db.owner<{ id: string }[]>`select id from agreement where slug like 'copy-%'`
      library.changes.entered({ scope: small.id, kind: 'agreement', subject: copy!.id, seq: 1 })
      const later = await library.index(small.id, formulas)
      expect(later.findAgreement(copy!.id)?.slug).toMatch(/^copy-/)
    })
    const slugs = (await library.index(small.id)).pamsBySlug.map(({ slug }) => slug)
    expect(slugs).toHaveLength(4)
  })

  test('are read as a piece where the whole fails before it has them, and then the whole is read again', async () => {
    const library = openLibrary(true)
    let asked: CachedIndex | Promise<CachedIndex> | null = null
    await whileLocked('agreement', async () => {
      asked = library.index(small.id, formulas)
      await cancelOneThatWaits(db)
    })
    expect((await asked!).agreementId('one')).toBe(wholeOfSmall.agreementId('one'))
    expect((await library.index(small.id)).series).toEqual(wholeOfSmall.series)
  })

  test('are there where the whole fails after it has them, and then the whole is read again', async () => {
    const library = openLibrary(true)
    await whileLocked('series_metadata', async () => {
      const asked = await library.index(small.id, formulas)
      expect(asked.agreementId('one')).toBe(wholeOfSmall.agreementId('one'))
      await cancelOneThatWaits(db)
      while (library.loading > 0) await setTimeout(5)
    })
    expect((await library.index(small.id)).series).toEqual(wholeOfSmall.series)
  })
})

test('a caller that waits for the whole gets its error, and the next one reads it again', async () => {
  const library = openLibrary(true)
  let asked: Promise<unknown> | null = null
  await whileLocked('series_metadata', async () => {
    asked = Promise.resolve(library.index(small.id)).catch(error => error)
    await cancelOneThatWaits(db)
  })
  expect(await asked).toBeInstanceOf(Error)
  expect((await library.index(small.id)).series).toEqual(wholeOfSmall.series)
})

test('lists that are too large for memory are not read for requests that need a piece', async () => {
  const library = openLibrary(true, 16 * 1024 * 1024)
  await library.index(workspace.id)
  expect(library.cached).toBe(0)
  const piece = await library.index(workspace.id, { series: ['CUSTOM/a'] })
  expect(piece.series).toHaveLength(1)
  await setImmediate()
  expect(library.loading).toBe(0)
})
