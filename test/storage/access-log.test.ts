// The access log: what is recorded of its own accord, what does not count, what is found, and what an upgrade
// records.
import { beforeEach, describe, expect, test } from 'vitest'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { changingAccess } from '../../src/storage/log/access-log.ts'
import { appending } from '../../src/storage/log/append.ts'
import { checkSecrets } from '../../src/storage/log/secret-check.ts'
import { inviteAgain } from '../../src/storage/people/invitations.ts'
import { changeMember, removeMember } from '../../src/storage/people/member-changes.ts'
import { addOperator, listOperators } from '../../src/storage/people/operators.ts'
import { createMember, findSignIns, listMemberStates, setFirstPassword } from '../../src/storage/people/people.ts'
import { findSession, openSession } from '../../src/storage/people/sessions.ts'
import { ringIn, type Sql, withWorkspace } from '../../src/storage/postgres/database.ts'
import { verifyChain } from '../../src/storage/upkeep/chain.ts'
import { type Activity, listActivity, noteActivity } from '../../src/storage/workspaces/activity.ts'
import { createApiKey, findApiKey, rotateApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { setPriceTolerance, setWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { ownHouse } from '../support/houses/house.ts'
import { makeWorkspace } from '../support/houses/workspace.ts'
import { makeTestRing, openTestDatabase } from '../support/run/postgres.ts'

let workspace: Workspace
const db = ownHouse(openTestDatabase)
beforeEach(async () => {
  workspace = await makeWorkspace(db)
})

const by = { who: 'olga@owner.test', fromAddress: null }
const digests = new KeyedDigests(makeTestRing(), 'api-key digests')
const problemOf = async (scope = workspace.id) => (await verifyChain(db.owner, scope)).problem?.message ?? null

/** With SQL alone: triggers and foreign keys are off. */
async function rewrite(statement: string, owner: Sql = db.owner): Promise<void> {
  await owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx.unsafe(statement)
  })
}

const entriesOf = (scope: string, kind: string) =>
  db.owner<{ subject: string; content: Record<string, unknown> | null }[]>`
    select subject, content from access_entry where scope = ${scope} and kind = ${kind} order by number`

describe('what is recorded', () => {
  test('of a member: that they were invited, what changed about them, and that they left', async () => {
    const { id } = await createMember(db.sql, workspace.id, { email: 'ann@test.test', role: 'buyer' }, by)
    await changeMember(db.sql, workspace.id, id, { role: 'viewer' }, by)
    await removeMember(db.sql, workspace.id, id, by)
    const entries = await entriesOf(workspace.id, 'member')
    expect(entries.map(({ subject, content }) => [subject, content?.role, content?.invited_by])).toEqual([
      [id, 'buyer', 'olga@owner.test'],
      [id, 'viewer', 'olga@owner.test'],
      [id, undefined, undefined],
    ])
    expect(await problemOf()).toBeNull()
  })

  test('of an account that ends with its last place: that its password, passkeys and factors are gone', async () => {
    const { id: invited } = await createMember(db.sql, workspace.id, { email: 'left@test.test', role: 'viewer' }, by)
    const id = await setFirstPassword(db.sql, workspace.id, invited, 'a password of left')
    const credential = `key of ${id}`
    await changingAccess(db.owner, async tx => {
      await tx`
        insert into passkey (credential_id, person_id, name, public_key, algorithm, rp_id, verifies_user, counter, transports)
        values (${credential}, ${id}, 'Key', '{}', 'ES256', 'localhost', true, 0, '{}')`
      await tx`insert into recovery_code (person_id, digest) values (${id}, ${ringIn(db.owner).mac('recovery codes', id)})`
    })
    const given = { personId: id, passwordHash: (await findSignIns(db.sql, 'left@test.test'))[0]!.passwordHash }
    await openSession(db.sql, { ...given, fromAddress: null, userAgent: null })
    expect(await problemOf('accounts')).toBeNull()
    await removeMember(db.sql, workspace.id, id, by)
    expect(await db.owner`select 1 from person where id = ${id}`).toEqual([])
    for (const [kind, subject] of [
      ['password', id],
      ['passkey', credential],
      ['recovery', id],
    ] as const) {
      const about = (await entriesOf('accounts', kind)).filter(each => each.subject === subject)
      expect(
        about.map(({ content }) => content === null),
        kind,
      ).toEqual([false, true])
    }
    expect(await problemOf('accounts')).toBeNull()
    expect(await problemOf()).toBeNull()
  })

  test('of settings: limits, the price tolerance; of activity, each once', async () => {
    await setWorkspace(db.owner, workspace.id, { agreements: 7 })
    await setPriceTolerance(db.owner, workspace.id, '2.5')
    const settings = await entriesOf(workspace.id, 'settings')
    expect(settings.map(({ content }) => [content!.max_agreements, content!.price_tolerance])).toEqual([
      [undefined, undefined],
      [7, undefined],
      [7, '2.5'],
    ])
    const activity: Activity = { ...by, act: null, what: 'looked', subject: 'at something' }
    await withWorkspace(db.sql, workspace.id, async tx => {
      for (let n = 0; n < 5; n++) await noteActivity(tx, workspace.id, activity)
    })
    expect(await entriesOf(workspace.id, 'activity')).toHaveLength(5)
    expect(await listActivity(db.sql, workspace.id, { before: null, most: 10 })).toHaveLength(5)
    expect(await problemOf()).toBeNull()
  })

  test('is nothing of a transaction that fails, and nothing where nothing changes', async () => {
    const { id } = await createMember(db.sql, workspace.id, { email: 'bob@test.test', role: 'buyer' }, by)
    const count = (await entriesOf(workspace.id, 'member')).length
    const failing = withWorkspace(db.sql, workspace.id, async tx => {
      await noteActivity(tx, workspace.id, { ...by, act: null, what: 'x', subject: 'y' })
      throw new Error('given up')
    })
    await expect(failing).rejects.toThrow('given up')
    await changeMember(db.sql, workspace.id, id, { role: 'buyer' }, by)
    expect(await entriesOf(workspace.id, 'member')).toHaveLength(count)
    expect(await entriesOf(workspace.id, 'activity')).toHaveLength(0)
    expect(await problemOf()).toBeNull()
  })

  test('by many at once has no gap and no double, and waits for no publication that is under way', async () => {
    const keys = Array.from({ length: 12 }, (_, n) => ({ workspaceId: workspace.id, name: `k${n}`, expiresAt: null }))
    let isOver = false
    // As a long import: it has noted what it does, and goes on for as long as the others need.
    const { promise: others, resolve: goOn } = Promise.withResolvers<void>()
    const long = appending(db.sql, workspace.id, async tx => {
      await noteActivity(tx, workspace.id, { ...by, act: null, what: 'imported', subject: 'a long file' })
      await others
      isOver = true
    })
    const made = await Promise.all(keys.map(key => createApiKey(db.sql, digests, key)))
    expect(isOver).toBe(false)
    goOn()
    await long
    for (const { key } of made) expect(await findApiKey(db.sql, digests, key)).toMatchObject({ scope: 'read' })
    expect(await problemOf()).toBeNull()
  })
})

