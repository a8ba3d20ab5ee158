// Prices that a library remembers for walks: computed once, again only where something was published that they rest on, and what
// is forgotten while it is computed is not kept.
import { beforeAll, describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { applyPriceList } from '../../src/agreements/price-list.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { Library } from '../../src/read/library.ts'
import { unbounded } from '../../src/read/memory/library-bounds.ts'
import { loadEntriesSince } from '../../src/storage/log/append.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { readList } from '../support/agreements/priced-agreement.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

let workspace: Workspace
let ids: readonly string[]
const until = parseDay('2024-11-15')!
const slugs = ['a-bolts', 'steel-brackets', 'tin-nuts']

const openLibrary = () =>
  new Library(db.sql, 64 * 1024 * 1024, { seals: new RowSeals(makeTestRing()), report: () => {} })

const importText = (table: string) =>
  importTable(db.sql, workspace.id, textSource(table), {
    dryRun: false,
    upload: uploadOf('table'),
    onProgress: () => {},
  })

const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
  await importText(steelPrices)
  await importText(steelPrices.replaceAll('CUSTOM/steel', 'CUSTOM/tin'))
  for (const slug of slugs) {
    const text = pricedDocument({ slug }).replace('CUSTOM/steel', slug === 'tin-nuts' ? 'CUSTOM/tin' : 'CUSTOM/steel')
    await applyDocument(db.sql, { workspaceId: workspace.id, text, by: 'eva@editor.test', today: until })
  }
  const rows = await withWorkspace(
    db.sql,
    workspace.id,
    tx => tx<{ id: string }[]>`select id from agreement order by slug`,
  )
  ids = rows.map(({ id }) => id)
})

/** A library that is told what is published, as a server is. */
class Told {
  readonly library = openLibrary()
  #seen = 0

