// What the trees of the log cost: publishing with them and without, a proof among a million entries, and a slip. In an embedded
// database of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proveInclusion } from '../src/core/proof/merkle-proof.ts'
import { appending } from '../src/storage/log/append.ts'
import { loadLastLeaves } from '../src/storage/log/scope-head.ts'
import type { Sql } from '../src/storage/postgres/database.ts'
import { withWorkspace } from '../src/storage/postgres/database.ts'
import { makeIdentifier } from '../src/storage/postgres/identifier.ts'
import { LogKeys } from '../src/storage/proof/log-keys.ts'
import { NewestCheckpoint } from '../src/storage/proof/newest-checkpoint.ts'
import { PublicLog } from '../src/storage/proof/public-log.ts'
import { scopeTiles } from '../src/storage/proof/scope-tree.ts'
import { makeSlips } from '../src/storage/proof/slips.ts'
import { createSeries } from '../src/storage/series/own-series.ts'
import { growTree, type TreeEnd } from '../src/storage/trees/tree-growth.ts'
import { Installation } from '../src/storage/upkeep/installation.ts'
import { createWorkspace } from '../src/storage/workspaces/workspaces.ts'
import { type SlowCall, slowMs, watchSlowCalls } from './proof/slow-calls.ts'
import { measureTenYears } from './proof/ten-years.ts'
import { printTable } from './table.ts'

const entries = 1_000_000
const pieces = 100
const publications = 2_000
const proofs = 500

export async function benchProof(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  const installation = await Installation.open({ dataFolder: join(folder, 'data'), databaseUrl: null, secrets: null })
  try {
    const { sql, owner, ring } = installation
    const { id: scope } = await createWorkspace(owner, { slug: 'bench' })
    await fill(sql, scope)
    const publishing = await measurePublishing(installation, scope)
    const keys = new LogKeys(ring)
    const kept = new NewestCheckpoint(join(folder, 'data'))
    const log = new PublicLog({ sql, keys, name: 'assize/bench', kept, report: problem => console.error(problem) })
    await log.advance(scope)
    const proving = await measureProofs(sql, scope)
    const slip = await eachMs(proofs, i => makeSlips(sql, keys, scope, [{ seq: placeOf(i) + 1, hasContent: false }]))
    const signed = await eachMs(100, async () => {
      await publishOne(sql, scope)
      await log.advance(scope)
    })
    const { slow } = publishing
    const share = (isCounted: (ms: number) => boolean) =>
      `${((100 * sum(publishing.tree.filter(isCounted))) / sum(publishing.whole.filter(isCounted))).toFixed(1)} %`
    printTable(
      ['what', 'median ms', '99th ms'],
      [
        ['publishing one entry, with its tree', ...cells(publishing.whole)],
        [`  of it the tree, ${share(() => true)} of all`, ...cells(publishing.tree)],
        [`an inclusion proof among ${entries.toLocaleString('en')} entries`, ...cells(proving)],
        ['a slip', ...cells(slip)],
        ['an entry, its head and a signed checkpoint', ...cells(signed)],
      ],
    )
    if (slow.length > 0) {
      // A few pauses of the machine weigh more than all the work.
      const without = `the tree's share without them: ${share(ms => ms <= slowMs)}`
      printTable([`calls of more than ${slowMs} ms: ${slow.length}; ${without}`, 'ms'], slow.map(tellSlow))
    }
  } finally {
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
  const { periods, bytes, ownMs, pageMs, pythonMs } = await measureTenYears()
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  printTable(
    [`the package of ten years, ${periods} signed quarters`, '', 'aim'],
    [
      ['size', `${(bytes / 1e6).toFixed(2)} MB`, '< 2 MB'],
      ['assize verify, with its start', seconds(ownMs), ''],
      ['its own page in Chromium', seconds(pageMs), '< 2 s'],
      ['python3 assize_verify.py', seconds(pythonMs), '< 5 s'],
    ],
  )
}

/** Entries without rows: the tree knows the log's lines alone. */
async function fill(sql: Sql, scope: string): Promise<void> {
  const facts = {
    provider: 'CUSTOM',
    code: 'x',
    name: 'x',
    unit: '',
    dataType: 'INDEX',
    frequency: 'MONTHLY',
    description: '',
  }
  for (let piece = 0; piece < pieces; piece++)
    await appending(sql, scope, async (_tx, log) => {
      const many = Array.from({ length: entries / pieces }, () => ({
        subject: makeIdentifier('ser'),
        facts: facts as never,
      }))
      await log.appendMany('metadata', many)
    })
}

function publishOne(sql: Sql, scope: string): Promise<unknown> {
  const code = makeIdentifier('ser')
  return appending(sql, scope, (tx, log) =>
    createSeries(tx, log, [
      {
        id: code,
        provider: 'CUSTOM',
        code,
        name: 'x',
        unit: '',
        dataType: 'INDEX',
        frequency: 'MONTHLY',
        description: '',
      },
    ] as never),
  )
}

/** The tree's own part, tiles that become whole included: what is grown alone, in a transaction that is undone. */
async function measurePublishing({ sql, owner }: Pick<Installation, 'sql' | 'owner'>, scope: string) {
  const watch = watchSlowCalls(owner)
  const whole = await eachMs(publications, () => watch.look(() => publishOne(sql, scope)))
  let tree: readonly number[] = []
  const undone = new Error('undone')
  const growing = appending(sql, scope, async (tx, { lastSeq }) => {
    const [clock] = await tx<{ size: number; edge: Buffer }[]>`
      select tree_size as size, tree_edge as edge from scope_clock where scope = ${scope}`
    let end: TreeEnd = clock!
    const leaf = Buffer.alloc(32, 7)
    const grow = async () => {
      end = await growTree(tx, scope, end, leaf, count => loadLastLeaves(tx, scope, lastSeq, count))
    }
    tree = await eachMs(publications, () => watch.look(grow))
    throw undone
  })
  await growing.catch(error => {
    if (error !== undone) throw error
  })
  return { whole, tree, slow: watch.slow }
}

function tellSlow({ ms, waits }: SlowCall): [string, string] {
  return [waits.join('; ') || 'nothing that the database waited for', ms.toFixed(0)]
}

function placeOf(i: number): number {
  return Math.floor((entries / proofs) * i)
}

async function measureProofs(sql: Sql, scope: string): Promise<readonly number[]> {
  return withWorkspace(sql, scope, async tx => {
    const [end] = await tx<{ seq: number; size: number; edge: Buffer }[]>`
      select seq, tree_size as size, tree_edge as edge from scope_clock where scope = ${scope}`
    const { seq, size, edge } = end!
    return eachMs(proofs, i => proveInclusion(placeOf(i), size, scopeTiles(tx, { scope, seq, tree: { size, edge } })))
  })
}

async function eachMs(count: number, work: (i: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const began = performance.now()
    await work(i)
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)
}

function sum(times: readonly number[]): number {
  return times.reduce((total, each) => total + each, 0)
}

function cells(sorted: readonly number[]): [string, string] {
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(2)
  return [at(0.5), at(0.99)]
}
