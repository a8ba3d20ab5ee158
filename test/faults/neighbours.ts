// F18: two workspaces side by side on one server. One of them is quiet: it reads, saves a formula and publishes a few
// figures. The other causes the most harmful load: imports, lists, uploads, previews. How long the quiet one waits is
// measured alone and during each of these.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { applyDocument } from '../../src/agreements/apply.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { formatPeriod, periodOf } from '../../src/core/time/period.ts'
import { importTable } from '../../src/import/table.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { openApplication, type Sql } from '../../src/storage/postgres/database.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace, setWorkspace, type Workspace } from '../../src/storage/workspaces/workspaces.ts'
import { copyAgreement } from '../support/agreements/many-agreements.ts'
import type { Reply } from '../support/clients/http-client.ts'
import { textSource, uploadOf } from '../support/houses/api.ts'
import { Browser, join as joinPeople, password } from '../support/houses/console.ts'
import type { FolderGround } from './grounds.ts'
import { runCommand, type ServedProcess, serveFolder } from './served-process.ts'

/** How much the hostile one has and does. */
export interface Sizes {
  readonly importedRows: number
  readonly newSeries: number
  readonly agreements: number
  readonly vintages: number
  /** Series of one history, each of 1,296 vintages. */
  readonly histories: number
  readonly uploads: number
  /** Of each upload. */
  readonly uploadedRows: number
  /** Of a heavy document. */
  readonly inputs: number
}

export const longSizes: Sizes = {
  importedRows: 1_000_000,
  newSeries: 990_000,
  agreements: 19_999,
  vintages: 1_000_000,
  histories: 120,
  uploads: 50,
  uploadedRows: 20_000,
  inputs: 60,
}

export const shortSizes: Sizes = {
  importedRows: 2_000,
  newSeries: 300,
  agreements: 100,
  /** Only the long form reads them. */
  vintages: 600,
  histories: 2,
  uploads: 4,
  uploadedRows: 1_000,
  inputs: 12,
}

export const quietActions = ['read', 'save', 'publication'] as const
export type QuietAction = (typeof quietActions)[number]

/** How long each action of the quiet one took, in milliseconds, and what was refused it. */
export interface Measured {
  readonly times: Readonly<Record<QuietAction, number[]>>
  readonly refused: string[]
}

export interface HostileAct {
  readonly name: string
  /** What it needs, created before anything is measured: writing a million rows takes long. */
  prepare?(): Promise<void>
  /** Whether it only asks for answers: each of them holds the main thread for 50 ms at most. */
  readonly isAsking?: true
  /** Runs until it is done, or until the signal if it does not end by itself. */
  run(signal: AbortSignal): Promise<void>
}

const document = (slug: string, description: string, series = 'CUSTOM/index') => `
slug: ${slug}
name: Contract ${slug}
description: ${description}
status: ACTIVE
contract: { start: 2015-01-01, frequency: QUARTERLY, price: { amount: 12.40, currency: EUR, round: { dp: 2 } } }
inputs: { index: { series: ${series}, weight: 1, base: 2014-12, lag: 1 month } }
clause: { fixed: 0, rounding: { percent: { dp: 2 } } }
`

/** Many inputs over fifty years of months: more than a contract has, and nothing that is refused. */
const heavyDocument = (n: number, inputs: number) => `
slug: heavy-${n}
contract: { start: 1976-01-01, frequency: MONTHLY }
inputs:
${Array.from({ length: inputs }, (_, i) => `  in${i}: { series: CUSTOM/index, weight: ${i === 0 ? (101 - inputs) / 100 : '0.01'}, base: 1975-12, lag: ${1 + (i % 5)} months }`).join('\n')}
clause: { fixed: 0 }
`

const firstMonth = 1975 * 12
const month = (n: number) => formatPeriod(periodOf('MONTHLY', firstMonth + n))

