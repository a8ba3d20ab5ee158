// T24: what was signed and then changed, or added, with SQL alone is not answered as confirmed; the rest keeps working.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { findUnsealedRow } from '../../src/storage/agreements/agreements.ts'
import { RowSeals } from '../../src/storage/log/row-seals.ts'
import { openOwner, type Sql, withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { type Api, openApi, type Tenant } from '../support/houses/api.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

let database: TestDatabase
let api: Api
let tenant: Tenant
/** As the owner of the tables, with the triggers switched off. */
let intruder: Sql
beforeAll(async () => {
  database = await openTestDatabase()
  api = await openApi(database)
  intruder = openOwner(database.target, { connections: 1 })
})
afterAll(async () => {
  await intruder.end()
  await api.close()
})

beforeAll(async () => {
  tenant = await api.tenant()
  await tenant.import(steelTable)
  for (const slug of slugs) {
    await tenant.applyUnheard(steelDocument({ slug }))
    for (const party of ['buyer', 'supplier'] as const) await tenant.signUnheard(slug, '2024-Q2', party)
    await tenant.signUnheard(slug, '2024-Q3', 'buyer')
  }
})

/** Behind our back, in the formula of that name. */
const rewrite = (slug: string, statement: string) =>
  intruder.unsafe(`
    alter table signed_receipt disable trigger user; alter table sign_off disable trigger user;
    ${statement.replaceAll('$here', `workspace_id = '${tenant.id}' and agreement_id = (select id from agreement where workspace_id = '${tenant.id}' and slug = '${slug}')`)};
    alter table signed_receipt enable trigger user; alter table sign_off enable trigger user`)

const answer = async (path: string) => {
  const { status, text } = await tenant.get(path)
  return { status, text }
}

const rewritings: readonly (readonly [string, string, string])[] = [
  [
    'the number of a signed receipt',
    `update signed_receipt set receipt = replace(receipt, '"adjustmentPct":"5"', '"adjustmentPct":"9"') where $here and period = '2024-Q2'`,
    'the stored receipt of 2024-Q2',
  ],
  [
    'what a signed period hands on',
    `update signed_receipt set carried = jsonb_set(carried, '{factor}', '"2"') where $here and period = '2024-Q2'`,
    'the stored receipt of 2024-Q2',
  ],
  [
    'the date of a signed receipt',
    `update signed_receipt set adjustment_date = '2024-04-02' where $here and period = '2024-Q2'`,
    'the stored receipt of 2024-Q2',
  ],
  [
    'who signed',
    `update sign_off set signed_by = 'eve@evil.test' where $here and period = '2024-Q2' and party = 'supplier'`,
    "the supplier's stored signature of 2024-Q2",
  ],
  [
    'when somebody signed',
    `update sign_off set signed_at = signed_at - interval '1 day' where $here and period = '2024-Q2' and party = 'buyer'`,
    "the buyer's stored signature of 2024-Q2",
  ],
  [
    'the seal itself',
    `update sign_off set seal = decode(repeat('00', 36), 'hex') where $here and period = '2024-Q2' and party = 'buyer'`,
    "the buyer's stored signature of 2024-Q2",
  ],
  [
    'the seal of a receipt for another one',
    `update signed_receipt set seal = (select seal from signed_receipt where $here and period = '2024-Q3') where $here and period = '2024-Q2'`,
    'the stored receipt of 2024-Q2',
  ],
]

const slugs = [...rewritings.map((_, i) => `f${i}`), 'before', 'added', 'borrowed', 'untouched']

describe('T24: rewritten with SQL alone', () => {
  const asOf = '/pams/before/adjustment?period=2024-Q2&asOf=2024-06-01'
  let computed: string
  beforeAll(async () => {
    computed = (await answer(asOf)).text
    const { hash, body } = await tenant.json<Receipt>('/pams/borrowed/adjustment/receipt?period=2024-Q4')
    const stored = JSON.stringify({ hash, body }).replaceAll("'", "''")
    for (const [i, [, statement]] of rewritings.entries()) await rewrite(`f${i}`, statement)
    await rewrite(
      'before',
      `update sign_off set seal = decode(repeat('00', 36), 'hex') where $here and period = '2024-Q3'`,
    )
    await rewrite(
      'added',
      `insert into sign_off (workspace_id, agreement_id, period, receipt_hash, party, adjustment_date, signed_by, signed_at, seq, seal,
         signing_id)
       select workspace_id, agreement_id, period, receipt_hash, 'supplier', adjustment_date, 'sam@supplier.test', signed_at, seq, seal,
         signing_id
       from sign_off where $here and period = '2024-Q3'`,
    )
    await rewrite(
      'borrowed',
      `insert into signed_receipt (workspace_id, agreement_id, period, receipt_hash, adjustment_date, receipt, carried, seq, recorded_at,
         seal)
       select workspace_id, agreement_id, '2024-Q4', '${hash}', '2024-10-01', '${stored}', carried, seq, recorded_at, seal
       from signed_receipt where $here and period = '2024-Q2'`,
    )
    // As a server that starts afterwards finds it.
    await api.restart()
  })

  test.each(rewritings.map(([what, , told], i) => [what, `f${i}`, told] as const))(
    '%s is told, and the period is not answered',
    async (_what, slug, told) => {
      for (const path of ['/adjustment?period=2024-Q2', '/adjustment', '/values', '/adjustment/receipt']) {
        const { status, text } = await answer(`/pams/${slug}${path}`)
        expect([status, text], path).toEqual([500, expect.stringContaining(told)])
        expect(text, path).toContain("does not carry this installation's seal")
      }
      expect(api.log.some(line => line.includes('"level":"error"') && line.includes(`${slug} (`))).toBe(true)
    },
  )

  test('leaves other formulas, earlier periods, and what comes from data alone as they were', async () => {
    expect((await answer('/pams/before/adjustment?period=2024-Q3')).status).toBe(500)
    expect((await answer('/pams/before/adjustment?period=2024-Q2')).status).toBe(200)
    expect((await answer('/pams/untouched/adjustment?period=2024-Q2')).text).toMatch(/"supplier":"\d{4}/)
    const { confirmed, ...after } = JSON.parse((await answer(asOf)).text) as { confirmed: object }
    expect(confirmed).toEqual({ buyer: null, supplier: null })
    expect(JSON.parse(computed)).toMatchObject(after)
  })

  test('a signature that was inserted by SQL does not count', async () => {
    const { status, text } = await answer('/pams/added/adjustment?period=2024-Q3')
    expect([status, text]).toEqual([500, expect.stringContaining("the supplier's stored signature of 2024-Q3")])
  })

  test('a receipt that the API sealed is not accepted as a signed one', async () => {
    expect((await answer('/pams/borrowed/adjustment?period=2024-Q4')).status).toBe(500)
    expect((await answer('/pams/borrowed/adjustment?period=2024-Q2')).status).toBe(200)
  })

  test('verify --chain reports the first of them', async () => {
    expect((await verifyChain(database.owner, tenant.id)).problem).not.toBeNull()
    const found = await withWorkspace(database.owner, tenant.id, tx =>
      findUnsealedRow(tx, tenant.id, new RowSeals(api.ring)),
    )
    expect(found!.message).toContain(`${rewritings[0]![2]} (f0)`)
  })
})
