// Objecting, answering and withdrawing by command: marked as the operator's, listed by `pam show`, reported by
// `verify`.
import { beforeAll, describe, expect, test } from 'vitest'
import { createMember } from '../../src/storage/people/people.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'

let workspace: Workspace
const house = ownHouse(openCommandHouse)
beforeAll(async () => {
  workspace = await house.makeWorkspace()
  await createMember(house.installation.sql, workspace.id, { email: 'ann@buyer.test', role: 'buyer', name: 'Ann' })
  await run('import', await house.write('steel.csv', steelTable))
  await run('pam', 'apply', await house.write('steel.yaml', steelDocument()))
})

const ask = (...words: string[]) => house.run([...words, '--workspace', workspace.slug])
async function run(...words: string[]): Promise<string> {
  const { status, out, err } = await ask(...words)
  expect(status, `${words.join(' ')}: ${err}`).toBe(0)
  return out
}

const sam = ['--party', 'supplier', '--as', 'sam@supplier.test'] as const
const ann = ['--party', 'buyer', '--as', 'ann@buyer.test'] as const

describe('an objection by command', () => {
  test('is made, answered and withdrawn for a side, and listed with the hash it is about', async () => {
    const made = JSON.parse(
      await run('pam', 'object', 'steel', '--period', '2024-Q2', ...sam, '--reason', 'Too early.', '--json'),
    ) as { id: string; hash: string }
    expect(made).toMatchObject({ id: expect.stringMatching(/^obj_\w{26}$/), period: '2024-Q2' })
    expect(await run('pam', 'answer', 'steel', '--objection', made.id, ...ann, '--words', 'No.')).toBe('answered\n')
    const shown = () => run('pam', 'show', 'steel', '--json').then(text => JSON.parse(text).objections as unknown[])
    expect(await shown()).toMatchObject([
      {
        id: made.id,
        period: '2024-Q2',
        party: 'supplier',
        who: 'sam@supplier.test',
        means: 'OPERATOR',
        hash: made.hash,
        about: { kind: 'number' },
        reason: 'Too early.',
        answers: [{ kind: 'ANSWER', party: 'buyer', who: 'ann@buyer.test', words: 'No.', means: 'OPERATOR' }],
      },
    ])
    const receipt = await house.write('r.json', await run('receipt', 'steel', '--period', '2024-Q2'))
    const told = await house.run(['verify', receipt])
    expect(told.out).toMatch(
      /the supplier \(sam@supplier\.test\) objected to the number on \d{4}-\d\d-\d\d: open, 1 answer\n/,
    )
    expect(await run('pam', 'withdraw', 'steel', '--objection', made.id, ...sam)).toBe('withdrawn\n')
    expect(await run('pam', 'show', 'steel')).toMatch(/Objections\n.*2024-Q2 .*the number +withdrawn +obj_\w{26}/)
    expect(await run('verify', '--chain')).toMatch(/^same: /)
  })

  test('is refused in a sentence if something is wrong with it', async () => {
    const object = (...more: string[]) => ask('pam', 'object', 'steel', '--period', '2024-Q2', ...more)
    expect((await object(...sam)).err).toContain('--reason is missing')
    expect((await object(...sam, '--reason', 'No', '--line', 'gold')).err).toContain('has no line "gold"')
    expect((await object(...sam, '--reason', 'No', '--figure', 'steel')).err).toContain(
      '--figure must be INPUT:SERIES:PERIOD, got "steel"',
    )
    expect((await object('--party', 'supplier', '--as', 'ann@buyer.test', '--reason', 'No')).err).toContain(
      "ann@buyer.test is on the buyer's side and cannot speak as supplier",
    )
    expect((await object(...sam, '--reason', 'No', '--hash', 'a'.repeat(64))).err).toContain(
      'the proposal for 2024-Q2 has moved',
    )
  })
})