/** Fifty years of months, up to 2024-12. */
function indexTable(code = 'index', revision = 0): string {
  const rows = Array.from({ length: 600 }, (_, i) => `CUSTOM/${code},${month(i)},${100 + i + revision}.5\n`)
  return `series,period,value\n${rows.join('')}`
}

/** One workspace with somebody in it who is signed in, and a key. */
class Side {
  readonly workspace: Workspace
  readonly #server: ServedProcess
  readonly #key: string
  readonly browser: Browser

  constructor(workspace: Workspace, server: ServedProcess, key: string) {
    this.workspace = workspace
    this.#server = server
    this.#key = key
    const { client } = server
    this.browser = new Browser({ client, ask: (path, asking) => client.ask(path, asking) }, workspace.slug)
  }

  api(path: string, prefix = '/v1'): Promise<Reply> {
    return this.#server.client.ask(`${prefix}${path}`, { headers: { authorization: `Bearer ${this.#key}` } })
  }

  publish(table: string): Promise<Reply> {
    return this.browser.upload('/series/upload?file=figures.csv&mode=import', table)
  }
}

export class Neighbours {
  readonly #ground: FolderGround
  readonly #server: ServedProcess
  readonly #sql: Sql
  readonly #quiet: Side
  readonly #hostile: Side
  readonly #sizes: Sizes
  #actions = 0

  private constructor(
    ground: FolderGround,
    server: ServedProcess,
    sql: Sql,
    sides: { readonly quiet: Side; readonly hostile: Side },
    sizes: Sizes,
  ) {
    this.#ground = ground
    this.#server = server
    this.#sql = sql
    this.#quiet = sides.quiet
    this.#hostile = sides.hostile
    this.#sizes = sizes
  }

  static async open(ground: FolderGround, sizes: Sizes, say: (line: string) => void): Promise<Neighbours> {
    const sql = openApplication(ground.target, { connections: 2 })
    say('filling two workspaces')
    const made = { quiet: await fill(ground, sql, 'quiet'), hostile: await fill(ground, sql, 'hostile') }
    // As set by an operator who trusts them: even then nobody else waits.
    const quotas = { series: 2_000_000, vintages: 100_000_000 }
    await setWorkspace(ground.owner, made.hostile.workspace.id, quotas)
    await copyAgreement(ground.owner, made.hostile.workspace.id, made.hostile.agreementId, sizes.agreements)
    await importTable(sql, made.hostile.workspace.id, textSource(vintagesTable(sizes.vintages)), quietly)
    await fillHistories(ground, sql, made.hostile.workspace.id, sizes.histories)
    const server = await serveFolder(ground.folder, {
      env: { LOG_LEVEL: 'warn' },
      options: ['--import', new URL('./turn-watch.ts', import.meta.url).href],
    })
    const [quiet, hostile] = [made.quiet, made.hostile].map(({ workspace, key }) => new Side(workspace, server, key))
    for (const { browser } of [quiet!, hostile!]) {
      const { status, text } = await browser.signIn(`owner@${browser.slug}.test`, password)
      if (status !== 200) throw new Error(`${browser.slug} cannot sign in: ${status} ${text}`)
    }
    return new Neighbours(ground, server, sql, { quiet: quiet!, hostile: hostile! }, sizes)
  }

  async close(): Promise<void> {
    await this.#server.stop()
    await this.#sql.end({ timeout: 5 })
  }

