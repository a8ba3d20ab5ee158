// Entries that were recorded once must verify forever, byte for byte: a backup with at least one of every kind, and beside it
// what the hash of each of them covers, as text. write-entries.ts makes them.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChangedEntries } from '../../src/storage/log/changed-entries.ts'
import { allEntryKinds } from '../../src/storage/log/entry-kinds.ts'
import { rowSealsOf } from '../../src/storage/log/row-seals.ts'
import { loadPeopleEvents } from '../../src/storage/people/people-events.ts'
import { openOwner, type Sql, withWorkspace } from '../../src/storage/postgres/database.ts'
import { backupFormat, readFrames, withChecksum, writeFrame } from '../../src/storage/upkeep/backup-format.ts'
import { readMigrations } from '../../src/storage/upkeep/migrate.ts'
import { restoreBackup } from '../../src/storage/upkeep/restore.ts'
import { makeTestRing, openBareDatabase, type TestDatabase } from '../support/run/postgres.ts'
import { backupFile, entriesFile, type GoldenEntry, readEntries, readReports, reportsFile } from './entry-files.ts'

const golden = readFileSync(entriesFile, 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as GoldenEntry)
const workspace = golden.find(({ scope }) => scope !== 'public')!.scope

/** The rows as they were written, for the schema as it is: until 0.1.0 its files are edited where they are. */
async function* underTodaysSchema(file: string): AsyncGenerator<Buffer> {
  const migrations = (await readMigrations()).map(({ number, name, checksum }) => ({ number, name, checksum }))
  const frames: Buffer[] = []
  for await (const frame of readFrames(file))
    frames.push(
      writeFrame(
        frame.kind === 'header'
          ? { kind: 'header', header: { ...frame.header, format: backupFormat, migrations } }
          : frame,
      ),
    )
  yield gzipSync(Buffer.concat(frames))
}

let bare: Pick<TestDatabase, 'target' | 'close'>
let owner: Sql
beforeAll(async () => {
  bare = await openBareDatabase()
  owner = openOwner(bare.target)
  const folder = await mkdtemp(join(tmpdir(), 'assize-golden-'))
  const file = join(folder, 'every-kind.backup')
  await writeFile(file, await Array.fromAsync(withChecksum(underTodaysSchema(backupFile))))
  await restoreBackup(owner, file, makeTestRing()).finally(() => rm(folder, { recursive: true }))
})
afterAll(async () => {
  await owner.end()
  await bare.close()
})

describe('the golden entries', () => {
  test('are of every kind', () => {
    expect([...new Set(golden.map(({ kind }) => kind))].sort()).toEqual(allEntryKinds.toSorted())
  })

  test('verify, with their trees, their seals and the access log', async () => {
    const reports = await readReports(owner)
    expect(reports.map(({ problem }) => problem)).toEqual([null, null, null])
    expect(JSON.parse(JSON.stringify(reports))).toEqual(JSON.parse(readFileSync(reportsFile, 'utf8')))
    for (const scope of ['public', workspace]) expect(await findChangedEntries(owner, scope)).toEqual([])
  })

  test('have the content that was hashed, byte for byte', async () => {
    expect(golden.filter(({ content }) => content === null).every(({ kind }) => kind === 'observations')).toBe(true)
    expect(await readEntries(owner)).toEqual(golden)
  })

  test('about people carry their seals', async () => {
    const events = await withWorkspace(owner, workspace, tx =>
      loadPeopleEvents(tx, workspace, { party: 'steelworks' }, rowSealsOf(tx)),
    )
    expect(events).toMatchObject([{ kind: 'INVITED', email: 'sam@supplier.test', by: 'ann@buyer.test' }])
  })
})
