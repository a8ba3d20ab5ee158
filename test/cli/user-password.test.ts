import { beforeAll, describe, expect, test } from 'vitest'
import { verifyPassword } from '../../src/storage/people/password.ts'
import { createMember, findSignIns, setFirstPassword } from '../../src/storage/people/people.ts'
import { findSession, openSession } from '../../src/storage/people/sessions.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

let workspace: Workspace

const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  workspace = await house.makeWorkspace()
})

describe('user password', () => {
  test('gives a new one, shown once, and ends the sessions that were open', async () => {
    const { sql } = house.installation
    const email = `lost-${workspace.slug}@buyer.test`
    const { id } = await createMember(sql, workspace.id, { email, role: 'buyer' })
    await setFirstPassword(sql, workspace.id, id, 'the first password')
    const { passwordHash } = (await findSignIns(sql, email))[0]!
    const token = await openSession(sql, {
      personId: id,
      passwordHash: passwordHash!,
      fromAddress: null,
      userAgent: null,
    })
    expect(await findSession(sql, token!, null)).not.toBeNull()

    const { status, out } = await house.run(['user', 'password', email])
    expect(status).toBe(0)
    const shown = /shown only now: (\S+)/.exec(out)![1]!
    const hash = (await findSignIns(sql, email))[0]!.passwordHash
    expect(await verifyPassword(hash, shown)).toBe(true)
    expect(await verifyPassword(hash, 'the first password')).toBe(false)
    expect(await findSession(sql, token!, null)).toBeNull()
  })

  test('reads one from standard input and does not print it', async () => {
    const { sql } = house.installation
    const email = `told-${workspace.slug}@buyer.test`
    const { id } = await createMember(sql, workspace.id, { email, role: 'buyer' })
    await setFirstPassword(sql, workspace.id, id, 'the first password')
    const { status, out } = await house.spawn(['user', 'password', email, '--password-stdin'], 'one I can remember\n')
    expect(status).toBe(0)
    expect(out).not.toContain('remember')
    expect(await verifyPassword((await findSignIns(sql, email))[0]!.passwordHash, 'one I can remember')).toBe(true)
  })

  test('refuses an unknown address, and a password that is too short', async () => {
    expect(await house.run(['user', 'password', 'nobody@nowhere.test'])).toMatchObject({
      status: 1,
      err: 'assize: nobody with a password has the address nobody@nowhere.test; user create makes a link\n',
    })
    const short = await house.spawn(['user', 'password', 'nobody@nowhere.test', '--password-stdin'], 'short\n')
    expect(short.status).toBe(1)
    expect(short.err).toContain('a password must have 10 to')
  })
})