  /** The quiet one at work until the signal: it reads all the time, saves and publishes now and then. */
  async measure(signal: AbortSignal): Promise<Measured> {
    const measured: Measured = { times: { read: [], save: [], publication: [] }, refused: [] }
    const work = async (action: QuietAction, pauseMs: number, act: () => Promise<Reply>) => {
      while (!signal.aborted) {
        const from = performance.now()
        const { status, text } = await act()
        measured.times[action].push(performance.now() - from)
        if (status >= 400 || text.includes('"error"'))
          measured.refused.push(`${action}: ${status} ${text.slice(0, 200)}`)
        await sleep(pauseMs)
      }
    }
    await Promise.all([
      work('read', 10, () => this.#ask()),
      work('read', 50, () => this.#look()),
      work('save', 150, () => this.#save()),
      work('publication', 150, () => this.#publish()),
    ])
    return measured
  }

  /** The longest turns of the main thread that it told of so far, in milliseconds. */
  held(): readonly number[] {
    return [...this.#server.log().matchAll(/^held for (\d+) ms$/gm)].map(([, ms]) => Number.parseInt(ms!, 10))
  }

  /** Each action once: the first of its kind starts a worker. */
  async warmUp(): Promise<void> {
    await Promise.all([this.#ask(), this.#look(), this.#save(), this.#publish()])
  }

  #ask(): Promise<Reply> {
    const paths = ['/pams/contract/adjustment', '/series?limit=50', '/pams', '/pams/contract/values']
    return this.#quiet.api(paths[this.#actions++ % paths.length]!)
  }

  #look(): Promise<Reply> {
    return this.#quiet.browser.get(this.#actions++ % 2 === 0 ? '/agreements' : '/overview')
  }

  #save(): Promise<Reply> {
    const text = document('contract', `saved ${this.#actions++}`)
    return this.#quiet.browser.post('/agreements', { text, basedOn: 1 })
  }

  #publish(): Promise<Reply> {
    return this.#quiet.publish(`series,period,value\nCUSTOM/index,2024-12,${this.#actions++}.25\n`)
  }

  acts(): readonly HostileAct[] {
    const { importedRows, newSeries, uploads, uploadedRows, inputs } = this.#sizes
    const { browser } = this.#hostile
    const { slug } = this.#hostile.workspace
    const importing = (name: string, fileName: string, rows: () => Iterable<string>): HostileAct => {
      const path = join(this.#ground.folder, fileName)
      return {
        name,
        prepare: () => writeFile(path, ['series,period,value\n', ...rows()].join('')),
        run: async () => void (await runCommand(this.#ground.folder, ['import', path, '--workspace', slug, '--json'])),
      }
    }
    return [
      importing(`an import of ${importedRows} rows`, 'rows.csv', () => manyRows(importedRows)),
      importing(`${newSeries} new series`, 'series.csv', () => manySeries(newSeries)),
      {
        name: `${this.#sizes.agreements + 1} formulas listed`,
        run: signal =>
          this.#again(signal, 4, n =>
            n % 4 === 0
              ? this.#hostile.api('/pams?limit=200')
              : browser.get(['/agreements?limit=200', '/overview', '/sign-offs'][n % 3]!),
          ),
      },
      {
        name: `a series of ${this.#sizes.vintages} vintages read`,
        run: async signal => {
          const { json } = await browser.get('/find?q=long')
          const [series] = (json as { series: { id: string }[] }).series
          const paths = [`/series/${series!.id}/values`, `/series/${series!.id}/vintages?limit=2000`]
          await this.#again(signal, 2, n => this.#hostile.api(paths[n % 2]!))
        },
      },
      {
        name: `a history of ${this.#sizes.histories} series as SDMX`,
        isAsking: true,
        run: signal => {
          const formats = ['csv', 'json', 'xml', 'xml-2.1']
          const path = '/data/dataflow/ASSIZE/CUSTOM/1.0/*?includeHistory=true&c[UNIT]=many'
          return this.#again(signal, 1, n => this.#hostile.api(`${path}&format=${formats[n % 4]}`, '/sdmx/v2'))
        },
      },
      {
        name: 'heavy previews',
        run: signal =>
          this.#again(signal, 6, n =>
            browser.post('/agreements/preview', { text: heavyDocument(n, inputs), against: null }),
          ),
      },
      {
        name: `${uploads} uploads`,
        run: signal => {
          const file = `series,period,value\n${[...manyRows(uploadedRows)].join('')}`
          return this.#again(signal, uploads, () => browser.upload('/series/upload?file=many.csv&mode=preview', file))
        },
      },
    ]
  }

  /** So many in parallel, repeatedly, until the signal. Its own refusals do not matter. */
  async #again(signal: AbortSignal, atOnce: number, ask: (n: number) => Promise<Reply>): Promise<void> {
    let n = 0
    const one = async () => {
      while (!signal.aborted) {
        const { status } = await ask(n++)
        if (status >= 400) await sleep(20)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, one))
  }
}

const quietly = { dryRun: false, upload: uploadOf('table'), onProgress: () => {} }

async function fill({ owner, ring }: FolderGround, sql: Sql, slug: string) {
  const workspace = await createWorkspace(owner, { slug, rateLimit: 1_000_000 })
  await importTable(sql, workspace.id, textSource(indexTable()), quietly)
  const applied = await applyDocument(sql, {
    workspaceId: workspace.id,
    text: document('contract', 'first'),
    by: `owner@${slug}.test`,
    today: parseDay('2025-01-01')!,
  })
  if (applied.outcome === 'refused') throw new Error(JSON.stringify(applied.problems))
  await joinPeople({ sql }, workspace.id, `owner@${slug}.test`, 'owner')
  const digests = new KeyedDigests(ring, 'api-key digests')
  const { key } = await createApiKey(sql, digests, { workspaceId: workspace.id, name: slug, expiresAt: null })
  return { workspace, key, agreementId: applied.id }
}

/** One series, 600 months, each published many times. */
function vintagesTable(count: number): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const day = new Date(Date.UTC(2000, 0, 1 + Math.floor(i / 600))).toISOString().slice(0, 10)
    return `CUSTOM/long,${month(i % 600)},${i}.5,${day}\n`
  })
  return `series,period,value,published\n${rows.join('')}`
}

