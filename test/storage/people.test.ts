import { beforeAll, describe, expect, test } from 'vitest'
import { invite, inviteAgain } from '../../src/storage/people/invitations.ts'
import { removeMember } from '../../src/storage/people/member-changes.ts'
import { hashPassword, hashUnder, verifyPassword } from '../../src/storage/people/password.ts'
import {
  createMember,
  findAccount,
  findMember,
  findSetUpLink,
  findSignIns,
  issueSetUpLink,
  listMembers,
  listMemberships,
  redeemSetUpLink,
  setFirstPassword,
} from '../../src/storage/people/people.ts'
import {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
  type Workspace,
} from '../../src/storage/workspaces/workspaces.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { openTestDatabase } from '../support/run/postgres.ts'

let workspace: Workspace
let other: Workspace
const db = ownHouse(openTestDatabase)
beforeAll(async () => {
  workspace = await makeWorkspace(db)
  other = await makeWorkspace(db)
})

const now = '2024-06-01T12:00:00.000000Z'
const later = '2024-06-04T12:00:00.000000Z'

describe('workspaces', () => {
  test('are made once per slug, listed, and found by slug or id', async () => {
    const made = await createWorkspace(db.owner, { slug: 'acme', name: 'Acme', rateLimit: 120 })
    expect(made).toMatchObject({ slug: 'acme', name: 'Acme', rateLimit: 120 })
    await expect(createWorkspace(db.owner, { slug: 'acme' })).rejects.toThrow('"acme" exists already')
    expect(await findWorkspace(db.owner, 'acme')).toEqual(made)
    expect(await findWorkspace(db.owner, made.id)).toEqual(made)
    expect((await listWorkspaces(db.owner)).map(({ slug }) => slug)).toContain('acme')
    await expect(findWorkspace(db.owner, 'nobody')).rejects.toThrow('there is no workspace "nobody"')
  })

  test('refuse an invalid slug, name or limit, saying why', async () => {
    for (const slug of ['', 'Acme', '-a', 'a-', 'a b', 'x'.repeat(64)])
      await expect(createWorkspace(db.owner, { slug }), slug).rejects.toMatchObject({ kind: 'invalid' })
    for (const rateLimit of [0, -1, 1.5, Number.NaN, 1_000_001])
      await expect(createWorkspace(db.owner, { slug: 'limits', rateLimit })).rejects.toThrow(
        'rate-limit must be a whole number',
      )
  })
})

