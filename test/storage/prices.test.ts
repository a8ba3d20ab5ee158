// Price lists, units, quantities and kept lines in the database: nobody sees another's, simultaneous imports count
// once, quotas apply, and a backup restores all of it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { importLines, reverseInvoice } from '../../src/agreements/invoices.ts'
import { applyPriceList } from '../../src/agreements/price-list.ts'
import { importQuantities } from '../../src/agreements/quantities.ts'
import { type LineTexts, readLine } from '../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { Library } from '../../src/read/library.ts'
import { loadQuantities } from '../../src/storage/agreements/quantities.ts'
import { loadUnits, setUnits } from '../../src/storage/agreements/units.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import { openOwner, withWorkspace } from '../../src/storage/postgres/database.ts'
import { createBackup, hashTables } from '../../src/storage/upkeep/backup.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { restoreBackup } from '../../src/storage/upkeep/restore.ts'
import { loadQuotas } from '../../src/storage/workspaces/quotas.ts'
import { setWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { readList } from '../support/agreements/priced-agreement.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { ownHouse } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { longTest } from '../support/run/long-test.ts'
import { makeTestRing, openBareDatabase, openTestDatabase } from '../support/run/postgres.ts'

let mine: Workspace
let other: Workspace
const today = parseDay('2024-11-15')!
const by = { who: 'eva@editor.test', fromAddress: null }

const library = () => new Library(db.sql, 64 * 1024 * 1024, { seals: new RowSeals(makeTestRing()), report: () => {} })

async function fill({ id }: Workspace): Promise<void> {
  const onProgress = () => {}
  await importTable(db.sql, id, textSource(steelPrices), { dryRun: false, upload: uploadOf(steelPrices), onProgress })
  await applyDocument(db.sql, { workspaceId: id, text: pricedDocument(), by: by.who, today })
}

const keepList = ({ id }: Workspace, csv: string) =>
  applyPriceList(db.sql, library(), {
    workspaceId: id,
    agreement: 'steel-brackets',
    rows: readList(csv).rows,
    from: null,
    today,
    by,
  })

const keepLines = ({ id }: Workspace, lines: readonly LineTexts[]) =>
  importLines(db.sql, library(), {
    workspaceId: id,
    lines: lines.map((texts, i) =>
      readLine(i + 2, { invoice: '4711', line: `${i + 1}`, date: '2024-05-10', ...texts }),
    ),
    today,
    by,
    source: 'month.csv',
  })

const keepQuantity = ({ id }: Workspace, quantity: string) =>
  importQuantities(db.sql, library(), {
    workspaceId: id,
    rows: [{ line: 2, agreement: 'steel-brackets', item: 'A', period: '2024-Q2', quantity }],
    today,
    by,
    source: 'quantities.csv',
  })

const twoItems = 'item,price,currency,replaces\nA,12.40,EUR,OLD\nB,5,EUR,\n'
const oneLine = { agreement: 'steel-brackets', item: 'A', quantity: '1', unitPrice: '12.69' }

const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  mine = await makeWorkspace(db)
  other = await makeWorkspace(db)
  for (const workspace of [mine, other]) await fill(workspace)
  await keepList(mine, twoItems)
  await keepLines(mine, [oneLine, { ...oneLine, item: 'OLD', quantity: '2' }])
  await keepQuantity(mine, '100')
  await setUnits(db.sql, mine.id, [{ unit: 'KGM', other: 'TNE', factor: '0.001' }], by.who, async () => {})
  await reverseInvoice(db.sql, mine.id, { number: '4711', supplier: null, by })
})

const tables = ['price_list', 'price_list_key', 'unit_factor', 'quantity', 'invoice', 'invoice_line'] as const

describe('what belongs to one workspace', () => {
  test('is seen by no other, whatever the query', async () => {
    for (const table of tables) {
      const count = (id: string) =>
        withWorkspace(db.sql, id, tx => tx`select 1 from ${tx(table)}`.then(rows => rows.length))
      expect(await count(mine.id), table).toBeGreaterThan(0)
      expect(await count(other.id), table).toBe(0)
      expect((await db.sql`select 1 from ${db.sql(table)}`).length, table).toBe(0)
    }
  })

  test('cannot be written by another, nor removed by its own', async () => {
    for (const table of tables)
      await expect(
        withWorkspace(db.sql, mine.id, tx => tx`delete from ${tx(table)}`),
        table,
      ).rejects.toThrow('permission denied')
    const insert = withWorkspace(
      db.sql,
      other.id,
      tx => tx`insert into unit_factor (workspace_id, seq, unit, other, factor, set_by, recorded_at)
        values (${mine.id}, 1, 'a', 'b', '1', 'x', now())`,
    )
    await expect(insert).rejects.toThrow('row-level security')
  })

  test('is answered to another as if it did not exist', async () => {
    const lines = [
      readLine(1, { invoice: '1', line: '1', item: 'A', date: '2024-05-10', quantity: '1', unitPrice: '1' }),
    ]
    const seen = await library().prices.check(other.id, lines, { knownAt: null, until: today })
    expect(seen.data[0]).toMatchObject({ outcome: 'UNKNOWN', message: 'no agreement has the item "A"', candidates: [] })
    expect(await library().prices.lines(other.id, { agreementIds: null, most: 10 })).toEqual([])
    expect(await withWorkspace(db.sql, other.id, tx => loadUnits(tx, other.id))).toEqual([])
    const [own] = (await library().prices.check(mine.id, lines, { knownAt: null, until: today })).data
    expect(own!.agreement).toBe('steel-brackets')
  })
})

