// The API against two rivals in one run: a bare node:http server that sends the same bytes, and a hand-written Fastify
// server with SQL per request. Each is a process of its own, loaded in turn by the same generator over loopback.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Filled, fillInstallation } from './api/fill.ts'
import { loadAt, loadFully } from './api/load.ts'
import { type RunningProcess, startProcess } from './api/process.ts'
import { makeRoutes } from './api/requests.ts'
import { formatTable } from './table.ts'

interface Line {
  readonly name: string
  readonly bytes: number
  readonly bare: number
  readonly byHand: number | null
  readonly ours: number
  readonly p99Ms: number
}

export async function benchApi(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assize-bench-'))
  const started: RunningProcess[] = []
  try {
    const filled = await fillInstallation(join(folder, 'data'))
    const ours = await startProcess('assize', ['src/cli/assize.ts', 'serve', '--json'], {
      ASSIZE_DATA: join(folder, 'data'),
      PORT: '0',
      LOG_LEVEL: 'warn',
    })
    started.push(ours)
    const cold = await measureCold(ours.url, filled)
    const routes = makeRoutes(filled)
    const bodies = await Promise.all(
      routes.map(async route => ({ name: route.name, body: await fetchBody(ours.url, route.sample, filled) })),
    )
    await writeFile(join(folder, 'bodies.json'), JSON.stringify(bodies))
    const bare = await startProcess('bare', ['bench/api/bare-server.ts', join(folder, 'bodies.json')], {})
    const byHand = await startProcess('by hand', ['bench/api/by-hand-server.ts', JSON.stringify(filled.endpoint)], {})
    started.push(bare, byHand)
    const lines: Line[] = []
    for (const [i, route] of routes.entries()) {
      // Everything measured has been asked for once; the best of two turns each, taken in turn, on a noisy machine.
      await askOnce(ours.url, route.paths, filled)
      const best = { bare: 0, byHand: 0, ours: 0 }
      for (let turn = 0; turn < 2; turn++) {
        best.ours = Math.max(best.ours, await loadFully(ours.url, route, 4))
        best.bare = Math.max(best.bare, await loadFully(bare.url, { ...route, prefix: `/${i}` }, 4))
        if (route.byHand !== null && turn === 0)
          best.byHand = await loadFully(byHand.url, { ...route, paths: route.byHand }, 4)
      }
      const p99Ms = await loadAt(ours.url, route, Math.floor(best.ours / 2), 4)
      const handRate = route.byHand === null ? null : best.byHand
      lines.push({ name: route.name, bytes: bodies[i]!.body.length, ...best, byHand: handRate, p99Ms })
      process.stdout.write('.')
    }
    report(lines, cold, ours)
  } finally {
    for (const process of started) await process.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function askOnce(url: string, paths: readonly string[], filled: Filled): Promise<void> {
  for (let from = 0; from < paths.length; from += 8)
    await Promise.all(paths.slice(from, from + 8).map(path => fetchBody(url, path, filled)))
}

async function fetchBody(url: string, path: string, { keys }: Filled): Promise<string> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${keys[0]}` } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${body}`)
  return body
}

/** The median first answer over series that nobody has asked for yet. */
async function measureCold(url: string, filled: Filled): Promise<number> {
  await fetchBody(url, '/v1/series?limit=1', filled)
  const times: number[] = []
  for (const id of filled.seriesIds.slice(-40)) {
    const from = performance.now()
    await fetchBody(url, `/v1/series/${id}/values`, filled)
    times.push(performance.now() - from)
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)]!
}

function report(lines: readonly Line[], coldMs: number, ours: RunningProcess): void {
  const whole = (value: number) => Math.floor(value).toLocaleString('en-US')
  const table = formatTable(
    ['route', 'bytes', 'bare node:http', 'Fastify + SQL', 'Assize', 'of bare', 'times by hand', 'p99 at half'],
    lines.map(({ name, bytes, bare, byHand, ours: rate, p99Ms }) => [
      name,
      whole(bytes),
      whole(bare),
      byHand === null ? '–' : whole(byHand),
      whole(rate),
      (rate / bare).toFixed(2),
      byHand === null ? '–' : (rate / byHand).toFixed(0),
      `${p99Ms.toFixed(1)} ms`,
    ]),
  )
  process.stdout.write(`\n${table}\n\n`)
  process.stdout.write(`requests a second; first answer for a series ${coldMs.toFixed(1)} ms; `)
  process.stdout.write(`start ${(ours.startMs / 1000).toFixed(2)} s; resident ${ours.residentMb()} MB\n`)
}
