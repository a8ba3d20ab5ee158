// Signing by command: what `pam show` lists as unsigned, that one hash covers all of it, and that the sign-off is marked as
// the operator's.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ListedPeriod } from '../../src/agreements/open-signatures.ts'
import { hashOfPeriods } from '../../src/core/receipt/party-signature.ts'
import { changingAccess } from '../../src/storage/log/access-log.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import { loadSecondFactors } from '../../src/storage/people/second-factors.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'

let workspace: Workspace
const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  workspace = await house.makeWorkspace()
  const { sql } = house.installation
  await createMember(sql, workspace.id, { email: 'ann@buyer.test', role: 'buyer', name: 'Ann' })
  await run('import', await house.write('steel.csv', steelTable))
  await run('pam', 'apply', await house.write('steel.yaml', steelDocument()))
})

async function run(...words: string[]): Promise<string> {
  const { status, out, err } = await house.run([...words, '--workspace', workspace.slug])
  expect(status, `${words.join(' ')}: ${err}`).toBe(0)
  return out
}

interface Shown {
  readonly toSign: { readonly buyer: readonly ListedPeriod[]; readonly supplier: readonly ListedPeriod[] }
  readonly signOffs: readonly { readonly period: string; readonly party: string; readonly means: string }[]
}
const show = async () => JSON.parse(await run('pam', 'show', 'steel', '--json')) as Shown
const sign = (party: string, period: string, ...more: string[]) => {
  const email = party === 'buyer' ? 'ann@buyer.test' : 'sam@supplier.test'
  return house.run([
    'pam',
    'sign',
    'steel',
    '--workspace',
    workspace.slug,
    '--period',
    period,
    '--party',
    party,
    '--as',
    email,
    ...more,
  ])
}

describe('pam show', () => {
  test('returns billing terms, in JSON and in a text that can be applied again', async () => {
    const billed = steelDocument({ slug: 'billed' })
    await run('pam', 'apply', await house.write('billed.yaml', billed))
    const terms = '  frequency: QUARTERLY\n  references: [FA-17]\n  priceDate: INVOICE\n  prorate: DAYS\n'
    const file = await house.write('terms.yaml', billed.replace('  frequency: QUARTERLY\n', terms))
    expect(await run('pam', 'apply', file)).toMatch(/^billed: changed, formula 1 \(pam_\w+\)\n$/)
    const shown = JSON.parse(await run('pam', 'show', 'billed', '--json'))
    expect(shown).toMatchObject({
      version: 1,
      billing: { references: ['FA-17'], priceDate: 'INVOICE', prorate: 'DAYS' },
    })
    const again = await house.write('again.yaml', shown.documentText)
    expect(await run('pam', 'apply', again)).toMatch(/^billed: unchanged, formula 1 /)
    expect(await run('pam', 'show', 'billed')).toContain(shown.documentText)
  })

  test('lists for each party what has to be signed, with the hash of the list through each period', async () => {
    const { toSign } = await show()
    expect(toSign.buyer.map(({ period, adjustmentPct }) => [period, adjustmentPct])).toEqual([
      ['2024-Q2', '5'],
      ['2024-Q3', '2.381'],
      ['2024-Q4', '6.9767'],
    ])
    const list = toSign.buyer.slice(0, 2).map(({ period, hash }) => ({ period, hash }))
    expect(toSign.buyer[1]!.throughHash).toBe(hashOfPeriods(list))
    expect(toSign.supplier).toEqual(toSign.buyer)
  })
})

describe('pam sign', () => {
  test('signs through a period only under the hash of the list, prints every number, marks it as the operator’s', async () => {
    const { toSign } = await show()
    const second = toSign.buyer[1]!
    const wrong = await sign('buyer', '2024-Q3', '--through', '--hash', second.hash)
    expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining(second.throughHash)])
    const signed = await sign('buyer', '2024-Q3', '--through', '--hash', second.throughHash)
    expect([signed.status, signed.err]).toEqual([0, ''])
    expect(signed.out).toMatch(/^signed as buyer by the operator, in the name of ann@buyer\.test:\n/)
    expect(signed.out).toMatch(new RegExp(`2024-Q2 +5 % +5 % since the start +${toSign.buyer[0]!.hash}\\n`))
    expect(signed.out).toContain(second.hash)
    const again = await sign('buyer', '2024-Q3', '--through', '--hash', second.throughHash)
    expect(again.out).toBe(`2024-Q3 was signed before: ${second.hash}\n`)

    const after = await show()
    expect(after.toSign.buyer.map(({ period }) => period)).toEqual(['2024-Q4'])
    expect(after.signOffs.map(({ period, party, means }) => `${period} ${party} ${means}`)).toEqual([
      '2024-Q2 buyer OPERATOR',
      '2024-Q3 buyer OPERATOR',
    ])
    expect(await run('pam', 'show', 'steel')).toMatch(
      /2024-Q2 +buyer +ann@buyer\.test .*by the operator, in their name\n/,
    )
  })
})

describe('user reset-factors', () => {
  test('removes all sign-in factors except the password, ends the sessions and is recorded', async () => {
    const { owner, sql } = house.installation
    const invited = await createMember(sql, workspace.id, { email: 'lost@buyer.test', role: 'viewer' })
    const id = await setFirstPassword(sql, workspace.id, invited.id, 'a password that stays')
    await changingAccess(owner, async tx => {
      await tx`
        insert into passkey
          (credential_id, person_id, name, public_key, algorithm, rp_id, verifies_user, counter, transports)
        values (${`lost ${workspace.id}`}, ${id}, 'phone', 'x', 'ES256', 'localhost', true, 0, '{}')`
      await tx`insert into second_factor (person_id, wants_passkey) values (${id}, true)`
      await tx`insert into recovery_code (person_id, digest) values (${id}, '\\x00000000' || sha256('x'))`
    })
    expect(await loadSecondFactors(sql, id)).toMatchObject({ wantsPasskey: true, passkeys: 1, recoveryCodes: 1 })
    const { status, out } = await house.run(['user', 'reset-factors', 'LOST@buyer.test'])
    expect([status, out]).toEqual([0, expect.stringContaining('signs in with the password alone again')])
    expect(await loadSecondFactors(sql, id)).toMatchObject({ wantsPasskey: false, passkeys: 0, recoveryCodes: 0 })
    const [note] = await owner<{ what: string }[]>`
      select what from activity where workspace_id = ${workspace.id} and subject = 'lost@buyer.test'`
    expect(note?.what).toBe('passkeys and one-time codes removed by the operator')
    expect((await house.run(['user', 'reset-factors', 'nobody@nowhere.test'])).status).toBe(1)
  })
})
