// Keeps a copy of the number of every agreement: first all of them, then only what changed. Run it as often as you like:
//
//   ASSIZE_URL=https://assize.example ASSIZE_KEY=asz_live_… node sync.ts state.json
//
// Needs only Node. The state is a file; if it is lost, the next run reads everything.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

export interface Row {
  readonly slug: string
  readonly status: string
  readonly nextDate: string | null
  readonly [field: string]: unknown
}

export interface State {
  /** Where to continue in /changes. */
  readonly cursor: string
  /** The day (UTC) of the last run. */
  readonly day: string
  readonly rows: Readonly<Record<string, Row>>
}

interface Page<T> {
  readonly data: readonly T[]
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null }
}

/** Requests a path under `/ext/v1`; null for 409. */
export type Ask = <T>(path: string) => Promise<T | null>

export async function sync(ask: Ask, before: State | null, today: string): Promise<State> {
  if (before === null) return walkEverything(ask, today)
  const touched = new Set<string>()
  let cursor = before.cursor
  for (let hasMore = true; hasMore; ) {
    const page = await ask<Page<{ readonly pams: readonly string[] }>>(`/changes?cursor=${cursor}`)
    // A backup was restored: the copy is of another history.
    if (page === null) return walkEverything(ask, today)
    for (const { pams } of page.data) for (const slug of pams) touched.add(slug)
    cursor = page.pagination.nextCursor!
    hasMore = page.pagination.hasMore
  }
  // A date that comes adds no entry to the log.
  if (today !== before.day)
    for (const { slug, status, nextDate } of Object.values(before.rows))
      if (status === 'BLOCKED' || (nextDate !== null && nextDate <= today)) touched.add(slug)
  const rows: Record<string, Row> = { ...before.rows }
  const slugs = [...touched]
  for (let i = 0; i < slugs.length; i += 200) {
    const some = slugs.slice(i, i + 200)
    // No row any more: it is dropped.
    for (const slug of some) delete rows[slug]
    for (const row of await walk(ask, `/adjustments?ids=${some.join(',')}`)) rows[row.slug] = row
  }
  return { cursor, day: today, rows }
}

/** The cursor first: what changes during the walk is looked at again by the next run. */
async function walkEverything(ask: Ask, today: string): Promise<State> {
  const now = await ask<Page<unknown>>('/changes')
  const rows = await walk(ask, '/adjustments?latest=true')
  return { cursor: now!.pagination.nextCursor!, day: today, rows: Object.fromEntries(rows.map(row => [row.slug, row])) }
}

async function walk(ask: Ask, first: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let path = first; ; ) {
    const page = (await ask<Page<Row>>(path))!
    rows.push(...page.data)
    if (!page.pagination.hasMore) return rows
    path = `${first}&cursor=${page.pagination.nextCursor}`
  }
}

const pauseMs = 1_000

/** Waits where it is asked to, and tries again where the server is busy. */
async function askServer<T>(path: string): Promise<T | null> {
  const headers = { authorization: `Bearer ${process.env.ASSIZE_KEY}` }
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${process.env.ASSIZE_URL}/ext/v1${path}`, { headers })
    if (answer.ok) return (await answer.json()) as T
    if (answer.status === 409) return null
    if (![429, 500, 503].includes(answer.status) || tries === 10) throw new Error(await answer.text())
    const seconds = Number.parseInt(answer.headers.get('retry-after') ?? '1', 10)
    await new Promise(resolve => setTimeout(resolve, seconds * pauseMs))
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = process.argv[2] ?? 'state.json'
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as State) : null
  const state = await sync(askServer, before, new Date().toISOString().slice(0, 10))
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
  process.stdout.write(`${Object.keys(state.rows).length} agreements\n`)
}