/** Series that are published again day after day, each vintage at an instant of its own; made by the database at once. */
async function fillHistories({ owner }: FolderGround, sql: Sql, workspaceId: string, count: number): Promise<void> {
  const [months, printed] = [36, 36]
  const rows = Array.from(
    { length: count * months },
    (_, i) => `CUSTOM/many-${Math.floor(i / months)},${month(i % months)},${i}.5,2000-01-01,many\n`,
  )
  const table = `series,period,value,published,unit\n${rows.join('')}`
  await importTable(sql, workspaceId, textSource(table), quietly)
  await owner.begin(async tx => {
    await tx`set local session_replication_role = replica`
    await tx`
      insert into vintage (owner, series_id, period, seq, value, tag, published_at, recorded_at)
      select owner, series_id, period, seq, value || n, tag,
        published_at + n * interval '1 day' + interval '1 ms' * row_number() over (), recorded_at
      from vintage, generate_series(1, ${printed - 1}) as n
      where series_id in (select id from series where owner = ${workspaceId} and code like 'many-%')`
  })
  await owner`analyze vintage`
}

function* manyRows(count: number): Generator<string> {
  for (let i = 0; i < count; i++) yield `CUSTOM/rows-${Math.floor(i / 600)},${month(i % 600)},${i}.5\n`
}

function* manySeries(count: number): Generator<string> {
  for (let i = 0; i < count; i++) yield `CUSTOM/new-${i},2024-01,${i}.5\n`
}

export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** How long one action may take at most; on a machine that is itself busy, so many times as long as alone. */
interface Allowed {
  readonly ms: number
  readonly timesAlone: number
}

const allowed: Allowed = { ms: 1_000, timesAlone: 5 }

/** By one answer. */
const mostHeldMs = 50

/** What was refused to the quiet one, or never came to pass. */
function refusalsOf(name: string, { times, refused }: Measured): string[] {
  const undone = quietActions.filter(action => times[action].length === 0)
  return [
    ...undone.map(action => `${name}: no ${action} was done`),
    ...new Set(refused.map(each => `${name}: ${each}`)),
  ]
}

