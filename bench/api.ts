// The API against two rivals in one run: a bare node:http server that sends the same bytes, and a hand-written Fastify
// server with SQL per request. Each is a separate process, loaded in turn by the same generator over loopback.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Filled, fillInstallation } from './api/fill.ts'
import { loadFully } from './api/load.ts'
import { type RunningProcess, startProcess } from './api/process.ts'
import { taken, whenQuiet } from './api/quiet.ts'
import { type BenchRoute, makeRoutes } from './api/requests.ts'
import { measureSteadily } from './api/steady.ts'
import { formatTable } from './table.ts'

interface Line extends Measured {
  readonly name: string
  readonly bytes: number
}

interface Measured {
  readonly rates: Rates
  /** Ours against the bare server, and against the one written by hand. */
  readonly ofBare: number
  readonly timesByHand: number
  /** The 99th percentile of each turn at half our rate, in milliseconds: ours, and the bare server's at the same rate. */
  readonly p99sMs: readonly number[]
  readonly bareP99sMs: readonly number[]
}

interface Rates {
  readonly ours: number
  readonly bare: number
  /** The bare server with one body for all addresses. */
  readonly oneBody: number
  readonly byHand: number
}

interface Servers {
  readonly ours: RunningProcess
  readonly bare: RunningProcess
  readonly byHand: RunningProcess
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
    const bodies: string[][] = []
    for (const { paths } of routes) bodies.push(await askOnce(ours.url, paths, filled))
    await writeFile(join(folder, 'bodies.json'), JSON.stringify(bodies))
    const bare = await startProcess('bare', ['bench/api/bare-server.ts', join(folder, 'bodies.json')], {})
    const byHand = await startProcess('by hand', ['bench/api/by-hand-server.ts', JSON.stringify(filled.endpoint)], {})
    started.push(bare, byHand)
    const lines: Line[] = []
    for (const [i, route] of routes.entries()) {
      const bytes = Buffer.byteLength(bodies[i]![0]!)
      lines.push({ name: route.name, bytes, ...(await measure({ ours, bare, byHand }, route, i)) })
      process.stdout.write('.')
    }
    report(lines, cold, ours)
  } finally {
    for (const process of started) await process.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Short rounds, side by side: within one, a shared machine is equally fast for all servers. */
const turns = 5
const seconds = 2
const steadySeconds = 5

/** Everything measured has been requested once before. The median of all rounds counts. */
async function measure({ ours, bare, byHand }: Servers, route: BenchRoute, place: number): Promise<Measured> {
  const all = { ...route, prefix: `/${place}/all` }
  const one = { ...route, prefix: `/${place}/one` }
  const rated: Rates[] = []
  for (let turn = 0; turn < turns; turn++)
    rated.push(
      await whenQuiet(async () => ({
        ours: await loadFully(ours.url, route, seconds),
        bare: await loadFully(bare.url, all, seconds),
        oneBody: await loadFully(bare.url, one, seconds),
        byHand: await loadFully(byHand.url, { ...route, paths: route.byHand }, seconds),
      })),
    )
  const middle = (of: (rates: Rates) => number) => median(rated.map(of))
  const rates = {
    ours: middle(each => each.ours),
    bare: middle(each => each.bare),
    oneBody: middle(each => each.oneBody),
    byHand: middle(each => each.byHand),
  }
  const half = Math.floor(rates.ours / 2)
  const p99sMs: number[] = []
  const bareP99sMs: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    p99sMs.push(await whenQuiet(() => measureSteadily(ours.url, route, half, steadySeconds)))
    bareP99sMs.push(await whenQuiet(() => measureSteadily(bare.url, all, half, steadySeconds)))
  }
  const ofBare = middle(each => each.ours / each.bare)
  const timesByHand = middle(each => each.ours / each.byHand)
  return { rates, ofBare, timesByHand, p99sMs, bareP99sMs }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** The bodies, in the order of the addresses. */
async function askOnce(url: string, paths: readonly string[], filled: Filled): Promise<string[]> {
  const bodies: string[] = []
  for (let from = 0; from < paths.length; from += 8)
    bodies.push(...(await Promise.all(paths.slice(from, from + 8).map(path => fetchBody(url, path, filled)))))
  return bodies
}

async function fetchBody(url: string, path: string, { keys }: Filled): Promise<string> {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${keys[0]}` } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${body}`)
  return body
}

/** The median first answer over series that were not requested before. */
async function measureCold(url: string, filled: Filled): Promise<number> {
  await fetchBody(url, '/v1/series?limit=1', filled)
  const times: number[] = []
  for (const id of filled.seriesIds.slice(-40)) {
    const from = performance.now()
    await fetchBody(url, `/v1/series/${id}/values`, filled)
    times.push(performance.now() - from)
  }
  return median(times)
}

function report(lines: readonly Line[], coldMs: number, ours: RunningProcess): void {
  const whole = (value: number) => Math.floor(value).toLocaleString('en-US')
  const ms = (values: readonly number[]) => `${median(values).toFixed(1)} ms (${Math.max(...values).toFixed(0)})`
  const table = formatTable(
    [
      'route',
      'bytes',
      'Fastify + SQL',
      'bare, one body',
      'bare node:http',
      'Assize',
      'of bare',
      'times by hand',
      'p99 at half',
      'bare p99',
    ],
    lines.map(({ name, bytes, rates, ofBare, timesByHand, p99sMs, bareP99sMs }) => [
      name,
      whole(bytes),
      whole(rates.byHand),
      whole(rates.oneBody),
      whole(rates.bare),
      whole(rates.ours),
      ofBare.toFixed(2),
      timesByHand.toFixed(0),
      ms(p99sMs),
      ms(bareP99sMs),
    ]),
  )
  process.stdout.write(`\n${table}\n\n`)
  process.stdout.write(`requests a second; first answer for a series ${coldMs.toFixed(1)} ms; `)
  process.stdout.write(`start ${(ours.startMs / 1000).toFixed(2)} s; resident ${ours.residentMb()} MB\n`)
  process.stdout.write(`p99: the median of ${turns} turns, and the worst; `)
  process.stdout.write(
    `${taken.setAside} of ${taken.all} measurements discarded because the host took the processors away\n`,
  )
}
