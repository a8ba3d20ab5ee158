// Erasing a person: nothing in the database names them afterwards, and everything verifies as before.
import { beforeAll, describe, expect, test } from 'vitest'
import { applyDocument } from '../../src/agreements/apply.ts'
import { proposeCorrection, signCorrection } from '../../src/agreements/correct.ts'
import { importLines } from '../../src/agreements/invoices.ts'
import { objectToPeriod } from '../../src/agreements/object.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { importTable } from '../../src/import/table.ts'
import { Library } from '../../src/read/library.ts'
import { setUnits } from '../../src/storage/agreements/units.ts'
import { findUnlinked } from '../../src/storage/log/linked.ts'
import { confirmPeople, readCompanyPeople } from '../../src/storage/people/company-list.ts'
import { createFeed } from '../../src/storage/people/feeds.ts'
import { invite } from '../../src/storage/people/invitations.ts'
import { changeMailChoice } from '../../src/storage/people/mail.ts'
import { removeMember } from '../../src/storage/people/member-changes.ts'
import { createCompany } from '../../src/storage/people/parties.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { addIndexEvent } from '../../src/storage/series/index-events.ts'
import { verifyAllChains, verifyChain } from '../../src/storage/upkeep/chain.ts'
import { erasePerson } from '../../src/storage/upkeep/erasure.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { findText } from '../support/database-text.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { emails, openConsole } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'

const house = ownHouse(() => openConsole())
const zoe = 'zoe.miller@leaver.test'
const words = [zoe, 'Zoe Miller']
const slug = 'steel-brackets'
const later = '2999-01-01T00:00:00.000000Z'
const today = parseDay('2026-11-16')!
const operator = { who: 'operator', fromAddress: null }
const request = { email: zoe, reason: 'asked for it under Article 17', by: 'operator', isTrial: false }
const erase = (changes: Partial<typeof request> = {}) => erasePerson(house.api.owner, { ...request, ...changes })

let workspaceId: string
let personId: string
beforeAll(async () => {
  const { api, tenant } = house
  const { sql } = api
  workspaceId = tenant.id
  const seal = new Seal(api.secret)
  const library = new Library(sql, 64 * 1024 * 1024, { seals: seal.rows, report: () => {} })
  await createCompany(sql, workspaceId, { slug: 'nova', name: 'Nova' }, operator)
  const newcomer = { email: zoe, name: 'Zoe Miller', role: 'owner', company: 'nova' } as const
  const { id } = await createMember(sql, workspaceId, newcomer, operator)
  personId = await setFirstPassword(sql, workspaceId, id, 'correct horse battery')
  const by = { who: zoe, personId, fromAddress: '10.0.0.1' }

  await tenant.import(firstPrints)
  const other = 'series,period,value,name\nCUSTOM/wood,2024-01,1,Wood\n'
  const upload = { ...uploadOf(other), uploadedBy: zoe }
  await importTable(sql, workspaceId, textSource(other), { dryRun: false, upload, onProgress: () => {} })
  const parties = `{ buyer: nova, supplier: [${emails.supplier}] }`
  await tenant.apply(trueUpDocument({ parties, corrections: '{ when: EACH }' }))
  await applyDocument(sql, { workspaceId, text: trueUpDocument({ slug: 'second', parties }), by: zoe, today })
  const asZoe = { email: zoe }
  await tenant.sign(slug, '2024-Q2', 'buyer', asZoe)
  await tenant.sign(slug, '2024-Q2', 'supplier')
  await tenant.sign(slug, '2024-Q3', 'buyer', asZoe)
  const objection = {
    workspaceId,
    pam: 'second',
    party: 'buyer',
    email: zoe,
    means: 'SESSION',
    fromAddress: null,
  } as const
  await objectToPeriod(sql, seal, {
    ...{ ...objection, period: '2024-Q2', hash: null, about: { kind: 'number' }, reading: null },
    reason: `Zoe Miller (${zoe}) has a sample.`,
  })
  const line = { invoice: '4711', line: '1', date: '2024-05-10', quantity: '100', unitPrice: '106.00', agreement: slug }
  await importLines(sql, library, { workspaceId, lines: [readLine(2, line)], today, by, source: 'x' })
  await setUnits(sql, workspaceId, [{ unit: 'kg', other: 't', factor: '0.001' }], zoe, async () => {})
  await tenant.import(finalMarch)
  const { correction } = await proposeCorrection(sql, seal, { workspaceId, pam: slug, reason: null, by })
  await signCorrection(sql, seal, {
    ...{ workspaceId, id: correction.id, party: 'buyer', email: zoe, hash: null, proof: { means: 'PASSWORD' } },
    fromAddress: null,
  })

  await createApiKey(sql, Buffer.alloc(32), { workspaceId, name: 'erp', expiresAt: null, by })
  await createFeed(sql, Buffer.alloc(32), {
    ...{ workspaceId, name: 'dates', personId: null, shows: 'ALL', agreementIds: null, by },
  })
  await invite(sql, workspaceId, { email: 'pat@nova.test', role: 'buyer', company: 'nova' }, later, by)
  await withWorkspace(sql, workspaceId, async tx => {
    await changeMailChoice(tx, workspaceId, zoe, { isDigest: true })
  })
  const { hash } = await withWorkspace(sql, workspaceId, tx => readCompanyPeople(tx, workspaceId, 'nova'))
  await confirmPeople(sql, workspaceId, { by, hash, proof: { means: 'PASSWORD', passkey: null, origin: {} as never } })
  await addIndexEvent(
    sql,
    {
      ...{ id: 'wood-ends', provider: null, codes: null, kind: 'ENDED', day: '2025-01-01', sentence: 'It ends.' },
      ...{ successor: null, coefficient: null, source: 'https://example.test' },
    } as never,
    zoe,
  )
})

