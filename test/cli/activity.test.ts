// What the operator's commands record in a workspace's activity: a row for each action, none if nothing was done.
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'

const house = ownHouse(openCommandHouse)

interface Note {
  readonly who: string
  readonly what: string
  readonly subject: string
  readonly from: string | null
}

async function notesOf(slug: string): Promise<readonly Note[]> {
  const rows = await house.installation.owner<Note[]>`
    select a.who, a.what, a.subject, a.from_address as from from activity a join workspace w on w.id = a.workspace_id
    where w.slug = ${slug} order by a.at, a.id`
  return [...rows]
}

/** Runs the command with --json and returns what it printed. */
async function run(...words: readonly string[]) {
  const { status, out, err } = await house.run([...words, '--json'])
  expect({ status, err }).toEqual({ status: 0, err: '' })
  return JSON.parse(out)
}

test('a workspace, its people and its keys are recorded with who created them, without an address', async () => {
  await run('workspace', 'create', 'noted')
  const on = ['--workspace', 'noted']
  await run('user', 'create', 'Eve@buyer.test', ...on, '--role', 'editor', '--as', 'Ann@Buyer.test')
  await run('user', 'create', 'eve@buyer.test', ...on, '--role', 'editor')
  const { id } = await run('key', 'create', ...on, '--name', 'erp')
  const { expiresAt } = await run('key', 'revoke', id, '--grace', '12h')
  await run('key', 'revoke', id, '--as', 'ann@buyer.test')
  await run('key', 'revoke', id)
  const from = null
  expect(await notesOf('noted')).toEqual([
    { who: 'operator', what: 'workspace created', subject: 'noted', from },
    { who: 'ann@buyer.test', what: 'invited as editor', subject: 'eve@buyer.test', from },
    { who: 'operator', what: 'given a new set-up link', subject: 'eve@buyer.test', from },
    { who: 'operator', what: 'key created', subject: `erp (${id})`, from },
    { who: 'operator', what: `key ends ${expiresAt}`, subject: `erp (${id})`, from },
    { who: 'ann@buyer.test', what: 'key revoked', subject: `erp (${id})`, from },
  ])
})

test('a file is recorded if it added something: not in a dry run, and not the second time', async () => {
  await run('workspace', 'create', 'filled')
  const path = await house.write('prices.csv', 'series,period,value\nCUSTOM/a,2024-01,1.5\nCUSTOM/a,2024-02,1.6\n')
  const words = ['import', path, '--workspace', 'filled', '--as', 'ann@buyer.test']
  await run(...words, '--dry-run')
  await run(...words)
  await run(...words)
  const subject = `${basename(path)}: 2 new values, 1 new series`
  expect((await notesOf('filled')).slice(1)).toEqual([
    { who: 'ann@buyer.test', what: 'file imported', subject, from: null },
  ])
})

test('a name that is not an e-mail address is refused before anything is done', async () => {
  const { status, err } = await house.run(['workspace', 'create', 'unnoted', '--as', 'Ann'])
  expect({ status, err }).toEqual({
    status: 1,
    err: 'assize: an e-mail address such as ann@buyer.test is needed, got "Ann"\n',
  })
  expect(await house.installation.owner`select 1 from workspace where slug = 'unnoted'`).toHaveLength(0)
})
