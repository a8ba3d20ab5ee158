// A set of backups as something to restore: all that the wanted state builds on is checked, byte by byte, before anything is written;
// then each table is filled from the last backup that has it whole and those after it.
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import type { Instant } from '../../core/time/instant.ts'
import type { Transaction } from '../postgres/database.ts'
import { hashTable, type TableShape } from '../upkeep/backup.ts'
import { damaged, type TableSummary } from '../upkeep/backup-format.ts'
import type { RestoreSource } from '../upkeep/restore.ts'
import { checkData, findRestorePoint, type RestorePoint } from './backup-set.ts'
import type { BackupStore } from './backup-store.ts'
import { type KeptManifest, manifestName, type StoredTable } from './manifest.ts'
import { type RolledForward, rollForward } from './roll-forward.ts'
import { type BackupFile, copyRows, stage } from './stored-rows.ts'

export interface SetSource extends RestoreSource {
  readonly point: RestorePoint
  /** Once it is restored; `null` where nothing was continued. */
  readonly rolled: () => RolledForward | null
}

/** `scratch`: a folder of ours for what has to be fetched. `until`: `null` for the newest. */
export async function openSet(store: BackupStore, until: Instant | null, scratch: string): Promise<SetSource> {
  const point = await findRestorePoint(store, until)
  const { chain, next } = point
  const files = new Map<KeptManifest, string>()
  for (const each of next === null ? chain : [...chain, next]) files.set(each, await fetchData(store, each, scratch))
  const last = chain.at(-1)!
  const { createdAt, migrations } = last
  let rolled: RolledForward | null = null
  return {
    point,
    rolled: () => rolled,
    where: store.where,
    header: { createdAt, migrations, secret: await readSecret(files.get(last)!, last) },
    load: (tx, shapes) =>
      load(
        tx,
        shapes,
        chain.map(each => ({ manifest: each, file: files.get(each)! })),
        store.where,
      ),
    ...(next === null || until === null
      ? {}
      : {
          async finish(tx, chainKey) {
            rolled = await rollForward(tx, { manifest: next, file: files.get(next)! }, until, chainKey)
          },
        }),
  }
}

async function fetchData(store: BackupStore, manifest: KeptManifest, scratch: string): Promise<string> {
  const { name } = manifest.data
  const path = store.pathOf(name)
  const fetched = path ?? join(scratch, name)
  await checkData(store, manifest, async body => {
    if (path === null) await pipeline(body, createWriteStream(fetched, { mode: 0o600 }))
    else for await (const _ of body);
  })
  return fetched
}

async function readSecret(file: string, { tables }: KeptManifest): Promise<string | null> {
  const chunks = await Array.fromAsync(createReadStream(file, { end: tables[0]!.offset - 1 }) as AsyncIterable<Buffer>)
  return (JSON.parse(gunzipSync(Buffer.concat(chunks)).toString('utf8')) as { secret: string | null }).secret
}

async function load(
  tx: Transaction,
  shapes: readonly TableShape[],
  chain: readonly BackupFile[],
  where: string,
): Promise<readonly TableSummary[]> {
  const summaries: TableSummary[] = []
  for (const shape of shapes) {
    const parts = chain.flatMap(backup => {
      const stored = backup.manifest.tables.find(({ table }) => table === shape.name)
      return stored === undefined ? [] : [{ backup, stored }]
    })
    const from = parts.findLastIndex(({ stored }) => stored.way === 'whole')
    for (const { backup, stored } of parts.slice(Math.max(0, from))) await loadPart(tx, backup, stored)
    const found = await hashTable(tx, shape)
    const said = parts.at(-1)
    if (said !== undefined && !isAsSaid(found, said.stored))
      throw damaged(
        where,
        `the table ${shape.name} came back as ${found.rows} rows that differ from the ${said.stored.total} that ${manifestName(said.backup.manifest.number)} names`,
      )
    summaries.push(found)
  }
  return summaries
}

function isAsSaid(found: TableSummary, { way, sha256, total }: StoredTable): boolean {
  return found.rows === total && (way !== 'whole' || found.sha256 === sha256)
}

async function loadPart(tx: Transaction, backup: BackupFile, stored: StoredTable): Promise<void> {
  if (stored.rows === 0) return
  if (stored.way !== 'added') return copyRows(tx, stored.table, backup, stored)
  const staged = await stage(tx, backup, stored)
  const columns = tx([...stored.columns])
  await tx`insert into ${tx(stored.table)} (${columns}) select ${columns} from ${tx(staged)} on conflict do nothing`
  await tx`drop table ${tx(staged)}`
}
