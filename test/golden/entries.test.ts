// Entries that were recorded once must verify forever, byte for byte: a backup with at least one of every kind, and beside it
// what the hash of each of them covers, as text.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/text/canonical-json.ts'
import { readChainPart } from '../../src/storage/log/chain-part.ts'
import { findChangedEntries } from '../../src/storage/log/changed-entries.ts'
import { rowSealsOf } from '../../src/storage/log/row-seals.ts'
import { readPeopleEvents } from '../../src/storage/people/people-events.ts'
import { openOwner, type Sql, withWorkspace } from '../../src/storage/postgres/database.ts'
import { backupFormat, readFrames, withChecksum, writeFrame } from '../../src/storage/upkeep/backup-format.ts'
import { verifyAllChains } from '../../src/storage/upkeep/chain.ts'
import { readMigrations } from '../../src/storage/upkeep/migrate.ts'
import { restoreBackup } from '../../src/storage/upkeep/restore.ts'
import { openBareDatabase, type TestDatabase, testSecret } from '../support/run/postgres.ts'

interface GoldenEntry {
  readonly scope: string
  readonly seq: number
  readonly kind: string
  readonly subject: string
  readonly recordedAt: string
  readonly hash: string
  /** As canonical JSON; null for observations, whose rows are hashed in the database. */
  readonly content: string | null
}

const fileOf = (name: string) => fileURLToPath(new URL(`./entries/${name}`, import.meta.url))
const golden = readFileSync(fileOf('entries.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as GoldenEntry)
const workspace = 'wsp_01m7nd3a5gfsx8xrybeg5vgnf9'

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
  await writeFile(file, await Array.fromAsync(withChecksum(underTodaysSchema(fileOf('every-kind.backup')))))
  await restoreBackup(owner, file, testSecret).finally(() => rm(folder, { recursive: true }))
})
afterAll(async () => {
  await owner.end()
  await bare.close()
})

describe('the golden entries', () => {
  test('are of every kind there was when they were recorded', () => {
    expect([...new Set(golden.map(({ kind }) => kind))].sort()).toEqual([
      'clock',
      'correction',
      'correction-note',
      'correction-refusal',
      'correction-signature',
      'follow',
      'formula',
      'installation',
      'invoice',
      'metadata',
      'objection',
      'objection-answer',
      'observations',
      'pam',
      'party',
      'party-member',
      'people',
      'price-list',
      'quantity',
      'receipt',
      'sign-off',
      'signature',
      'unit',
      'upload',
      'workspace',
    ])
  })

  test('verify, with their trees, their seals and the log of who has access', async () => {
    const reports = await verifyAllChains(owner)
    expect(reports.map(({ redacted: _redacted, root: _root, held: _held, ...report }) => report)).toEqual([
      {
        scope: 'accounts',
        publications: 0,
        entries: 0,
        accessHead: 'b8c82fac91a0583c7f31b30c9af95b71f51184547a06925e5d568a6259b6def3',
        problem: null,
      },
      {
        scope: 'public',
        publications: 3,
        entries: 0,
        accessHead: null,
        problem: null,
      },
      {
        scope: workspace,
        publications: 34,
        entries: 7,
        accessHead: '451ae4e1056c860e15ea6fd203c2d9bd6d9907ebe77ad0d5a68c4ddef7488385',
        problem: null,
      },
    ])
    for (const scope of ['public', workspace]) expect(await findChangedEntries(owner, scope)).toEqual([])
  })

  test('have the content that was hashed, byte for byte', async () => {
    const found: GoldenEntry[] = []
    for (const scope of ['public', workspace])
      await withWorkspace(owner, scope, async tx => {
        const own = golden.filter(each => each.scope === scope)
        for (const subject of new Set(own.map(each => each.subject)))
          for (const { contentHash, content, ...entry } of (await readChainPart(tx, scope, subject)).entries)
            found.push({
              scope,
              ...entry,
              hash: contentHash,
              content: content === null ? null : canonicalJson(content),
            })
      })
    expect(found.filter(({ content }) => content === null).every(({ kind }) => kind === 'observations')).toBe(true)
    const inOrder = found.sort((a, b) => (a.scope === b.scope ? a.seq - b.seq : a.scope < b.scope ? -1 : 1))
    expect(inOrder).toEqual(golden)
  })

  test('about people carry their seals', async () => {
    const events = await withWorkspace(owner, workspace, tx =>
      readPeopleEvents(tx, workspace, { party: 'steelworks' }, rowSealsOf(tx)),
    )
    expect(events).toMatchObject([{ kind: 'INVITED', email: 'sam@supplier.test', by: 'ann@buyer.test' }])
  })
})