/** What took too long. */
function delaysOf(name: string, alone: Measured, beside: Measured): string[] {
  return quietActions.flatMap(action => {
    const [usual, worst] = [Math.max(0, ...alone.times[action]), Math.max(0, ...beside.times[action])]
    return worst <= Math.max(allowed.ms, usual * allowed.timesAlone)
      ? []
      : [`${name}: a ${action} took ${worst.toFixed(0)} ms, alone ${usual.toFixed(0)} ms at most`]
  })
}

/** Both at once: the quiet one for as long as the acts take, at least and at most so long. */
export async function measureBeside(
  neighbours: Neighbours,
  acts: readonly HostileAct[],
  { leastMs, mostMs }: { readonly leastMs: number; readonly mostMs: number },
): Promise<Measured> {
  for (const act of acts) await act.prepare?.()
  const endless = new AbortController()
  const all = new AbortController()
  const measuring = neighbours.measure(all.signal)
  const acting = Promise.all(acts.map(act => act.run(endless.signal)))
  await sleep(leastMs)
  endless.abort()
  await Promise.race([acting, sleep(mostMs - leastMs, undefined, { ref: false })])
  all.abort()
  const measured = await measuring
  await acting
  return measured
}

/** The long form: each act by itself. The rounds are seconds for each act at least. */
export async function liveBeside(
  ground: FolderGround,
  { rounds, say }: { readonly rounds: number; readonly say: (line: string) => void },
  sizes: Sizes = longSizes,
): Promise<{ readonly failures: readonly string[]; readonly rows: readonly NeighbourRow[] }> {
  const neighbours = await Neighbours.open(ground, sizes, say)
  const failures: string[] = []
  const rows: NeighbourRow[] = []
  try {
    const leastMs = rounds * 1_000
    await neighbours.warmUp()
    for (const act of neighbours.acts()) {
      const alone = await measureBeside(neighbours, [], { leastMs, mostMs: leastMs })
      const heldBefore = neighbours.held().length
      const beside = await measureBeside(neighbours, [act], { leastMs, mostMs: 600_000 })
      failures.push(...refusalsOf(act.name, beside), ...delaysOf(act.name, alone, beside))
      const heldMs = Math.max(0, ...neighbours.held().slice(heldBefore))
      if (act.isAsking && heldMs > mostHeldMs) failures.push(`${act.name}: the main thread was held for ${heldMs} ms`)
      rows.push({ name: act.name, alone, beside })
      const reads = `reads ${percentile(beside.times.read, 0.99).toFixed(0)} ms at the 99th percentile`
      say(`${act.name}: ${reads}, the main thread held for ${heldMs} ms at most`)
    }
  } finally {
    await neighbours.close()
  }
  return { failures, rows }
}

export interface NeighbourRow {
  readonly name: string
  readonly alone: Measured
  readonly beside: Measured
}

/**
 * The short form: one act in three by itself, smaller and shorter. Imports, new series, long series and heavy documents have tests of
 * their own beside a quiet workspace. How long things take is for the long one.
 */
export async function liveBesideShortly(ground: FolderGround): Promise<{
  readonly failures: readonly string[]
  readonly actions: Readonly<Record<QuietAction, number>>
}> {
  const neighbours = await Neighbours.open(ground, shortSizes, () => {})
  const actions = { read: 0, save: 0, publication: 0 }
  try {
    await neighbours.warmUp()
    const failures: string[] = []
    for (const [at, act] of neighbours.acts().entries()) {
      if (at % 3 !== 2) continue
      const beside = await measureBeside(neighbours, [act], { leastMs: 600, mostMs: 20_000 })
      for (const action of quietActions) actions[action] += beside.times[action].length
      failures.push(...refusalsOf(act.name, beside))
    }
    return { failures, actions }
  } finally {
    await neighbours.close()
  }
}
