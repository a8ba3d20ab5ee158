import { beforeAll, describe, expect, test } from 'vitest'
import { changingAccess } from '../../src/storage/log/access-log.ts'
import { lockedHash } from '../../src/storage/people/password.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

let workspace: Workspace
let other: Workspace
const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  workspace = await house.makeWorkspace()
  other = await house.makeWorkspace()
})

async function join({ id: workspaceId }: Workspace, email: string, password: string): Promise<void> {
  const { id } = await createMember(house.installation.sql, workspaceId, { email, role: 'viewer' })
  await setFirstPassword(house.installation.sql, workspaceId, id, password)
}

const notesOn = (email: string) =>
  house.installation.owner<{ who: string; what: string }[]>`
    select who, what from activity where workspace_id = ${workspace.id} and subject = ${email} order by id`

describe('operator add, list and remove', () => {
  const email = 'otto@operator.test'

  test('make a person with an account an operator, once, and record it in their workspaces', async () => {
    await join(workspace, email, 'chosen by otto')
    expect((await house.run(['operator', 'add', email])).out).toBe(`${email} is now an operator of this installation\n`)
    expect((await house.run(['operator', 'add', email])).out).toBe(
      `${email} is already an operator of this installation\n`,
    )
    const listed = await house.run(['operator', 'list', '--json'])
    expect(JSON.parse(listed.out)).toEqual([{ email, addedBy: 'operator', addedAt: expect.stringMatching(/^20/) }])
    expect((await house.run(['operator', 'list'])).out).toMatch(
      /^ *otto@operator\.test +since 20\d\d-\S+ +by operator\n$/,
    )
    expect(await notesOn(email)).toEqual([{ who: 'operator', what: 'made an operator of the installation' }])
  })

  test('remove one, with a record, and report if there is none', async () => {
    const { out } = await house.run(['operator', 'remove', email, '--as', 'boss@operator.test'])
    expect(out).toBe(`${email} is no longer an operator of this installation\n`)
    expect((await notesOn(email)).at(-1)).toEqual({
      who: 'boss@operator.test',
      what: 'no longer an operator of the installation',
    })
    expect((await house.run(['operator', 'remove', email])).err).toBe(
      `assize: ${email} is not an operator of this installation\n`,
    )
    expect((await house.run(['operator', 'list'])).out).toContain('nobody is an operator yet')
  })

  test('refuse somebody who signs in by an identity provider, which opens nothing of the installation', async () => {
    const linked = 'lea@provider.test'
    await join(workspace, linked, 'until the provider came')
    await changingAccess(
      house.installation.owner,
      tx => tx`update person set password_hash = ${lockedHash([])} where lower(email) = ${linked}`,
    )
    expect(await house.run(['operator', 'add', linked])).toMatchObject({
      status: 1,
      err: expect.stringContaining('an operator needs an account with a password'),
    })
    expect((await house.run(['operator', 'list'])).out).not.toContain(linked)
  })

  test('refuse a person without an account, and require a workspace if an address has several', async () => {
    expect(await house.run(['operator', 'add', 'nobody@nowhere.test'])).toMatchObject({
      status: 1,
      err: expect.stringContaining('nobody with a password has the address'),
    })
    await join(other, email, 'chosen by somebody else')
    const several = await house.run(['operator', 'add', email])
    expect(several).toMatchObject({ status: 1, err: expect.stringContaining(`${email} has 2 accounts, in `) })
    expect((await house.run(['operator', 'add', email, '--workspace', workspace.slug])).status).toBe(0)
    expect(JSON.parse((await house.run(['operator', 'list', '--json'])).out)).toHaveLength(1)
    const password = await house.run(['user', 'password', email])
    expect(password).toMatchObject({ status: 1, err: expect.stringContaining('say --workspace W') })
    expect((await house.run(['user', 'password', email, '--workspace', other.slug])).status).toBe(0)
  })
})
