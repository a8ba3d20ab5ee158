// A real PostgreSQL that ends and comes back as a standby, in recovery: nothing is answered from it or from memory, and everything again
// once it is promoted.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { EmbeddedPostgres } from '../../src/storage/embedded/embedded.ts'
import { stopPostmaster } from '../../src/storage/embedded/postmaster.ts'
import { withRing } from '../../src/storage/log/secret-check.ts'
import { openOwner } from '../../src/storage/postgres/database.ts'
import { Installation } from '../../src/storage/upkeep/installation.ts'
import { makeTestRing, openApi, testSecret } from '../support/houses/api.ts'

/** Longer than what is in memory counts without a heartbeat. */
const watchedMs = 4_000
const patiently = { timeout: 60_000, interval: 250 }

test('a server in recovery is left: 503, until it is the primary', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assize-standby-'))
  const embedded = await EmbeddedPostgres.attach(folder)
  const { host, port, user, password } = embedded.endpoint
  const login = `${user}:${encodeURIComponent(password)}`
  const addressOf = (database: string) => `postgres://${login}@${encodeURIComponent(host)}:${port}/${database}`
  /** By the driver alone. */
  const askServer = async (text: string) => {
    const client = new pg.Client({ host, port, user, password, database: 'postgres' })
    client.on('error', () => {})
    await client.connect()
    return client.query(text).finally(() => client.end())
  }
  await askServer('create database assize')
  const url = addressOf('assize')
  await (await Installation.open({ dataFolder: folder, databaseUrl: url, secrets: [testSecret] })).close()
  const target = withRing({ url }, makeTestRing())
  const owner = openOwner(target)
  const api = await openApi({ target, owner, close: () => owner.end() })
  try {
    const tenant = await api.tenant()
    await tenant.importValues('CUSTOM/a', { '2024': '1' })
    const id = await tenant.seriesId('CUSTOM/a')
    const ask = async () => (await tenant.get(`/series/${id}/values`)).status
    expect(await ask()).toBe(200)

    const dataFolder = join(embedded.folder, 'database')
    await stopPostmaster({
      dataFolder,
      socketFolder: join(embedded.folder, 'socket'),
      logFile: join(embedded.folder, 'database.log'),
    })
    await writeFile(join(dataFolder, 'standby.signal'), '')
    // It waits for a primary.
    const promoted = embedded.ensureRunning()
    const isInRecovery = () =>
      askServer('select pg_is_in_recovery() as is').then(
        ({ rows }) => rows[0].is,
        () => null,
      )
    await expect.poll(isInRecovery, patiently).toBe(true)
    const statuses: number[] = []
    for (const end = performance.now() + watchedMs; performance.now() < end; await sleep(100))
      statuses.push(await ask(), (await api.ask('/ready')).status)
    expect(new Set(statuses)).toEqual(new Set([503]))
    await expect
      .poll(() => api.log.filter(line => line.includes('this database is a standby')).length)
      .toBeGreaterThan(0)
    await expect(owner`select 1`.execute()).rejects.toMatchObject({ code: 'STANDBY' })

    await askServer('select pg_promote()')
    await promoted
    await expect.poll(ask, patiently).toBe(200)
    await tenant.importValues('CUSTOM/a', { '2025': '2' })
    const { text } = await tenant.get(`/series/${id}/values`)
    expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(2)
  } finally {
    await api.close()
    await embedded.release()
    await rm(folder, { recursive: true, force: true })
  }
})
