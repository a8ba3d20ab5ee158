// Invoices from before numbers had one form: they keep their number and every line, are found in any spelling, and those that
// were kept twice are listed and stay until somebody reverses them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { normalForm } from '../../src/core/prices/line-identity.ts'
import type { PresentedLedger } from '../../src/core/true-up/ledger-view.ts'
import { insertLines, readStandingLines } from '../../src/storage/agreements/invoices.ts'
import { appending } from '../../src/storage/log/append.ts'
import { openOwner } from '../../src/storage/postgres/database.ts'
import { makeIdentifier } from '../../src/storage/postgres/identifier.ts'
import { migrate, readMigrations } from '../../src/storage/upkeep/migrate.ts'
import { Chance, suiteSeed } from '../faults/chance.ts'
import { billedInQ2, openTrueUpHouse, type TrueUpHouse } from '../support/houses/true-up-house.ts'
import { openBareDatabase } from '../support/run/postgres.ts'

const written = [
  '4711',
  '004711',
  'RE 2024 007',
  "'A-01.",
  'a  -  0',
  '00',
  '. 0 1 .',
  'ЖЖ-01',
  '４７１１',
  '47\u200b11',
  ';;',
]

/** Texts of characters that numbers have, with many zeros, spaces and dots. */
function drawNumber(chance: Chance): string {
  const length = chance.int(1, 12)
  return Array.from({ length }, () => chance.pick([...'00012 .,;:\'"-/aA_Z9'])).join('')
}

describe('the migration', () => {
  test('gives older invoices the form of their number, and leaves everything else as it is', async () => {
    const bare = await openBareDatabase()
    const owner = openOwner(bare.target)
    try {
      const migrations = await readMigrations()
      const place = migrations.findIndex(({ name }) => name.endsWith('-invoice-numbers'))
      const chainKey = 'a key for this test'
      await migrate(owner, migrations, place, chainKey)
      const workspace = makeIdentifier('wsp')
      const chance = new Chance(suiteSeed)
      const numbers = [...written, ...Array.from({ length: 400 }, () => drawNumber(chance))]
      await owner.begin(async tx => {
        await tx`select set_config('assize.workspace', '*', true)`
        await tx`set local session_replication_role = replica`
        for (const [i, number] of numbers.entries())
          await tx`
            insert into invoice (workspace_id, id, seq, supplier, number, imported_by, recorded_at)
            values (${workspace}, ${makeIdentifier('inv')}, ${i + 1}, 'x', ${number}, 'eva', now())`
      })
      await migrate(owner, migrations, place + 1, chainKey)
      const rows = await owner.begin(async tx => {
        await tx`select set_config('assize.workspace', '*', true)`
        return tx<
          { number: string; form: string | null }[]
        >`select number, number_key as form from invoice order by seq`
      })
      expect(rows.map(({ number }) => number)).toEqual(numbers)
      const isPlain = (number: string) => /^[ -~]+$/.test(number)
      expect(rows.map(({ number, form }) => [number, form])).toEqual(
        numbers.map(number => [number, isPlain(number) ? normalForm(number) : null]),
      )
    } finally {
      await owner.end()
      await bare.close()
    }
  })
})

describe('lines that were kept before', () => {
  let ground: TrueUpHouse
  beforeAll(async () => {
    ground = await openTrueUpHouse()
    await ground.importLines(billedInQ2.replaceAll('4711', '４７１１'))
    const { sql, owner } = ground.house.installation
    const { id } = ground.workspace
    await appending(sql, id, async (tx, log) => {
      const [line] = await readStandingLines(tx, id, ['4711'])
      for (const [number, own] of [
        ['04711', '1'],
        ['4711', '01'],
      ] as const)
        await insertLines(tx, log, [{ ...line!, number, line: own, reverses: null }], 'eva')
    })
    await owner.begin(async tx => {
      await tx`select set_config('assize.workspace', '*', true)`
      await tx`alter table assize.invoice disable trigger user`
      await tx`update assize.invoice set number_key = null where number = '４７１１'`
      await tx`alter table assize.invoice enable trigger user`
    })
  })
  afterAll(() => ground.close())

  const ledger = () => ground.json<PresentedLedger>('ledger', 'steel-brackets')

  test('are listed where they are the same line, and count as they did', async () => {
    const { balances, duplicates } = await ledger()
    expect(balances.billed).toBe('31800.00')
    expect(duplicates.map(({ invoice, line }) => [invoice, line]).sort()).toEqual([
      ['04711', '1'],
      ['4711', '01'],
    ])
    expect(new Set(duplicates.map(({ sameAs }) => sameAs)).size).toBe(1)
  })

  test('are found in any spelling by an import and by a reversal', async () => {
    const again = await ground.file('again.csv', billedInQ2)
    expect(await ground.json('invoice', 'import', again)).toEqual({ outcome: 'unchanged', added: 0, unchanged: 1 })
    expect(await ground.json('invoice', 'reverse', '4711')).toMatchObject({ added: 3 })
    expect(await ground.json('invoice', 'import', again)).toMatchObject({ added: 1 })
    expect(await ledger()).toMatchObject({ balances: { billed: '10600.00' }, duplicates: [] })
  })
})
