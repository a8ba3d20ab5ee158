// The operator rewrites history with everything there is to rewrite it with: the database, the secret, and so every hash,
// head and signature of our own. Each way must be found by slips and checkpoints that somebody else kept. Everything happens in
// transactions that are rolled back.

import { formatCheckpoint } from '../../src/core/proof/checkpoint.ts'
import { appendLeaf, emptyFrontier, rootOf } from '../../src/core/proof/frontier.ts'
import { formatHead } from '../../src/core/proof/log-head.ts'
import { leafHash } from '../../src/core/proof/merkle-hash.ts'
import { signNote } from '../../src/core/proof/note-signature.ts'
import { formatNote } from '../../src/core/proof/signed-note.ts'
import { loadFactsOf } from '../../src/storage/log/chain-contents.ts'
import { makeHead } from '../../src/storage/log/scope-head.ts'
import type { Sql, Transaction } from '../../src/storage/postgres/database.ts'
import { loadCheckpointFile, loadTileFile } from '../../src/storage/proof/log-files.ts'
import type { LogKeys } from '../../src/storage/proof/log-keys.ts'
import { appendLog, beginLog, loadLastLeaves, logScope, originOf } from '../../src/storage/proof/log-state.ts'
import { scopeTiles } from '../../src/storage/proof/scope-tree.ts'
import { makeSlipsIn, rememberTiles } from '../../src/storage/proof/slips.ts'
import { tilesOf } from '../../src/storage/trees/stored-tiles.ts'
import { endOf, type TreeEnd } from '../../src/storage/trees/tree-growth.ts'
import { audit, type Kept, type Member, type Server } from '../support/proof/auditor.ts'
import { foldInstants } from '../support/proof/scope-instants.ts'

/** `$w` is the workspace. What is hashed again afterwards need not be said. */
const ways: Readonly<Record<string, string>> = {
  'a value': `update vintage set value = '7' where ctid = (select min(ctid) from vintage where owner = $w)`,
  'a tag': `update vintage set tag = 'REVISED' where owner = $w`,
  'a flag': `update vintage set flag = 'e' where owner = $w`,
  'the time of a publication': `update vintage set published_at = published_at - interval '3 days' where owner = $w`,
  'the period of a value': `update vintage set period = period + 12 where owner = $w`,
  'the instants of everything': `update vintage set recorded_at = recorded_at - interval '1 day' where owner = $w;
    update sign_off set signed_at = signed_at - interval '1 day' where workspace_id = $w;
    update publication set recorded_at = recorded_at - interval '1 day' where scope = $w`,
  'the order of two entries': `update publication set seq = 100000 where scope = $w and seq = 1;
    update publication set seq = 1 where scope = $w and seq = 2;
    update publication set seq = 2 where scope = $w and seq = 100000`,
  'the last 10 entries left out': `delete from publication where scope = $w
    and seq > (select max(seq) - 10 from publication where scope = $w)`,
  'the first entry left out': `delete from publication where scope = $w and seq = 1`,
  'an entry put in': `update publication set seq = seq + 100001 where scope = $w and seq > 3;
    update publication set seq = seq - 100000 where scope = $w and seq > 100000;
    insert into publication (scope, seq, recorded_at, kind, subject, content_hash)
    select scope, 4, recorded_at, kind, subject, sha256('forged') from publication where scope = $w and seq = 3`,
  'two signatures swapped': `update sign_off s set signing_id = o.signing_id from sign_off o
    where s.workspace_id = $w and o.workspace_id = $w and o.period = s.period and o.party <> s.party`,
  'who signed': `update sign_off set signed_by = 'eve@evil.test' where workspace_id = $w and party = 'buyer'`,
  'what was signed': `update sign_off set receipt_hash = encode(sha256('other'), 'hex') where workspace_id = $w`,
  'a signature left out': `delete from publication where scope = $w
    and seq = (select max(seq) from sign_off where workspace_id = $w)`,
  'the text of a document': `update formula set document_text = replace(document_text, '0', '1') where workspace_id = $w`,
  'the text of a receipt': `update signed_receipt set receipt = replace(receipt, '1', '2') where workspace_id = $w`,
  'the name of an agreement': `update agreement_state set name = 'another' where workspace_id = $w`,
  'a whole workspace, with nothing changed but its salts': `update publication set salt = substring(sha256(salt) for 16)
    where scope = $w and salt is not null`,
}

export const rewrites = Object.keys(ways)

/** What the operator does about the public log. */
export const strategies = [
  'signs everything again',
  'puts the new tree under the next head',
  'shows it to one of two',
] as const

