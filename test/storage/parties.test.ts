// Parties as companies: their names, who belongs to them, and that nobody changes either unseen.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invite } from '../../src/storage/people/invitations.ts'
import { loadIdentity } from '../../src/storage/people/issuer-names.ts'
import { changeMember, removeMember } from '../../src/storage/people/member-changes.ts'
import { createCompany, listCompanies, renameCompany } from '../../src/storage/people/parties.ts'
import { createMember, findMember, redeemSetUpLink, setFirstPassword } from '../../src/storage/people/people.ts'
import { findSession, openSession } from '../../src/storage/people/sessions.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase, type TestDatabase } from '../support/run/postgres.ts'

let db: TestDatabase
let workspace: Workspace
beforeAll(async () => {
  db = await openTestDatabase()
})
beforeEach(async () => {
  workspace = await makeWorkspace(db)
})
afterAll(() => db.close())

const by = { who: 'olga@owner.test', fromAddress: '192.0.2.1' }
const forge = { slug: 'ohio-forge', name: 'Ohio Forge Inc.' }
const haulage = { slug: 'peach-haulage', name: 'Peach Haulage LLC' }
const create = (given: { slug: string; name: string }) => createCompany(db.sql, workspace.id, given, by)
const companyOf = async (email: string) => (await findMember(db.sql, workspace.id, email))?.company ?? null
const notes = () =>
  db.owner<{ what: string; subject: string }[]>`
    select what, subject from activity where workspace_id = ${workspace.id} order by id`

describe('a company', () => {
  test('is created once per slug, listed by it, renamed, and each of these is recorded', async () => {
    const made = await create({ slug: 'peach-haulage', name: '  Peach Haulage LLC ' })
    expect(made).toMatchObject({ slug: 'peach-haulage', name: 'Peach Haulage LLC', id: expect.stringMatching(/^pty_/) })
    await create(forge)
    await expect(create({ ...forge, name: 'Another' })).rejects.toThrow(
      'there is a party "ohio-forge" already: Ohio Forge Inc.',
    )
    const renamed = await renameCompany(db.sql, workspace.id, 'ohio-forge', 'Ohio Forge SE', by)
    expect(renamed.name).toBe('Ohio Forge SE')
    await renameCompany(db.sql, workspace.id, 'ohio-forge', 'Ohio Forge SE', by)
    expect(await listCompanies(db.sql, workspace.id)).toMatchObject([{ name: 'Ohio Forge SE' }, haulage])
    expect([...(await notes())]).toEqual([
      { what: 'party added', subject: 'Peach Haulage LLC (peach-haulage)' },
      { what: 'party added', subject: 'Ohio Forge Inc. (ohio-forge)' },
      { what: 'party renamed from Ohio Forge Inc.', subject: 'Ohio Forge SE (ohio-forge)' },
    ])
    expect((await verifyChain(db.sql, workspace.id)).problem).toBeNull()
  })

  test('is refused under an invalid slug or name, and without one', async () => {
    for (const slug of ['', 'Ohio', '-a', 'a-', 'a--b', 'a b', 'a@b.test', 'x'.repeat(64)])
      expect(() => create({ slug, name: 'Any' }), slug).toThrow("a party's slug must be")
    for (const name of ['', '   ', 'x'.repeat(201)])
      expect(() => create({ slug: 'any', name }), name).toThrow("a party's name must have 1 to 200 characters")
    await create(forge)
    await expect(renameCompany(db.sql, workspace.id, 'ohio', 'Any', by)).rejects.toThrow(
      'there is no party "ohio" in this workspace; known are ohio-forge',
    )
  })

  test('belongs to its workspace: another one neither sees nor names it', async () => {
    const other = await makeWorkspace(db)
    await createCompany(db.sql, other.id, forge, by)
    expect(await listCompanies(db.sql, workspace.id)).toEqual([])
    const newcomer = { email: 'sam@forge.test', role: 'supplier', company: 'ohio-forge' } as const
    await expect(createMember(db.sql, workspace.id, newcomer)).rejects.toThrow('there is no party "ohio-forge"')
    expect(await findMember(db.sql, workspace.id, 'sam@forge.test')).toBeNull()
  })

  test('has, at an instant, the name it had then', async () => {
    await create(forge)
    const [between] = await db.owner<{ at: string }[]>`select clock_timestamp() as at`
    await renameCompany(db.sql, workspace.id, 'ohio-forge', 'Ohio Forge SE', by)
    const identity = await withWorkspace(db.sql, workspace.id, tx => loadIdentity(tx, workspace.id))
    expect(identity.issuerAt(null).companyName('ohio-forge')).toBe('Ohio Forge SE')
    expect(identity.issuerAt(between!.at).companyName('ohio-forge')).toBe('Ohio Forge Inc.')
    expect(identity.issuerAt('2020-01-01T00:00:00.000000Z').companyName('ohio-forge')).toBeNull()
    expect(identity.issuerAt(null).companyName('nobody')).toBeNull()
  })
})