describe('a person who can still get in', () => {
  test('is not erased, and the sentence says what to do first', async () => {
    await expect(erase()).rejects.toThrow(
      `${zoe} is in ${house.slug} and can sign in; run assize user remove for each first`,
    )
    await expect(erase({ email: 'pat@nova.test' })).rejects.toThrow(`pat@nova.test is invited to ${house.slug}`)
    await expect(erase({ email: 'nobody@nova.test' })).rejects.toThrow('is named nowhere here')
  })
})

describe('somebody who has left', () => {
  test('is named in many places before', async () => {
    await removeMember(house.api.sql, workspaceId, personId, operator)
    expect((await findText(house.api.owner, words)).length).toBeGreaterThan(20)
  })

  test('needs a reason that does not name them', async () => {
    await expect(erase({ reason: ' ' })).rejects.toThrow('a reason of 1 to 500 characters')
    await expect(erase({ reason: 'Zoe Miller asked' })).rejects.toThrow('must not name the person')
  })

  test('stays as they are in a trial, which says what would happen', async () => {
    const before = await findText(house.api.owner, words)
    const report = await erase({ isTrial: true })
    expect(report).toMatchObject({ instead: 'erased-1', kept: {} })
    expect(report.entries).toBeGreaterThan(10)
    expect(await findText(house.api.owner, words)).toEqual(before)
  })

  test('is named nowhere afterwards, in no column of any table', async () => {
    const report = await erase()
    expect(report).toMatchObject({ instead: 'erased-1', names: ['Zoe Miller'], kept: {} })
    expect(await findText(house.api.owner, words)).toEqual([])
  })

  test('leaves chains, links, seals and the access log as they verify', async () => {
    expect((await verifyAllChains(house.api.owner)).map(({ problem }) => problem)).toEqual([null, null, null])
    expect(await findUnlinked(house.api.owner, workspaceId)).toEqual([])
    expect((await verifyChain(house.api.owner, workspaceId)).redacted).toBeGreaterThan(10)
  })

  test('would be found in a column that was forgotten', async () => {
    const { owner } = house.api
    await owner`create table assize.forgotten (note jsonb)`
    await owner`insert into assize.forgotten values (${owner.json({ by: [zoe] })})`
    expect(await findText(owner, words)).toEqual(['forgotten.note'])
    await owner`drop table assize.forgotten`
  })
})
