// `GET /ext/v1/changes` about prices, quantities, invoices and objections: what each names, and which keys see it.
import { beforeAll, expect, test } from 'vitest'
import { importLines, reverseInvoice } from '../../src/agreements/invoices.ts'
import { answerObjection, objectToPeriod } from '../../src/agreements/object.ts'
import { applyPriceList } from '../../src/agreements/price-list.ts'
import { importQuantities } from '../../src/agreements/quantities.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../src/core/time/day.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { Library } from '../../src/read/library.ts'
import { createMember } from '../../src/storage/people/people.ts'
import { readList } from '../support/agreements/priced-agreement.ts'
import { buyer, supplier, Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { pricedDocument, steelPrices } from '../support/houses/price-house.ts'

type Changes = ExtWire<'ChangeList'>

const today = parseDay('2024-11-15')!
const by = { who: 'eva@editor.test', fromAddress: null }
const agreement = 'steel-brackets'

/** Where everything below begins, for a key without and one with `money`. */
let begin: string
let withMoney: Tenant
let beginWithMoney: string

const { api, tenant } = house()
beforeAll(async () => {
  withMoney = new Tenant(api, tenant.id, await api.issueKey(tenant.id, null, 'erp', 'money'))
  await createMember(api.sql, tenant.id, { email: buyer, role: 'buyer' })
  await createMember(api.sql, tenant.id, { email: supplier, role: 'supplier' })
  await tenant.import(steelPrices)
  await tenant.apply(pricedDocument())
  await tenant.apply(pricedDocument({ slug: 'b-bolts' }))
  begin = (await tenant.extJson<Changes>('/changes')).pagination.nextCursor
  beginWithMoney = (await withMoney.extJson<Changes>('/changes')).pagination.nextCursor
  await changeAll()
})

async function changeAll(): Promise<void> {
  const seal = new Seal(api.ring)
  // A new one each time, as for each command: nobody notifies it.
  const library = () => new Library(api.sql, 64 * 1024 * 1024, { seals: seal.rows, report: () => {} })
  const workspaceId = tenant.id
  const { rows } = readList('item,price,currency\nA,12.40,EUR\nB,5,EUR\n')
  await applyPriceList(api.sql, library(), { workspaceId, agreement, rows, from: null, today, by })
  const quantities = ['2024-Q2', '2024-Q3'].map((period, i) => ({
    line: i + 2,
    agreement,
    item: 'A',
    period,
    quantity: '100',
  }))
  await importQuantities(api.sql, library(), { workspaceId, rows: quantities, today, by, source: 'quantities.csv' })
  const line = { invoice: '4711', date: '2024-05-10', supplier: 'ohio', quantity: '1', unitPrice: '12.69' }
  const lines = [
    { ...line, line: '1', agreement, item: 'A' },
    { ...line, line: '2', agreement: 'b-bolts' },
  ].map((texts, i) => readLine(i + 2, texts))
  const imported = await importLines(api.sql, library(), { workspaceId, lines, today, by, source: 'month.csv' })
  expect(imported).toEqual({ outcome: 'imported', added: 2, unchanged: 0 })
  await reverseInvoice(api.sql, workspaceId, { number: '4711', supplier: null, by })
  const statement = { workspaceId, agreement, means: 'OPERATOR', fromAddress: null } as const
  const { id } = await objectToPeriod(api.sql, seal, {
    ...statement,
    party: 'supplier',
    email: supplier,
    period: '2024-Q2',
    hash: null,
    reading: null,
    about: { kind: 'number' },
    reason: 'The figure of March was preliminary.',
  })
  await answerObjection(api.sql, {
    ...statement,
    party: 'buyer',
    email: buyer,
    objectionId: id,
    words: 'It is final now.',
  })
}

const listed = ({ data }: Changes) =>
  data.map(({ kind, subject, periods, pams: agreements }) => [
    kind,
    subject.replace(/^pam_.*/, 'pam'),
    periods,
    agreements,
  ])

const seenByAll = [
  ['price-list', 'pam', null, [agreement]],
  ['objection', 'pam', ['2024-Q2'], [agreement]],
  ['objection', 'pam', ['2024-Q2'], [agreement]],
]

test('names invoices by supplier and number, with the agreements of their lines, for a key that reads money', async () => {
  expect(listed(await withMoney.extJson<Changes>(`/changes?cursor=${beginWithMoney}`))).toEqual([
    seenByAll[0],
    ['quantity', 'pam', ['2024-Q2', '2024-Q3'], [agreement]],
    ['invoice', 'ohio/4711', null, ['b-bolts', agreement]],
    ['invoice', 'ohio/4711', null, ['b-bolts', agreement]],
    ...seenByAll.slice(1),
  ])
})

test('leaves invoices and quantities out for a key that does not, even if they are requested', async () => {
  expect(listed(await tenant.extJson<Changes>(`/changes?cursor=${begin}`))).toEqual(seenByAll)
  const { data } = await tenant.extJson<Changes>('/changes?from=start&kinds=invoice,quantity')
  expect(data).toEqual([])
  const asked = await withMoney.extJson<Changes>('/changes?from=start&kinds=invoice,quantity')
  expect(asked.data.map(({ kind }) => kind)).toEqual(['quantity', 'invoice', 'invoice'])
})
