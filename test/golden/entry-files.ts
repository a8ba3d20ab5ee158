// The golden entries as files, and the same read from a database: every entry with what its hash covers, and how each log stands.
import { fileURLToPath } from 'node:url'
import { canonicalJson } from '../../src/core/text/canonical-json.ts'
import { loadChainPart } from '../../src/storage/log/chain-part.ts'
import { type Sql, withWorkspace } from '../../src/storage/postgres/database.ts'
import { type ChainReport, verifyAllChains } from '../../src/storage/upkeep/chain.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`./entries/${name}`, import.meta.url))
export const backupFile = fileOf('every-kind.backup')
export const entriesFile = fileOf('entries.jsonl')
export const reportsFile = fileOf('reports.json')

export interface GoldenEntry {
  readonly scope: string
  readonly seq: number
  readonly kind: string
  readonly subject: string
  readonly recordedAt: string
  readonly hash: string
  /** As canonical JSON; null for observations, whose rows are hashed in the database. */
  readonly content: string | null
}

/** By scope and number. */
export async function readEntries(owner: Sql): Promise<readonly GoldenEntry[]> {
  const subjects = await owner.begin(async tx => {
    await tx`select set_config('assize.workspace', '*', true)`
    return tx<{ scope: string; subject: string }[]>`select distinct scope, subject from publication`
  })
  const found: GoldenEntry[] = []
  for (const { scope, subject } of subjects)
    await withWorkspace(owner, scope, async tx => {
      for (const { contentHash, content, salt: _salt, ...entry } of (await loadChainPart(tx, scope, subject)).entries)
        found.push({ scope, ...entry, hash: contentHash, content: content === null ? null : canonicalJson(content) })
    })
  return found.sort((a, b) => (a.scope === b.scope ? a.seq - b.seq : a.scope < b.scope ? -1 : 1))
}

/** Of every log, as `verify --chain` finds it. */
export function readReports(owner: Sql): Promise<readonly ChainReport[]> {
  return verifyAllChains(owner)
}