describe('what is published', () => {
  test('is in the chain, under its kind and subject', async () => {
    const rows = await withWorkspace(
      db.sql,
      mine.id,
      tx => tx<{ kind: string; subject: string }[]>`
        select kind, subject from publication where scope = ${mine.id}
          and kind in ('price-list', 'invoice', 'quantity', 'unit') order by seq`,
    )
    expect(rows.map(({ kind, subject }) => `${kind} ${subject.slice(0, 4)}`)).toEqual([
      'price-list pam_',
      'invoice inv_',
      'quantity pam_',
      'unit wsp_',
      'invoice inv_',
    ])
    expect((await verifyChain(db.sql, mine.id)).problem).toBeNull()
  })

  test.each([
    ['price_list', 'list_rows', 'price-list'],
    ['price_list_key', 'item_key', 'price-list'],
    ['unit_factor', 'unit', 'unit'],
    ['quantity', 'item', 'quantity'],
    ['invoice', 'supplier', 'invoice'],
    ['invoice_line', 'fields', 'invoice'],
  ] as const)('shows a changed %s.%s', async (table, column, kind) => {
    const change = (expression: string) =>
      db.owner.begin(async tx => {
        await tx`alter table ${tx(table)} disable trigger user`
        await tx.unsafe(`update assize.${table} set ${column} = ${expression} where workspace_id = '${mine.id}'`)
        await tx`alter table ${tx(table)} enable trigger user`
      })
    await change(`${column} || 'x'`)
    const { problem } = await verifyChain(db.sql, mine.id)
    await change(`left(${column}, -1)`)
    expect(problem?.message).toMatch(new RegExp(`^the rows of this publication \\(${kind} of `))
    expect((await verifyChain(db.sql, mine.id)).problem).toBeNull()
  })

  test('counts once, however many import the same at the same time', async () => {
    const workspace = await makeWorkspace(db)
    await fill(workspace)
    const lists = await Promise.all(Array.from({ length: 4 }, () => keepList(workspace, twoItems)))
    expect(lists.map(({ outcome }) => outcome).sort()).toEqual(['created', 'unchanged', 'unchanged', 'unchanged'])
    const imports = await Promise.all(
      Array.from({ length: 4 }, () => keepLines(workspace, [oneLine, { ...oneLine, line: '9' }])),
    )
    expect(imports.map(({ outcome }) => outcome).sort()).toEqual(['imported', 'unchanged', 'unchanged', 'unchanged'])
    const reversals = await Promise.allSettled(
      Array.from({ length: 3 }, () => reverseInvoice(db.sql, workspace.id, { number: '4711', supplier: null, by })),
    )
    expect(reversals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await library().prices.lines(workspace.id, { agreementIds: null, most: 10 })).toHaveLength(4)
  })

  test('counts by its newest quantity', async () => {
    await keepQuantity(mine, '250')
    const agreement = (await library().index(mine.id)).agreementId('steel-brackets')!
    const kept = await withWorkspace(db.sql, mine.id, tx => loadQuantities(tx, mine.id, [agreement]))
    expect(kept.map(({ item, period, quantity }) => [item, period, quantity])).toEqual([['A', '2024-Q2', '250']])
  })
})

describe('quotas', () => {
  test('apply to prices and lines: an excess is refused as a whole', async () => {
    const workspace = await makeWorkspace(db)
    await fill(workspace)
    await setWorkspace(db.owner, workspace.id, { prices: 3, lines: 2 })
    await keepList(workspace, twoItems)
    await expect(keepList(workspace, 'item,price,currency\nC,1,EUR\n')).rejects.toThrow(
      'this workspace may have at most 3 items of price lists and declared quantities and would have 4',
    )
    await keepLines(workspace, [oneLine])
    await expect(
      keepLines(workspace, [oneLine, { ...oneLine, quantity: '2' }, { ...oneLine, quantity: '3' }]),
    ).rejects.toThrow('this workspace may have at most 2 kept invoice lines and would have 3')
    const { quotas } = await loadQuotas(db.owner, workspace.id)
    expect(quotas.filter(({ kind }) => kind === 'prices' || kind === 'lines').map(({ used }) => used)).toEqual([3, 1])
  })
})

longTest('restores', 'a backup restores prices, units, quantities and lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assize-prices-'))
  const bare = await openBareDatabase()
  const owner = openOwner(bare.target)
  try {
    const file = join(folder, 'all.backup')
    await createBackup(db.owner, file, null)
    await restoreBackup(owner, file, makeTestRing())
    const of = (all: Awaited<ReturnType<typeof hashTables>>) =>
      all.filter(({ table }) => tables.some(each => each === table))
    expect(of(await hashTables(owner))).toEqual(of(await hashTables(db.owner)))
    expect((await verifyChain(owner, mine.id)).problem).toBeNull()
  } finally {
    await owner.end()
    await bare.close()
    await rm(folder, { recursive: true, force: true })
  }
})