  async hear(): Promise<void> {
    const notices = (await loadEntriesSince(db.sql, new Map([[workspace.id, this.#seen]]), 1000))!
    for (const notice of notices) this.library.changes.entered(notice)
    this.#seen = notices.at(-1)?.seq ?? this.#seen
  }

  /** The prices of a day as `/prices` reads them, and how many agreements were computed for it. */
  async walk(date = '2024-10-05'): Promise<{ readonly prices: readonly string[]; readonly computed: number }> {
    const before = this.library.computed
    const { newest } = await this.library.moments.of(workspace.id)
    const asked = { filter: { date: parseDay(date)! }, knownAt: newest, until }
    const read = await this.library.pricesOfMany.read(workspace.id, ids, asked)
    const rows = ids.flatMap(id => read.get(id)!.page(0, 1000).rows)
    return {
      // Nothing is signed: in force is the start, and what follows from the figures is proposed.
      prices: rows.map(({ agreement, item, proposed }) => `${agreement} ${item} ${proposed?.price}`),
      computed: this.library.computed - before,
    }
  }
}

describe('prices remembered for walks', () => {
  test('are computed once for a day that is asked for, and again for another', async () => {
    const told = new Told()
    await told.hear()
    const first = await told.walk()
    expect(first).toEqual({
      prices: ['a-bolts a-bolts 13.64', 'steel-brackets steel-brackets 13.64', 'tin-nuts tin-nuts 13.64'],
      computed: 3,
    })
    expect(await told.walk()).toEqual({ ...first, computed: 0 })
    expect((await told.walk('2024-05-01')).computed).toBe(3)
    expect((await told.walk('2024-05-01')).computed).toBe(0)
  })

  test('are computed again where a figure, a price list or a version concerns them, and nowhere else', async () => {
    const told = new Told()
    await told.hear()
    await told.walk()
    await importText('series,period,value,published\nCUSTOM/tin,2024-09,200.00,2024-11-01\n')
    await told.hear()
    const figure = await told.walk()
    expect([figure.prices[2], figure.computed]).toEqual(['tin-nuts tin-nuts 24.80', 1])
    await applyPriceList(db.sql, openLibrary(), {
      workspaceId: workspace.id,
      agreement: 'a-bolts',
      rows: readList('item,price,currency\nA,1.00,EUR\n').rows,
      from: null,
      today: until,
      by: { who: 'eva@editor.test', fromAddress: null },
    })
    await told.hear()
    const list = await told.walk()
    expect([list.prices[0], list.computed]).toEqual(['a-bolts A 1.10', 1])
    const text = pricedDocument({ clause: '{ fixed: 0, cap: { periodPct: 2 } }' })
    await applyDocument(db.sql, { workspaceId: workspace.id, text, by: 'eva@editor.test', today: until })
    await told.hear()
    const version = await told.walk()
    expect([version.prices[1], version.computed]).toEqual(['steel-brackets steel-brackets 13.16', 1])
    expect(await new Told().walk()).toEqual({ ...version, computed: 3 })
  })

  test('are not kept where something was published while they were computed', async () => {
    const told = new Told()
    await told.hear()
    const { newest } = await told.library.moments.of(workspace.id)
    const asked = { filter: { date: parseDay('2024-10-05')! }, knownAt: newest, until }
    const reading = told.library.pricesOfMany.read(workspace.id, ids, asked)
    told.library.changes.entered({ seq: 0, scope: workspace.id, kind: 'price-list', subject: ids[1]! })
    expect((await reading).size).toBe(3)
    expect(ids.map(id => told.library.pricesOfMany.has(id, asked))).toEqual([true, false, true])
    expect((await told.walk()).computed).toBe(1)
  })

  test('of a cut before the newest change are computed and not kept', async () => {
    const told = new Told()
    await told.hear()
    const { newest } = await told.library.moments.of(workspace.id)
    const early = { filter: {}, knownAt: newest.replace(/^\d{4}/, '2000') as typeof newest, until }
    expect((await told.library.pricesOfMany.read(workspace.id, ids, early)).size).toBe(0)
    expect(ids.map(id => told.library.pricesOfMany.has(id, early))).toEqual([false, false, false])
  })
})

describe('other readings remembered for checks', () => {
  test('are computed once for a period that was billed wrongly, and again where a figure concerns them', async () => {
    let computed = 0
    const work = () => {
      computed++
      return unbounded.work()
    }
    const trust = { seals: new RowSeals(makeTestRing()), report: () => {} }
    const library = new Library(db.sql, 64 * 1024 * 1024, trust, { ...unbounded, work })
    let seen = 0
    const hear = async () => {
      for (const notice of (await loadEntriesSince(db.sql, new Map([[workspace.id, seen]]), 1000))!) {
        library.changes.entered(notice)
        seen = notice.seq
      }
    }
    await hear()
    const checked = async (unitPrice: string, date: string, billed = slugs) => {
      const lines = billed.map((agreement, i) =>
        readLine(i + 2, { invoice: '1', line: `${i}`, agreement, unitPrice, date }),
      )
      const before = computed
      await library.prices.check(workspace.id, lines, { knownAt: null, until })
      return computed - before
    }
    expect(await checked('12.69', '2024-05-01')).toBeGreaterThan(0)
    const first = await checked('99.99', '2024-05-01')
    expect(first).toBeGreaterThanOrEqual(6)
    expect(await checked('99.99', '2024-05-01')).toBe(0)
    expect(await checked('77.77', '2024-05-01')).toBe(0)
    await importText('series,period,value,published\nCUSTOM/tin,2024-09,170.00,2025-01-03\n')
    await hear()
    expect(await checked('99.99', '2024-05-01', slugs.slice(0, 2))).toBe(0)
    expect(await checked('99.99', '2024-05-01')).toBeGreaterThan(0)
  })
})

describe('rows of agreements', () => {
  const row = (slug: string) => ids[slugs.indexOf(slug)]!
  /** What `/adjustments` reads after a start, and of how many agreements it was computed. */
  const started = async (day = until, library = openLibrary()) => {
    const { newest } = await library.moments.of(workspace.id)
    await library.rows.prepare(workspace.id)
    const rows = await library.rows.read(workspace.id, ids, { choice: { kind: 'latest' }, knownAt: newest, day })
    return { rows, computed: library.computed }
  }

  test('are stored, so that a start computes only what has changed', async () => {
    const first = await started()
    expect(first.computed).toBe(3)
    expect(await started()).toEqual({ rows: first.rows, computed: 0 })
    await importText('series,period,value,published\nCUSTOM/tin,2024-09,180.00,2025-01-04\n')
    const figure = await started()
    expect(figure.computed).toBe(1)
    expect(figure.rows.map((each, i) => each!.factor === first.rows[i]!.factor)).toEqual([true, true, false])
    const text = pricedDocument({ slug: 'a-bolts', clause: '{ fixed: 0, cap: { periodPct: 2 } }' })
    await applyDocument(db.sql, { workspaceId: workspace.id, text, by: 'eva@editor.test', today: until })
    expect((await started()).computed).toBe(1)
    expect((await started()).computed).toBe(0)
  })

  test('are right until the next date, and computed again on it', async () => {
    await started(parseDay('2024-08-15')!)
    expect((await started(parseDay('2024-09-30')!)).computed).toBe(0)
    const next = await started(parseDay('2024-10-01')!)
    expect([next.computed, next.rows[0]!.period]).toEqual([3, '2024-Q4'])
    expect((await started(parseDay('2024-08-15')!)).computed).toBe(3)
  })

  test('are not believed without our seal', async () => {
    await started()
    await withWorkspace(
      db.sql,
      workspace.id,
      tx => tx`update kept_digest set content = replace(content, '"factor":"1', '"factor":"2')
        where list = 'rows' and agreement_id = ${row('tin-nuts')}`,
    )
    const { computed, rows } = await started()
    expect([computed, rows.every(each => each!.factor!.startsWith('1.'))]).toEqual([1, true])
  })
})