describe('members', () => {
  test('one person joins several workspaces with one account, under the name each of them has for it', async () => {
    const ann = await createMember(db.sql, workspace.id, { email: ' Ann@Buyer.test', name: 'Ann', role: 'buyer' })
    const again = await createMember(db.sql, other.id, { email: 'ann@buyer.test', name: 'Other', role: 'viewer' })
    expect(again).toMatchObject({ email: ann.email, name: 'Other', role: 'viewer' })
    expect(again.id).not.toBe(ann.id)
    await expect(createMember(db.sql, workspace.id, { email: 'ANN@buyer.test', role: 'supplier' })).rejects.toThrow(
      'ann@buyer.test is a member of this workspace already',
    )
    expect(await findMember(db.sql, workspace.id, 'ANN@buyer.test')).toEqual({ ...ann, isNameable: true })
    expect(await listMemberships(db.sql, ann.id)).toEqual([])
    expect(await setFirstPassword(db.sql, workspace.id, ann.id, 'correct horse battery')).toBe(ann.id)
    const token = (await issueSetUpLink(db.sql, other.id, again.id, later))!
    const joined = await redeemSetUpLink(db.sql, token, 'correct horse battery', now, { fromAddress: '192.0.2.1' })
    expect(joined).toMatchObject({ personId: ann.id, workspaceId: other.id })
    expect((await listMemberships(db.sql, ann.id)).map(({ role }) => role).sort()).toEqual(['buyer', 'viewer'])
    expect(await findMember(db.sql, other.id, 'ann@buyer.test')).toMatchObject({ id: ann.id, name: 'Other' })
    expect(await findMember(db.sql, workspace.id, 'ann@buyer.test')).toMatchObject({ id: ann.id, name: 'Ann' })
    expect(await findSignIns(db.sql, 'ann@buyer.test')).toHaveLength(1)
  })

  test('of two who invite an address into one workspace at the same moment, one is refused because it already exists', async () => {
    const tries = await Promise.allSettled(
      [1, 2, 3, 4].map(() => createMember(db.sql, workspace.id, { email: 'twice@buyer.test', role: 'buyer' })),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('are seen by their own workspace only', async () => {
    await createMember(db.sql, workspace.id, { email: 'sam@supplier.test', role: 'supplier' })
    expect((await listMembers(db.sql, other.id)).map(({ email }) => email)).toEqual(['ann@buyer.test'])
    expect(await findMember(db.sql, other.id, 'sam@supplier.test')).toBeNull()
  })

  test('refuse what is not an address', async () => {
    for (const email of ['', 'ann', 'a b@c', '@', 'a@b@c'])
      await expect(createMember(db.sql, workspace.id, { email, role: 'viewer' }), email).rejects.toMatchObject({
        kind: 'invalid',
      })
  })
})

describe('passwords', () => {
  test('are stored as argon2id with their own salt, and distinguish right from wrong', async () => {
    const [one, two] = [await hashPassword('correct horse battery'), await hashPassword('correct horse battery')]
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(one).not.toBe(two)
    expect(await verifyPassword(one, 'correct horse battery')).toBe(true)
    expect(await verifyPassword(one, 'correct horse batterz')).toBe(false)
    expect(await verifyPassword(null, 'correct horse battery')).toBe(false)
    expect(await verifyPassword('not a hash', 'correct horse battery')).toBe(false)
    await expect(hashPassword('short')).rejects.toThrow('a password must have 10 to 1000 characters, got 5')
  })

  test('a one-time link sets the first one, once, and not after its time', async () => {
    const eve = await createMember(db.sql, workspace.id, { email: 'eve@buyer.test', role: 'editor' })
    const old = (await issueSetUpLink(db.sql, workspace.id, eve.id, now))!
    await expect(redeemSetUpLink(db.sql, old, 'correct horse', now)).rejects.toThrow('too old')
    const token = (await issueSetUpLink(db.sql, workspace.id, eve.id, later))!
    expect(await findSetUpLink(db.sql, token, now)).toEqual({ email: 'eve@buyer.test', workspaceName: workspace.name })
    const tries = await Promise.allSettled(
      [1, 2, 3].map(n => redeemSetUpLink(db.sql, token, `correct horse ${n}`, now)),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await findSetUpLink(db.sql, token, now)).toBeNull()
    const { passwordHash } = (await findSignIns(db.sql, 'EVE@buyer.test'))[0]!
    const right = await Promise.all([1, 2, 3].map(n => verifyPassword(passwordHash, `correct horse ${n}`)))
    expect(right.filter(Boolean)).toHaveLength(1)
  })

  test('an invitation cannot take over an existing account, nor lock anybody out of theirs', async () => {
    const zoe = await createMember(db.sql, workspace.id, { email: 'zoe@buyer.test', role: 'buyer' })
    await setFirstPassword(db.sql, workspace.id, zoe.id, 'chosen by zoe')
    const guest = await createMember(db.sql, other.id, { email: 'zoe@buyer.test', role: 'viewer' })
    expect(await issueSetUpLink(db.sql, workspace.id, zoe.id, later)).toBeNull()
    expect(await issueSetUpLink(db.sql, other.id, zoe.id, later)).toBeNull()
    const token = (await issueSetUpLink(db.sql, other.id, guest.id, later))!
    const mallory = await redeemSetUpLink(db.sql, token, 'chosen by mallory', now)
    expect(mallory).toMatchObject({ personId: guest.id, workspaceId: other.id })
    const slugs = async (id: string) => (await listMemberships(db.sql, id)).map(({ slug }) => slug)
    expect([await slugs(zoe.id), await slugs(guest.id)]).toEqual([[workspace.slug], [other.slug]])
    await expect(setFirstPassword(db.sql, other.id, zoe.id, 'chosen by mallory')).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect(await verifyPassword((await findAccount(db.sql, zoe.id))!.passwordHash, 'chosen by zoe')).toBe(true)
  })

  test('a first password set by one workspace’s link gives and takes nothing in another', async () => {
    const ned = await createMember(db.sql, workspace.id, { email: 'ned@buyer.test', role: 'buyer' })
    const proper = (await issueSetUpLink(db.sql, workspace.id, ned.id, later))!
    const guest = await createMember(db.sql, other.id, { email: 'ned@buyer.test', role: 'viewer' })
    const foreign = (await issueSetUpLink(db.sql, other.id, guest.id, later))!
    await redeemSetUpLink(db.sql, foreign, 'chosen by mallory', now)
    expect(await redeemSetUpLink(db.sql, proper, 'chosen by ned', now)).toMatchObject({ personId: ned.id })
    expect((await listMemberships(db.sql, ned.id)).map(({ workspaceId }) => workspaceId)).toEqual([workspace.id])
    expect((await listMemberships(db.sql, guest.id)).map(({ workspaceId }) => workspaceId)).toEqual([other.id])
  })

  test('all accounts of an address share a salt, so that one derivation tells which of them it is', async () => {
    const hashes = (await findSignIns(db.sql, 'ned@buyer.test')).map(({ passwordHash }) => passwordHash)
    const salts = new Set(hashes.map(hash => hash.slice(0, hash.lastIndexOf('$') + 1)))
    expect([hashes.length, salts.size]).toEqual([2, 1])
    for (const [i, password] of ['chosen by mallory', 'chosen by ned'].entries()) {
      const tried = await hashUnder([...salts], password)
      expect(tried).toEqual([hashes[i === 0 ? 1 : 0]])
    }
    for (const each of [[...salts], []]) expect(hashes).not.toContain((await hashUnder(each, 'neither of them'))[0])
  })

  test('two links of one address opened at the same moment with one password lead to one account', async () => {
    const links = await Promise.all(
      [workspace, other].map(async ({ id }) => {
        const member = await createMember(db.sql, id, { email: 'both@buyer.test', role: 'viewer' })
        return (await issueSetUpLink(db.sql, id, member.id, later))!
      }),
    )
    const joined = await Promise.all(links.map(token => redeemSetUpLink(db.sql, token, 'the same password', now)))
    expect(new Set(joined.map(({ personId }) => personId)).size).toBe(1)
    expect(await listMemberships(db.sql, joined[0]!.personId)).toHaveLength(2)
  })

  test('a newer link replaces the older, and a withdrawn invitation leads nowhere', async () => {
    const by = { who: 'olga@owner.test', fromAddress: null }
    const { member, token } = await invite(db.sql, workspace.id, { email: 'pat@buyer.test', role: 'buyer' }, later, by)
    const { token: newer } = await inviteAgain(db.sql, workspace.id, member.id, later, by)
    expect(await findSetUpLink(db.sql, token, now)).toBeNull()
    expect(await findSetUpLink(db.sql, newer, now)).toMatchObject({ email: 'pat@buyer.test' })
    await removeMember(db.sql, workspace.id, member.id, by)
    expect(await findSetUpLink(db.sql, newer, now)).toBeNull()
    await expect(redeemSetUpLink(db.sql, newer, 'correct horse battery', now)).rejects.toThrow('too old')
    expect(await db.owner`select 1 from person where lower(email) = 'pat@buyer.test'`).toHaveLength(0)
  })

  test('a workspace issues no link for somebody who is not its member', async () => {
    const kim = await createMember(db.sql, workspace.id, { email: 'kim@buyer.test', role: 'buyer' })
    expect(await issueSetUpLink(db.sql, other.id, kim.id, later)).toBeNull()
  })
})
