// What companies keep for notes: who may change it, that every version stays, and that nothing is used that was changed with SQL alone.
import { beforeAll, expect, test } from 'vitest'
import { keepBillingDetails, loadBillingDetails } from '../../src/storage/agreements/billing-details.ts'
import { createCompany } from '../../src/storage/people/parties.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

const db = ownHouse(openTestDatabase)
const operator = { who: 'operator', fromAddress: null }
let id: string
const people: Record<string, { readonly who: string; readonly personId: string; readonly fromAddress: null }> = {}

beforeAll(async () => {
  id = (await makeWorkspace(db)).id
  for (const slug of ['ohio', 'peach']) await createCompany(db.sql, id, { slug, name: slug }, operator)
  for (const [name, role, company] of [
    ['olga', 'owner', null],
    ['sam', 'supplier', 'ohio'],
    ['vic', 'viewer', 'ohio'],
    ['ann', 'buyer', null],
  ] as const) {
    const email = `${name}@bills.test`
    const member = await createMember(
      db.sql,
      id,
      { email, name, role, ...(company === null ? {} : { company }) },
      operator,
    )
    const personId = await setFirstPassword(db.sql, id, member.id, 'correct horse battery')
    people[name] = { who: email, personId, fromAddress: null }
  }
})

const keep = (name: string, slug: string, details: Record<string, string>) =>
  keepBillingDetails(db.sql, id, slug, () => details, people[name]!)
const kept = (before: number | null = null) =>
  withWorkspace(db.sql, id, async tx => {
    const all = await loadBillingDetails(tx, id, before)
    return Object.fromEntries([...all].map(([slug, { details }]) => [slug, details]))
  })

test('each side changes its own, who manages the workspace those of companies without people, and readers none', async () => {
  expect(await keep('sam', 'ohio', { country: 'US', vat: ' ATU12345678 ', city: '' })).toMatchObject({
    isChanged: true,
  })
  await expect(keep('olga', 'ohio', { country: 'AT' })).rejects.toThrow('ohio keeps its own billing details')
  await expect(keep('vic', 'ohio', { country: 'AT' })).rejects.toThrow('people who only read')
  await expect(keep('sam', 'peach', { country: 'AT' })).rejects.toThrow('only people of the company')
  await expect(keep('sam', '-', { country: 'AT' })).rejects.toThrow('only people of the company')
  await expect(keep('ann', 'peach', { country: 'AT' })).rejects.toThrow('only people of the company')
  await keep('olga', 'peach', { country: 'US' })
  await keep('olga', '-', { country: 'AT', language: 'de' })
  expect(await kept()).toEqual({
    ohio: { country: 'US', vat: 'ATU12345678' },
    peach: { country: 'US' },
    '-': { country: 'AT', language: 'de' },
  })
})

test('everything that is wrong is named at once, and nothing is kept then', async () => {
  await expect(
    keep('sam', 'ohio', { country: 'Austria', 'payment.iban': 'AT611904300234573202', fax: '1', city: 'a\nb' }),
  ).rejects.toThrow(
    'country must be two capital letters, such as AT, got "Austria"; payment.iban must be an IBAN, or another account number, got "AT611904300234573202"; fax is not known; city must be one line',
  )
  expect((await kept()).ohio).toEqual({ country: 'US', vat: 'ATU12345678' })
})

test('every version stays, and what counted before an entry is found again', async () => {
  const [{ seq }] = (await db.owner<{ seq: number }[]>`select max(seq) as seq from party_billing`) as unknown as [
    { seq: number },
  ]
  expect(await keep('sam', 'ohio', { country: 'US' })).toMatchObject({ isChanged: true })
  expect(await keep('sam', 'ohio', { country: 'US' })).toMatchObject({ isChanged: false })
  expect((await kept()).ohio).toEqual({ country: 'US' })
  expect((await kept(Number(seq) + 1)).ohio).toEqual({ country: 'US', vat: 'ATU12345678' })
  expect((await verifyChain(db.sql, id)).problem).toBeNull()
  await expect(db.owner`update party_billing set details = '{}'`).rejects.toThrow('append-only')
})

test('an account that was changed with SQL alone is not used', async () => {
  await db.owner`alter table party_billing disable trigger user`
  await db.owner`update party_billing set details = details || '{"payment.iban": "AT611904300234573201"}' where party_id is not null`
  await db.owner`alter table party_billing enable trigger user`
  await expect(kept()).rejects.toThrow('were changed in the database itself')
  expect((await verifyChain(db.sql, id)).problem).not.toBeNull()
})
