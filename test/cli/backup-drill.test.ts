// Restore drills: of a file, in a temporary database that is gone afterwards; of a database that PostgreSQL's own tools have restored,
// played here by a copy of one.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadNewest } from '../../src/storage/backups/stored-receipts.ts'
import { openOwner } from '../../src/storage/postgres/database.ts'
import { processEnv, program } from '../support/clients/command-output.ts'
import { openCommandHouse, runCommand } from '../support/houses/command-house.ts'
import { ownHouse } from '../support/houses/house.ts'
import { longTest } from '../support/run/long-test.ts'
import { openBareDatabase, openTestDatabase, type TestDatabase, urlOf } from '../support/run/postgres.ts'

const house = ownHouse(() => openCommandHouse('apart'))
let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assize-backup-drill-'))
  file = join(folder, 'one.backup')
  const { slug } = await house.makeWorkspace()
  const path = await house.write('t.csv', 'series,period,value\nCUSTOM/first,2024,1\n')
  expect(await house.run(['import', path, '--workspace', slug])).toMatchObject({ status: 0 })
  expect(await house.run(['key', 'create', '--workspace', slug, '--name', 'erp'])).toMatchObject({ status: 0 })
  expect(await house.run(['backup', file])).toMatchObject({ status: 0 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a drill of a file', () => {
  test('restores it elsewhere, verifies it, and leaves nothing', async () => {
    const { status, out, err } = await house.run(['backup', 'drill', file])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^same: the backup made 2\S+Z: \d+ rows in \d+ tables, 3 chains, 0 receipts$/),
      expect.stringMatching(/^newest entry: 2\S+Z, of \d+$/),
      expect.stringMatching(/^restored and verified in [\d.]+ s; the temporary database is removed$/),
    ])
    expect((await readdir(tmpdir())).filter(name => name.startsWith('assize-drill-'))).toEqual([])
  })

  longTest('commands', 'leaves nothing where it is killed', async () => {
    const scratch = await mkdtemp(join(folder, 'scratch-'))
    const env = { ...processEnv, ...house.env, TMPDIR: scratch }
    const child: ChildProcess = spawn(process.execPath, [program, 'backup', 'drill', file], { env, stdio: 'ignore' })
    const until = async (isSo: (names: readonly string[]) => boolean) => {
      while (!isSo((await readdir(scratch, { recursive: true }).catch(() => [])).map(String))) await sleep(50)
    }
    await until(names => names.some(name => name.endsWith('postmaster.opts')))
    child.kill('SIGKILL')
    await until(names => !names.some(name => name.startsWith('assize-drill-')))
  })
})

describe('a drill of a restored database', () => {
  let restored: Pick<TestDatabase, 'target' | 'close'>
  let url: string
  let env: Record<string, string>
  const drill = (...words: string[]) => runCommand(['backup', 'drill', '--database', url, ...words], env)
  beforeAll(async () => {
    restored = await openBareDatabase()
    url = urlOf(restored.target)
    env = { ASSIZE_DATA: join(folder, 'none'), ASSIZE_SECRET: house.installation.ring.secrets.join(' ') }
    expect(await runCommand(['restore', file], { ...env, DATABASE_URL: url })).toMatchObject({ status: 0, err: '' })
  })
  afterAll(() => restored.close())

  test('verifies it where it is, and lists what works again', async () => {
    const owner = openOwner(restored.target, { connections: 1 })
    const { anythingAt } = await loadNewest(owner)
    await owner.end()
    const { status, out, err } = await drill()
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out.trimEnd().split('\n')).toEqual([
      `same: the database as of ${anythingAt}: 3 chains, 0 receipts`,
      expect.stringMatching(/^newest entry: 2\S+Z, of \d+$/),
      expect.stringMatching(/^verified in [\d.]+ s$/),
      `what was revoked, changed or ended after ${anythingAt} is back in effect:`,
      expect.stringMatching(/^ {2}key erp of \S+, key_\w+, …\w{4}: works$/),
      'assize key revoke <id> ends a key; backup drill with --revoke-keys ends all of them',
    ])
  })

  test('ends all of that on request, and says once more that nothing is left', async () => {
    const ended = await drill('--revoke-keys', '--json')
    expect(JSON.parse(ended.out)).toMatchObject({ same: true, isEnded: true, revived: { keys: [{ name: 'erp' }] } })
    const again = await drill('--json')
    expect(JSON.parse(again.out)).toMatchObject({ same: true, isEnded: false, revived: { keys: [] } })
  })

  test('names what does not verify', async () => {
    const owner = openOwner(restored.target, { connections: 1 })
    await owner.begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx`update vintage set value = '2'`
    })
    await owner.end()
    const { status, out } = await drill()
    expect(status).toBe(1)
    expect(out).toMatch(/^broken: /)
    expect(out).toContain('CUSTOM/first')
  })

  test('refuses another secret, a database of something else, and one that is not there', async () => {
    const { ASSIZE_SECRET: _, ...without } = env
    expect((await runCommand(['backup', 'drill', '--database', url], without)).err).toBe(
      'assize: a restored database is verified under the secret of its installation: set ASSIZE_SECRET\n',
    )
    env = { ...env, ASSIZE_SECRET: 'another-secret-that-is-long-enough' }
    expect((await drill()).err).toContain('ASSIZE_SECRET is not the one this database was set up with')
    const other = await openBareDatabase()
    url = urlOf(other.target)
    expect((await drill()).err).toBe('assize: there is no installation of Assize in this database\n')
    await other.close()
    expect((await drill()).err).toContain('the database cannot be reached')
    url = 'https://example.test'
    expect((await drill()).err).toBe(
      'assize: --database must be an address such as postgres://user@host:5432/database\n',
    )
  })

  test('refuses one with an older schema', async () => {
    const older: TestDatabase = await openTestDatabase()
    await older.owner`delete from migration where number = (select max(number) from migration)`
    url = urlOf(older.target)
    expect((await drill()).err).toContain('the database has an older schema than this program')
    await older.close()
  })
})

test('a drill is of one thing', async () => {
  const misuse = 'assize: name a file, or a restored database with --database\n'
  expect((await house.run(['backup', 'drill'])).err).toBe(misuse)
  expect((await house.run(['backup', 'drill', file, '--database', 'x'])).err).toBe(misuse)
  expect((await house.run(['backup', 'drill', file, '--revoke-keys'])).err).toBe(
    'assize: --revoke-keys goes with --database\n',
  )
})