interface Ground {
  readonly owner: Sql
  readonly keys: LogKeys
  readonly scope: string
}

/** Null where it was not found. */
export async function findRewrite(
  ground: Ground,
  way: string,
  strategy: (typeof strategies)[number],
  kept: Kept,
): Promise<string | null> {
  const { owner, keys, scope } = ground
  let found: string | null = null
  let shown: Kept | null = null
  await owner
    .begin(async tx => {
      await tx`set local session_replication_role = replica`
      await tx.unsafe(ways[way]!.replaceAll('$w', `'${scope}'`))
      const tree = await hashAgain(tx, keys, scope)
      if (strategy === 'puts the new tree under the next head') await putUnderNextHead(tx, keys, scope, tree)
      else await signAgain(tx, keys, scope, tree)
      if (strategy === 'shows it to one of two') shown = await keepFrom(tx, ground, kept)
      else found = await audit(kept, await serverIn(tx, ground))
      throw undone
    })
    .catch(error => {
      if (error !== undone) throw error
    })
  // The other one has seen what was there all the time.
  return shown === null ? found : owner.begin(async tx => audit(shown!, await serverIn(tx, ground)))
}

const undone = new Error('rolled back')

export function auditNow(ground: Ground, kept: Kept): Promise<string | null> {
  return ground.owner.begin(async tx => audit(kept, await serverIn(tx, ground)))
}

/** What the party to whom it is shown keeps. */
async function keepFrom(tx: Transaction, ground: Ground, { key, slips }: Kept): Promise<Kept> {
  const server = await serverIn(tx, ground)
  const seqs = slips.map(slip => Number(/^entry (\d+)/m.exec(extraOf(slip))![1]))
  const own = await Promise.all(seqs.map(seq => server.slip(seq).catch(() => null)))
  return { key, slips: own.filter(slip => slip !== null), checkpoints: [await server.checkpoint()] }
}

function extraOf(slip: string): string {
  return Buffer.from(/^extra (.*)$/m.exec(slip)![1]!, 'base64').toString()
}

async function serverIn(tx: Transaction, ground: Ground): Promise<Server> {
  return { ...(await logIn(tx)), ...(await memberIn(tx, ground)) }
}

/** What is public. */
export async function logIn(tx: Transaction): Promise<Omit<Server, keyof Member>> {
  const [log] = await tx<{ size: number }[]>`select size from log_state`
  return {
    checkpoint: async () => (await loadCheckpointFile(tx))!,
    readTiles: rememberTiles(tilesOf(tx, logScope, log!.size, count => loadLastLeaves(tx, log!.size, count))),
    entries: async (index, width) => (await loadTileFile(tx, { level: 'entries', index, width }))!,
  }
}

export async function memberIn(tx: Transaction, { keys, scope }: Omit<Ground, 'owner'>): Promise<Member> {
  const [clock] = await tx<{ seq: number; size: number; edge: Buffer }[]>`
    select seq, tree_size as size, tree_edge as edge from scope_clock where scope = ${scope}`
  const { seq, size, edge } = clock!
  const slips = new Map<number, Promise<string>>()
  const makeSlip = async (number: number) =>
    (await makeSlipsIn(tx, keys, scope, [{ seq: number, hasContent: true }]))[0]!
  return {
    slip: number => slips.getOrInsertComputed(number, makeSlip),
    scopeTiles: rememberTiles(scopeTiles(tx, { scope, seq, tree: { size, edge } })),
  }
}

interface Line {
  readonly seq: number
  readonly line: string
}

/** Contents, tree and head, as if it had always been so. */
async function hashAgain(tx: Transaction, { ring }: LogKeys, scope: string): Promise<readonly Line[]> {
  await tx`
    update publication p set content_hash = v.hash from (
      select owner, seq, sha256(convert_to(string_agg(observation_line(period, nullif(published_at, recorded_at), value, tag,
        flag), chr(10) order by period, published_at), 'UTF8')) as hash
      from vintage where owner = ${scope} group by owner, seq) v
    where p.scope = v.owner and p.seq = v.seq and p.kind = 'observations'`
  const salts = await tx<
    { seq: number; salt: Buffer | null }[]
  >`select seq, salt from publication where scope = ${scope}`
  const saltOf = new Map(salts.map(({ seq, salt }) => [seq, salt]))
  for (const [seq, [found]] of await loadFactsOf(tx, scope, number => saltOf.get(number) ?? null))
    if (found?.hash != null)
      await tx`update publication set content_hash = ${found.hash} where scope = ${scope} and seq = ${seq}`
  const lines = await tx<Line[]>`
    select seq, seq || '|' || kind || '|' || subject || '|' || encode(content_hash, 'hex') as line
    from publication where scope = ${scope} order by seq`
  const seq = lines.at(-1)!.seq
  const tree = treeOf(lines)
  const instants = await foldInstants(tx, scope)
  await tx`
    update scope_clock set seq = ${seq}, covered_seq = ${seq}, instants = ${instants}, tree_size = ${tree.size},
      tree_edge = ${tree.edge}, head = ${makeHead(ring, { scope, seq, tree, instants })} where scope = ${scope}`
  return lines
}

