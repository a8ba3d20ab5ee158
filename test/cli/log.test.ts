// The public log by command: slips that are saved with a signature and checked offline, checkpoints and forks.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openPublicLog } from '../../src/agreements/installation-log.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { createMember } from '../../src/storage/people/people.ts'
import type { Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { hasPython, secondVerdicts } from '../support/files/second-verifier.ts'
import { openCommandHouse } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'

let workspace: Workspace
const house = ownHouse(() => openCommandHouse('apart'))
beforeAll(async () => {
  workspace = await house.makeWorkspace()
  await createMember(house.installation.sql, workspace.id, { email: 'ann@buyer.test', role: 'buyer', name: 'Ann' })
  await run('import', await house.write('steel.csv', steelTable))
  await run('pam', 'apply', await house.write('steel.yaml', steelDocument()))
})

async function run(...words: string[]): Promise<string> {
  const { status, out, err } = await house.run([...words, '--workspace', workspace.slug])
  expect(status, `${words.join(' ')}: ${err}`).toBe(0)
  return out
}

const show = async () => JSON.parse((await house.run(['log', 'show', '--json'])).out)
const signer = ['--party', 'buyer', '--as', 'ann@buyer.test']

describe('a slip', () => {
  let file = ''
  test('is saved with a signature, and proves it offline to who has the key of the log', async () => {
    file = join(house.env.ASSIZE_DATA!, '..', 'slip.txt')
    const signed = await run('agreement', 'sign', 'steel', '--period', '2024-Q2', ...signer, '--slip', file)
    expect(signed).toContain(`its slip is in ${file}\n`)
    const { origin, keys } = await show()
    expect(origin).toMatch(/^assize\/[0-9a-f]{16}$/)
    const { status, out, err } = await house.run(['verify', file, '--trust', keys[0]])
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(/^same: entry \d+ \(signature\) of wsp_\w+ is in the log assize\/[0-9a-f]{16} of \d+ leaves\n/)
    expect(out).toContain(`signed by the log's key ${origin}+`)
    expect(await readFile(file, 'utf8')).toContain('\nassize/')
  })

  test('says that no key was compared, and proves nothing under another key, or changed', async () => {
    const { keys } = await show()
    const none = await house.run(['verify', file])
    expect(none).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringMatching(/^not proven: entry \d+ .* whose key was not named \(--log-key\)\n$/),
    })
    expect(JSON.parse((await house.run(['verify', file, '--json'])).out)).toMatchObject({ same: false })
    if (hasPython) expect(secondVerdicts([{ path: file }])).toEqual([{ status: 1, lines: [none.err.trimEnd()] }])
    const another = keys[0].replace(/\+.*$/, '+00000000+AQ')
    expect((await house.run(['verify', file, '--trust', another])).status).toBe(2)
    const text = await readFile(file, 'utf8')
    const extra = /^extra (.*)$/m.exec(text)![1]!
    const plain = Buffer.from(extra, 'base64').toString()
    const rewritten = Buffer.from(plain.replace('ann@buyer.test', 'eve@buyer.test')).toString('base64')
    const changed = await house.write('changed.txt', text.replace(extra, rewritten))
    const { status, err } = await house.run(['verify', changed, '--trust', keys[0]])
    expect(status).toBe(1)
    expect(err).toContain('the content is not that of the entry')
  })

  test('is printed again later, of what was signed or of any entry', async () => {
    const again = await run('log', 'slip', 'steel', '--period', '2024-Q2')
    expect(again).toMatch(/^c2sp\.org\/tlog-proof@v1\nextra /)
    const entry = await house.write('entry.txt', await run('log', 'slip', '--entry', '1'))
    expect((await house.run(['verify', entry, '--trust', (await show()).keys[0]])).status).toBe(0)
    const missing = await house.run(['log', 'slip', 'steel', '--period', '2030-Q1', '--workspace', workspace.slug])
    expect([missing.status, missing.err]).toEqual([1, 'assize: nothing of steel was signed for 2030-Q1\n'])
  })
})

describe('the log', () => {
  test('is checked with the chains, and is broken where a leaf or the time of a checkpoint was changed', async () => {
    expect(await run('verify', '--chain')).toMatch(/^same: .*, \d+ publications, tree [0-9a-f]{64}\n$/)
    const all = await house.run(['verify', '--chain'])
    expect([all.status, all.err]).toEqual([0, ''])
    expect(all.out).toMatch(
      /same: public log assize\/[0-9a-f]{16}, \d+ lea(?:f|ves), \d+ checkpoints?, root [0-9a-f]{64}\n/,
    )
    const { owner } = house.installation
    await owner`alter table log_leaf disable trigger append_only`
    const change = (to: string, from: string) =>
      owner`update log_leaf set entry = replace(entry, ${from}, ${to}) where number = 0`
    await change('assize-head/2', 'assize-head/1')
    const broken = await house.run(['verify', '--chain'])
    expect(broken.status).toBe(1)
    expect(broken.err).toContain('broken: public log assize/')
    await change('assize-head/1', 'assize-head/2')
    await owner`alter table log_leaf enable trigger append_only`
    const made = (by: string) =>
      owner.begin(async tx => {
        await tx`set local session_replication_role = replica`
        await tx`update log_checkpoint set made_at = made_at + ${by}::interval`
      })
    await made('1 year')
    expect((await house.run(['verify', '--chain'])).err).toContain('was made at another time')
    await made('-1 year')
  })
})

test('the log is called by the beginning of the key of the seal', () => {
  const { installation } = house
  const settings = { logName: null, dataFolder: house.env.ASSIZE_DATA! }
  const seal = new Seal(installation.ring)
  const log = openPublicLog(installation, settings, () => {})
  expect(log.name).toBe(`assize/${Buffer.from(seal.publicKey, 'base64url').toString('hex').slice(0, 16)}`)
})

describe('the slip', () => {
  test('of an entry of which a person was erased has no content, and one beside it says what was erased', async () => {
    await createMember(house.installation.sql, workspace.id, { email: 'mia@buyer.test', role: 'editor', name: 'Mia' })
    await run('key', 'create', '--name', 'mias', '--as', 'mia@buyer.test')
    const { owner } = house.installation
    const [act] = await owner<
      { seq: number }[]
    >`select max(seq)::int as seq from publication where scope = ${workspace.id} and salt is not null`
    const { keys } = await show()
    const verified = async () => {
      const [path, n] = [await house.write('entry.slip', await run('log', 'slip', '--entry', `${act!.seq}`)), act!.seq]
      return { n, ...(await house.run(['verify', path, '--log-key', keys[0]])) }
    }
    expect((await verified()).out).not.toContain('erased')
    await run('user', 'remove', 'mia@buyer.test')
    const erased = await house.run(['person', 'erase', 'mia@buyer.test', '--reason', 'asked for it'])
    expect([erased.status, erased.err]).toEqual([0, ''])
    const { n, status, out, err } = await verified()
    expect([status, err]).toEqual([0, ''])
    expect(out).toMatch(new RegExp(`^same: entry ${n} \\(\\S+\\) of wsp_`))
    expect(out).toMatch(/^same: entry \d+ \(redaction\) of wsp_/m)
    expect(out).toMatch(
      new RegExp(
        `^what entry ${n} \\(\\S+\\) said of a person was erased by operator: asked for it; erased-\\d+ stands for them$`,
        'm',
      ),
    )
  })
})