describe('people of a company', () => {
  beforeEach(async () => {
    await create(forge)
    await create(haulage)
  })

  test('belong to one: a new one replaces it, and null removes it', async () => {
    const newcomer = { email: 'Sam@Forge.test', role: 'supplier', company: 'ohio-forge' } as const
    const sam = await createMember(db.sql, workspace.id, newcomer)
    expect([sam.company, await companyOf('sam@forge.test')]).toEqual(['ohio-forge', 'ohio-forge'])
    const change = (company: string | null) => changeMember(db.sql, workspace.id, sam.id, { company }, by)
    expect((await change('peach-haulage')).company).toBe('peach-haulage')
    expect((await change('peach-haulage')).company).toBe('peach-haulage')
    expect(await companyOf('sam@forge.test')).toBe('peach-haulage')
    await change(null)
    expect(await companyOf('sam@forge.test')).toBeNull()
    await expect(change('nobody')).rejects.toThrow('there is no party "nobody"')
    expect((await notes()).slice(2).map(({ what }) => what)).toEqual([
      'party changed from ohio-forge to peach-haulage',
      'party changed from peach-haulage to none',
    ])
  })

  test('are changed as a whole: with an unknown company the role stays, too', async () => {
    const sam = await createMember(db.sql, workspace.id, { email: 'sam@forge.test', role: 'supplier' })
    const change = changeMember(db.sql, workspace.id, sam.id, { role: 'editor', company: 'nobody' }, by)
    await expect(change).rejects.toThrow('there is no party')
    expect(await findMember(db.sql, workspace.id, 'sam@forge.test')).toEqual({ ...sam, isNameable: true })
  })

  test('stay in it when they join with an account that they have from elsewhere', async () => {
    const elsewhere = await makeWorkspace(db)
    const known = await createMember(db.sql, elsewhere.id, { email: 'sam@forge.test', role: 'viewer' })
    await setFirstPassword(db.sql, elsewhere.id, known.id, 'a password of the tests')
    const newcomer = { email: 'sam@forge.test', role: 'supplier', company: 'ohio-forge' } as const
    const until = '2100-01-01T00:00:00.000000Z'
    const { member, token } = await invite(db.sql, workspace.id, newcomer, until, by)
    expect(member).toMatchObject({ company: 'ohio-forge', hasJoined: false })
    expect((await notes()).at(-1)!.what).toBe('invited as supplier, of ohio-forge')
    const now = '2099-01-01T00:00:00.000000Z'
    const joined = await redeemSetUpLink(db.sql, token, 'a password of the tests', now)
    expect(joined.personId).toBe(known.id)
    expect(await companyOf('sam@forge.test')).toBe('ohio-forge')
    const session = { personId: known.id, passwordHash: joined.passwordHash, fromAddress: null, userAgent: null }
    const opened = (await openSession(db.sql, session))!
    const placeIn = async ({ slug }: Workspace) => (await findSession(db.sql, opened, slug))?.place?.company
    expect([await placeIn(workspace), await placeIn(elsewhere)]).toEqual(['ohio-forge', null])
  })

  test('who were removed belong to none when they are invited again, unless given', async () => {
    const newcomer = { email: 'sam@forge.test', role: 'supplier', company: 'ohio-forge' } as const
    const { id } = await createMember(db.sql, workspace.id, newcomer)
    await removeMember(db.sql, workspace.id, id, by)
    await createMember(db.sql, workspace.id, { email: 'sam@forge.test', role: 'supplier' })
    expect(await companyOf('sam@forge.test')).toBeNull()
  })

  test('cannot be put into a company with the database alone: the chain shows it', async () => {
    const sam = await createMember(db.sql, workspace.id, { email: 'sam@forge.test', role: 'supplier' })
    await changeMember(db.sql, workspace.id, sam.id, { company: 'ohio-forge' }, by)
    const problem = async () => (await verifyChain(db.sql, workspace.id)).problem
    expect(await problem()).toBeNull()
    await db.owner`alter table party_member disable trigger user`
    const [row] = await db.owner<{ id: string }[]>`
      select id from party where workspace_id = ${workspace.id} and slug = 'peach-haulage'`
    await db.owner`update party_member set party_id = ${row!.id} where workspace_id = ${workspace.id}`
    expect((await problem())!.message).toContain('party-member')
    await db.owner`alter table party_member enable trigger user`
    for (const table of ['party', 'party_name', 'party_member'])
      await expect(db.owner`delete from ${db.owner(table)}`, table).rejects.toThrow('append-only: delete is refused')
  })
})

test('a company without its publication is found', async () => {
  await create(forge)
  await db.owner`insert into party (workspace_id, id, slug, created_at)
    values (${workspace.id}, ${`pty_${'0'.repeat(26)}`}, 'slipped-in', now())`
  expect((await verifyChain(db.sql, workspace.id)).problem!.message).toContain('was changed, or never published')
})