function treeOf(lines: readonly Pick<Line, 'line'>[]): TreeEnd {
  return endOf(lines.map(({ line }) => leafHash(Buffer.from(line))).reduce(appendLeaf, emptyFrontier))
}

function rootOfLines(lines: readonly Line[], size: number): Buffer {
  const leaves = lines.slice(0, size).map(({ line }) => leafHash(Buffer.from(line)))
  return Buffer.from(rootOf(leaves.reduce(appendLeaf, emptyFrontier)))
}

/** The public log from its beginning, with the heads that the scope would have had. */
async function signAgain(tx: Transaction, keys: LogKeys, scope: string, lines: readonly Line[]): Promise<void> {
  const state = (await beginLog(tx, keys.ring))!
  const all = await tx<{ entry: string; scope: string | null; k: number; size: number; root: Buffer }[]>`
    select l.entry, h.scope, h.k, h.size, h.root from log_leaf l left join log_head h on h.leaf = l.number order by l.number`
  const others = all.filter(each => each.scope !== scope || each.size <= lines.length)
  const isEnough = others.some(each => each.scope === scope && each.size === lines.length)
  const k = others.filter(each => each.scope === scope).length + 1
  const heads = isEnough ? others : [...others, { entry: '', scope, k, size: lines.length, root: Buffer.alloc(0) }]
  for (const table of ['log_head', 'log_leaf', 'log_checkpoint']) await tx.unsafe(`delete from ${table}`)
  await tx`update log_state set size = 0`
  const leaves = heads.map(each => {
    if (each.scope !== scope)
      return { entry: each.entry, head: each.scope === null ? null : { ...each, scope: each.scope } }
    const head = { scope, k: each.k, size: each.size, root: rootOfLines(lines, each.size) }
    return { entry: formatHead(keys.scopeSecret(scope), head), head }
  })
  await append(tx, keys, state, leaves, [])
}

/** What was signed stays as it is, and the next head is of another tree. */
async function putUnderNextHead(tx: Transaction, keys: LogKeys, scope: string, lines: readonly Line[]): Promise<void> {
  const state = (await beginLog(tx, keys.ring))!
  const [last] = await tx<{ k: number }[]>`select max(k) as k from log_head where scope = ${scope}`
  const before = await tx<{ hash: Buffer }[]>`select hash from log_leaf order by number`
  const head = { scope, k: last!.k + 1, size: lines.length, root: rootOfLines(lines, lines.length) }
  await append(
    tx,
    keys,
    state,
    [{ entry: formatHead(keys.scopeSecret(scope), head), head }],
    before.map(({ hash }) => hash),
  )
}

interface Leaf {
  readonly entry: string
  readonly head: { readonly scope: string; readonly k: number; readonly size: number; readonly root: Buffer } | null
}

async function append(
  tx: Transaction,
  keys: LogKeys,
  state: NonNullable<Awaited<ReturnType<typeof beginLog>>>,
  added: readonly Leaf[],
  before: readonly Buffer[],
): Promise<void> {
  const leaves = added.map(each => ({ ...each, hash: leafHash(Buffer.from(each.entry)) }))
  const frontier = [...before, ...leaves.map(({ hash }) => hash)].reduce(appendLeaf, emptyFrontier)
  await appendLog(tx, keys.ring, leaves, { ...state, tree: endOf(frontier) })
  const root = Buffer.from(rootOf(frontier))
  const origin = originOf(state)
  const text = formatCheckpoint({ origin, size: frontier.size, root, extensions: [] })
  const note = formatNote({ text, signatures: [signNote(keys.signerOf(origin), text, 0)] })
  await tx`insert into log_checkpoint (origin, size, root, note, made_at)
    values (${origin}, ${frontier.size}, ${root}, ${note}, clock_timestamp())`
}
