import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Account } from '../../src/storage/embedded/account.ts'
import { EmbeddedPostgres } from '../../src/storage/embedded/embedded.ts'
import { isServing, readPostmaster, stopPostmaster } from '../../src/storage/embedded/postmaster.ts'
import { openOwner } from '../../src/storage/postgres/database.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { someOf } from '../support/run/long-form.ts'
import { copyEmptyDatabase, copyInstallation } from '../support/run/prepared-folder.ts'
import { processesOf } from '../support/run/processes-of.ts'
import { startFile } from '../support/run/start-files.ts'

const program = startFile('embedded-user')

let folder: string
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'assize-embedded-')))
})
afterEach(async () => {
  await stopPostmaster(clusterOf(folder))
  await rm(folder, { recursive: true, force: true })
})

const clusterOf = (place: string) => ({
  dataFolder: join(place, 'database'),
  socketFolder: join(place, 'socket'),
  logFile: join(place, 'database.log'),
})

interface User {
  readonly process: ChildProcessWithoutNullStreams
  /** The server's id, as this user knows it. */
  readonly server: number
}

async function startUser(place: string, ...more: readonly string[]): Promise<User> {
  const child = spawn(process.execPath, [program, place, ...more], { stdio: 'pipe', detached: true })
  const problems: Buffer[] = []
  child.stderr.on('data', data => problems.push(data))
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(Buffer.concat(problems).toString()))),
  ])
  return { process: child, server: Number.parseInt(String(line).split(' ')[1]!, 10) }
}

async function leave({ process: child }: User): Promise<void> {
  const ended = once(child, 'exit')
  child.stdin.end()
  expect(await ended).toEqual([0, null])
}

async function kill({ process: child }: User): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const isRunning = (place: string) => {
  const found = readPostmaster(join(place, 'database'))
  return found !== null && isServing(found.pid, join(place, 'database'))
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 2000 && !(await condition()); i++) await new Promise(resolve => setTimeout(resolve, 5))
  expect(await condition()).toBe(true)
}

/** What a database is for: it keeps a number. */
async function count(embedded: EmbeddedPostgres): Promise<number> {
  const sql = openOwner({ endpoint: embedded.endpoint, database: 'postgres' }, { connections: 1 })
  try {
    await sql`create schema if not exists assize`
    await sql`create table if not exists kept (n integer)`
    await sql`insert into kept values (1)`
    const [row] = await sql<{ count: number }[]>`select count(*) from kept`
    return row!.count
  } finally {
    await sql.end()
  }
}