describe('a row that was changed with SQL alone', () => {
  test('does not count, and is not made right by the next change of it', async () => {
    const { id } = await createMember(db.sql, workspace.id, { email: 'eve@test.test', role: 'viewer' }, by)
    await rewrite(`update member set role = 'owner' where person_id = '${id}'`)
    expect(await listMemberStates(db.sql, workspace.id)).toEqual([])
    // Another column of the row, by a statement of the server's own kind.
    const again = inviteAgain(db.sql, workspace.id, id, '2100-01-01T00:00:00.000000Z', by)
    await expect(again).rejects.toThrow('not in the workspace')
    const direct = withWorkspace(db.sql, workspace.id, async tx => {
      await noteActivity(tx, workspace.id, { ...by, act: null, what: 'x', subject: 'y' })
      await tx`update member set invited_by = 'x' where workspace_id = ${workspace.id} and person_id = ${id}`
    })
    await expect(direct).rejects.toThrow('a member was changed in the database itself: run assize verify --chain')
    expect(await problemOf()).toContain('a member (eve@test.test')
    await rewrite(`update member set role = 'viewer' where person_id = '${id}'`)
    expect(await listMemberStates(db.sql, workspace.id)).toHaveLength(1)
    expect(await problemOf()).toBeNull()
  })

  test('a key whose scope was raised opens nothing, and a new key in its place is not made', async () => {
    const { key, id } = await createApiKey(db.sql, digests, { workspaceId: workspace.id, name: 'k', expiresAt: null })
    expect(await findApiKey(db.sql, digests, key)).toMatchObject({ scope: 'read' })
    await rewrite(`update api_key set key_scope = 'all' where id = '${id}'`)
    expect(await findApiKey(db.sql, digests, key)).toBeNull()
    const rotated = rotateApiKey(db.sql, digests, { workspaceId: workspace.id, id, overlapHours: 0, by })
    await expect(rotated).rejects.toThrow('there is no key')
    expect(await problemOf()).toContain('an API key')
  })

  test('nothing more is recorded behind a log whose end was cut off', async () => {
    await createMember(db.sql, workspace.id, { email: 'one@test.test', role: 'viewer' }, by)
    await rewrite(`delete from access_entry where scope = '${workspace.id}' and number > 1;
      update access_head set number = 1, seal = (select seal from access_entry where scope = '${workspace.id}')
      where scope = '${workspace.id}'`)
    const next = createMember(db.sql, workspace.id, { email: 'two@test.test', role: 'viewer' }, by)
    await expect(next).rejects.toThrow('was changed in the database itself')
  })
})

test('a session ends for good with the password it was opened under', async () => {
  const { id: invited } = await createMember(db.sql, workspace.id, { email: 'kim@test.test', role: 'viewer' }, by)
  const id = await setFirstPassword(db.sql, workspace.id, invited, 'a password of kim')
  const [account] = await findSignIns(db.sql, 'kim@test.test')
  const given = { personId: id, passwordHash: account!.passwordHash, fromAddress: null, userAgent: null }
  const token = (await openSession(db.sql, given))!
  expect(await findSession(db.sql, token, workspace.slug)).toMatchObject({ person: { id } })
  await rewrite(`update person set password_hash = 'another' where id = '${id}'`)
  expect(await findSession(db.sql, token, workspace.slug)).toBeNull()
  await rewrite(`update person set password_hash = '${account!.passwordHash}' where id = '${id}'`)
  expect(await findSession(db.sql, token, workspace.slug)).not.toBeNull()
})

test('an operator put in by SQL is none', async () => {
  const { id: invited } = await createMember(db.sql, workspace.id, { email: 'oz@test.test', role: 'viewer' }, by)
  const id = await setFirstPassword(db.sql, workspace.id, invited, 'a password of oz')
  await addOperator(db.owner, 'oz@test.test', { workspaceId: workspace.id, by: 'operator' })
  expect((await listOperators(db.sql)).map(({ personId }) => personId)).toContain(id)
  await rewrite(`update operator set person_id = 'usr_00000000000000000000000000' where person_id = '${id}'`)
  expect(await listOperators(db.sql)).toEqual([])
  await rewrite(`update operator set person_id = '${id}'`)
  await checkSecrets(db.owner, makeTestRing())
  expect(await problemOf('accounts')).toBeNull()
})