describe('the embedded database', () => {
  test('is created by one of several processes at once, shared by all, stopped by the last', async () => {
    const users = await Promise.all([startUser(folder), startUser(folder), startUser(folder)])
    expect(new Set(users.map(({ server }) => server)).size).toBe(1)
    await leave(users[0]!)
    expect(isRunning(folder)).toBe(true)
    await leave(users[1]!)
    expect(isRunning(folder)).toBe(true)
    await leave(users[2]!)
    expect(isRunning(folder)).toBe(false)
  })

  test('keeps what was in it when it starts again, and keeps its secrets to itself', async () => {
    await copyEmptyDatabase(folder)
    const first = await EmbeddedPostgres.attach(folder)
    expect(await count(first)).toBe(1)
    await first.release()
    await first.release()
    const second = await EmbeddedPostgres.attach(folder)
    expect(await count(second)).toBe(2)
    expect((await stat(join(folder, 'database-password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'database'))).mode & 0o777).toBe(0o700)
    await second.release()
  })

  test('survives the kill -9 of the process that started it, and stops with the next one that leaves', async () => {
    await copyInstallation(folder)
    const starter = await startUser(folder)
    const other = await startUser(folder)
    await kill(starter)
    expect(isRunning(folder)).toBe(true)
    const third = await startUser(folder)
    expect(third.server).toBe(starter.server)
    await leave(other)
    expect(isRunning(folder)).toBe(true)
    await leave(third)
    expect(isRunning(folder)).toBe(false)
  })

  test('is taken over when all processes were killed', async () => {
    await copyInstallation(folder)
    const users = [await startUser(folder), await startUser(folder)]
    await Promise.all(users.map(kill))
    expect(isRunning(folder)).toBe(true)
    const next = await startUser(folder)
    expect(next.server).toBe(users[0]!.server)
    await leave(next)
    expect(isRunning(folder)).toBe(false)
  })

  test('comes back after its own kill -9, with everything that was committed', async () => {
    await copyInstallation(folder)
    const first = await EmbeddedPostgres.attach(folder)
    await count(first)
    process.kill(first.pid, 'SIGKILL')
    await until(() => !isRunning(folder))
    const other = await startUser(folder)
    expect(other.server).not.toBe(first.pid)
    await first.ensureRunning()
    expect(first.pid).toBe(other.server)
    expect(await count(first)).toBe(2)
    await leave(other)
    expect(isRunning(folder)).toBe(true)
    await first.release()
    expect(isRunning(folder)).toBe(false)
  })

  test('reads the settings of postgresql.local.conf in the data folder, but not what would lose a commit', async () => {
    await copyEmptyDatabase(folder)
    await writeFile(join(folder, 'postgresql.local.conf'), "archive_timeout = '61s'\nfsync = off\n")
    for (let start = 0; start < 2; start++) {
      const database = await EmbeddedPostgres.attach(folder)
      const sql = openOwner({ endpoint: database.endpoint, database: 'postgres' })
      const shown = await sql<{ name: string; setting: string }[]>`
        select name, setting from pg_settings where name in ('archive_timeout', 'fsync') order by name`
      expect(shown.map(({ setting }) => setting)).toEqual(['61', 'on'])
      await sql.end({ timeout: 5 })
      await database.release()
    }
    const included = await readFile(join(folder, 'database', 'postgresql.conf'), 'utf8')
    expect(included.match(/postgresql\.local\.conf/g)).toHaveLength(1)
  })

  test('is not fooled by a leftover whose number now belongs to another process', async () => {
    await copyInstallation(folder)
    const first = await EmbeddedPostgres.attach(folder)
    await count(first)
    const pidFile = join(folder, 'database', 'postmaster.pid')
    const left = await readFile(pidFile, 'utf8')
    process.kill(first.pid, 'SIGKILL')
    await until(() => !isRunning(folder))
    await writeFile(pidFile, left.replace(/^\d+/, String(process.pid)))
    await first.ensureRunning()
    expect(await count(first)).toBe(2)
    await first.release()
  })

  test('is told to stop by a process that ends without leaving', async () => {
    await copyInstallation(folder)
    const script = startUser(folder, 'exit')
    const { process: child } = await script
    await once(child, 'exit').catch(() => {})
    await until(() => !isRunning(folder))
    const next = await startUser(folder)
    await leave(next)
  })

  test('runs in a session of its own: Ctrl-C for its starter’s group does not reach it', async () => {
    await copyInstallation(folder)
    const starter = await startUser(folder)
    const other = await startUser(folder)
    const ended = once(starter.process, 'exit')
    process.kill(-starter.process.pid!, 'SIGINT')
    expect(await ended).toEqual([130, null])
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(isRunning(folder)).toBe(true)
    await leave(other)
    expect(isRunning(folder)).toBe(false)
  })

  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const
  test.each(someOf('stops', 'signals that end the processes of an embedded database', signals, { oneIn: 3, from: 2 }))(
    'is told to stop by processes that %s ends, all at once',
    async (signal, status) => {
      await copyInstallation(folder)
      const users = [await startUser(folder), await startUser(folder)]
      const ended = users.map(user => once(user.process, 'exit'))
      for (const user of users) user.process.kill(signal)
      expect(await Promise.all(ended)).toEqual([
        [status, null],
        [status, null],
      ])
      await until(() => !isRunning(folder))
    },
  )

  test.runIf(process.platform === 'linux')(
    'is not left behind by a process that is ended while it starts it',
    async () => {
      await copyInstallation(folder)
      for (const waitMs of someOf('stops', 'moments at which a process that starts one is ended', [0, 5, 10, 20, 40], {
        oneIn: 2,
      })) {
        // Its input stays open: otherwise it would leave by itself, perhaps before it is ended.
        const starter = spawn(process.execPath, [program, folder], {
          stdio: ['pipe', 'ignore', 'ignore'],
          detached: true,
        })
        const ended = once(starter, 'exit')
        // Seen once is enough: a helper that prepares the folder may be gone a moment later.
        await expect.poll(() => processesOf(join(folder, 'database')), { interval: 5 }).not.toEqual([])
        await new Promise(resolve => setTimeout(resolve, waitMs))
        starter.kill('SIGTERM')
        expect(await ended).toEqual([143, null])
        await until(async () => (await processesOf(join(folder, 'database'))).length === 0)
      }
    },
  )

  test('discards a set-up that was killed half-way', async () => {
    await mkdir(join(folder, 'socket', 'unfinished', 'base'), { recursive: true })
    await writeFile(join(folder, 'socket', 'unfinished', 'base', 'half'), 'x')
    const embedded = await EmbeddedPostgres.attach(folder)
    expect(await count(embedded)).toBe(1)
    await embedded.release()
  })
})

describe('the folder', () => {
  test('may be one that only its owner can enter', async () => {
    const closed = join(folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    await chmod(folder, 0o700)
    const embedded = await EmbeddedPostgres.attach(join(closed, 'data'))
    expect(await count(embedded)).toBe(1)
    await embedded.release()
  })

  test('may have a path longer than a socket’s, with spaces and quotes in it: then it listens on 127.0.0.1', async () => {
    const long = join(folder, 'a "quoted", and rather long name of a folder'.repeat(3), 'data')
    await copyEmptyDatabase(long)
    const first = await EmbeddedPostgres.attach(long)
    expect(first.endpoint.host).toBe('127.0.0.1')
    const { port } = first.endpoint
    expect(await count(first)).toBe(1)
    process.kill(first.pid, 'SIGKILL')
    await until(() => !isRunning(long))
    await first.ensureRunning()
    expect(first.endpoint.port).toBe(port)
    expect(await count(first)).toBe(2)
    await first.release()
  })

  test('may have spaces, commas and quotes in its name', async () => {
    const odd = join(folder, 'a "b", c')
    const embedded = await EmbeddedPostgres.attach(odd)
    expect(embedded.endpoint.host).toBe(join(odd, 'socket'))
    expect(await count(embedded)).toBe(1)
    await embedded.release()
  })
})

// The second way for root: where user namespaces are not allowed, as in many containers.
describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')('as root without user namespaces', () => {
  const nobody: Account = { kind: 'other', uid: 65_534, gid: 65_534 }

  test('another account runs it, its programs copied to where it can read them, and root’s files stay root’s', async () => {
    await chmod(folder, 0o711)
    const data = join(folder, 'data')
    const embedded = await EmbeddedPostgres.attach(data, nobody)
    expect(await count(embedded)).toBe(1)
    expect((await stat(`/proc/${embedded.pid}`)).uid).toBe(nobody.uid)
    expect((await stat(join(data, 'database-password'))).uid).toBe(0)
    await embedded.release()
    // And back: the files change their owner.
    const again = await EmbeddedPostgres.attach(data)
    expect(await count(again)).toBe(2)
    await again.release()
  })

  test('a folder that account cannot enter is refused in a sentence that says what to do', async () => {
    await chmod(folder, 0o700)
    const attempt = EmbeddedPostgres.attach(join(folder, 'data'), nobody)
    await expect(attempt).rejects.toThrow(/may not enter .*assize-embedded-.*: set ASSIZE_DATA .*DATABASE_URL/)
  })
})

describe('an installation', () => {
  test('opens, migrates, keeps its secret, and refuses another one', async () => {
    const options = { dataFolder: folder, databaseUrl: null, secrets: null }
    const first = await Installation.open(options)
    expect(first.migrated.length).toBeGreaterThan(3)
    expect((await stat(join(folder, 'secret'))).mode & 0o777).toBe(0o600)
    const second = await Installation.open(options)
    expect(second.migrated).toEqual([])
    expect(second.ring.secrets).toEqual(first.ring.secrets)
    await second.close()
    await expect(Installation.open({ ...options, secrets: ['x'.repeat(40)] })).rejects.toThrow(
      'ASSIZE_SECRET is not the one',
    )
    await first.close()
    expect(isRunning(folder)).toBe(false)
  })

  test('says in one line that a database cannot be reached', async () => {
    const url = 'postgres://nobody:secret@127.0.0.1:1/none'
    const attempt = Installation.open({ dataFolder: folder, databaseUrl: url, secrets: ['x'.repeat(40)] })
    await expect(attempt).rejects.toThrow('the database cannot be reached')
    await expect(attempt).rejects.not.toThrow('secret')
  })
})
