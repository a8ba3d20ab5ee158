// The API against three rivals in one run: a bare node:http server that sends the same bytes, a Fastify server that does the
// same work (key, limit, headers) from memory, and a hand-written Fastify server with SQL per request. Each is a separate
// process; one generator loads them over loopback in turns of a quarter of a second, and the bare server is compared with
// itself, which shows how much of a difference is the machine's.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyAnswers } from './api/fastify-server.ts'
import { benchRateLimit, type Filled, fillInstallation } from './api/fill.ts'
import { Lane, perSecond, processorMicros, type Turn } from './api/lane.ts'
import { type RunningProcess, startProcess } from './api/process.ts'
import { type BenchRoute, makeRoutes } from './api/requests.ts'
import { measureSteadily } from './api/steady.ts'
import { formatTable } from './table.ts'

interface Line extends Measured {
  readonly name: string
  readonly bytes: number
}

interface Measured {
  readonly rates: Rates
  /** Ours against the bare server by the clock. */
  readonly ofBare: number
  /** Against both by the processor time of a request: of 24 µs and 48 µs, 0.5. */
  readonly ofBareByProcessor: number
  readonly ofFastifyByProcessor: number
  readonly timesByHand: number | null
  readonly micros: number
  /** The bare server against itself, round by round: how much of a difference is the machine's. */
  readonly noise: readonly number[]
  /** The 99th percentile of each turn at half our rate, in milliseconds: ours, and the bare server's at the same rate. */
  readonly p99sMs: readonly number[]
  readonly bareP99sMs: readonly number[]
}

interface Rates {
  readonly ours: number
  readonly bare: number
  readonly fastify: number
  /** Null for a route that the server written by hand does not have. */
  readonly byHand: number | null
}

interface Servers {
  readonly ours: RunningProcess
  readonly bare: RunningProcess
  readonly fastify: RunningProcess
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
    const answers: FastifyAnswers = { keys: filled.keys, rateLimit: benchRateLimit, bodies: byAddress(routes, bodies) }
    await writeFile(join(folder, 'answers.json'), JSON.stringify(answers))
    const fastify = await startProcess('fastify', ['bench/api/fastify-server.ts', join(folder, 'answers.json')], {})
    const byHand = await startProcess('by hand', ['bench/api/by-hand-server.ts', JSON.stringify(filled.endpoint)], {})
    started.push(bare, fastify, byHand)
    await warmUp({ ours, bare, fastify }, routes)
    const lines: Line[] = []
    for (const [i, route] of routes.entries()) {
      const bytes = Buffer.byteLength(bodies[i]![0]!)
      lines.push({ name: route.name, bytes, ...(await measure({ ours, bare, fastify, byHand }, route, i)) })
      process.stdout.write('.')
    }
    report(lines, cold, ours)
  } finally {
    for (const process of started) await process.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function byAddress(routes: readonly BenchRoute[], bodies: readonly (readonly string[])[]): Record<string, string> {
  return Object.fromEntries(routes.flatMap(({ paths }, i) => paths.map((path, j) => [path, bodies[i]![j]!])))
}

/** Everything measured has been requested once before. The median of all rounds counts. */
const rounds = 8
const turnMs = 250
const warmUpMs = 1_500
/** Of the server that is measured for scale only. */
const fewRounds = 3
const steadyTurns = 3
const steadySeconds = 1

/** Until the engine has compiled what is asked often: ours has more of it than the bare server. */
async function warmUp({ ours, bare, fastify }: Omit<Servers, 'byHand'>, routes: readonly BenchRoute[]): Promise<void> {
  for (const [i, route] of routes.entries())
    for (const [server, asked, ms] of [
      [ours, route, warmUpMs],
      [bare, bareRoute(route, i), warmUpMs / 2],
      [fastify, route, warmUpMs / 2],
    ] as const) {
      const lane = await Lane.open(server, asked)
      await lane.turn(ms)
      lane.close()
    }
}

/** The bare server finds the bodies of a route by its number. */
function bareRoute(route: BenchRoute, place: number): BenchRoute {
  return { ...route, prefix: `/${place.toString(36)}` }
}

/** One round is a turn of each server, so that within it a shared machine is equally fast for all of them. */
async function measure({ ours, bare, fastify, byHand }: Servers, route: BenchRoute, place: number): Promise<Measured> {
  const all = bareRoute(route, place)
  const lanes = {
    ours: await Lane.open(ours, route),
    bare: await Lane.open(bare, all),
    fastify: await Lane.open(fastify, route),
    ...(route.byHand === null ? {} : { byHand: await Lane.open(byHand, { ...route, paths: route.byHand }) }),
  }
  const turns = {
    ours: [] as Turn[],
    bare: [] as Turn[],
    again: [] as Turn[],
    fastify: [] as Turn[],
    byHand: [] as Turn[],
  }
  for (const lane of Object.values(lanes)) await lane.turn(turnMs)
  for (let round = 0; round < rounds; round++) {
    turns.bare.push(await lanes.bare.turn(turnMs))
    turns.ours.push(await lanes.ours.turn(turnMs))
    turns.again.push(await lanes.bare.turn(turnMs))
    turns.fastify.push(await lanes.fastify.turn(turnMs))
    if (round < fewRounds && lanes.byHand !== undefined) turns.byHand.push(await lanes.byHand.turn(turnMs))
  }
  for (const lane of Object.values(lanes)) lane.close()
  const rate = (of: readonly Turn[]) => median(of.map(perSecond))
  const rates = {
    ours: rate(turns.ours),
    bare: rate([...turns.bare, ...turns.again]),
    fastify: rate(turns.fastify),
    byHand: lanes.byHand === undefined ? null : rate(turns.byHand),
  }
  /** The bare server before and after each turn of ours: what the machine did in between is in both. */
  const around = turns.bare.map((turn, i) => (perSecond(turn) + perSecond(turns.again[i]!)) / 2)
  const micros = processorMicros(turns.ours)
  return {
    rates,
    ofBare: median(turns.ours.map((turn, i) => perSecond(turn) / around[i]!)),
    ofBareByProcessor: processorMicros([...turns.bare, ...turns.again]) / micros,
    ofFastifyByProcessor: processorMicros(turns.fastify) / micros,
    timesByHand: rates.byHand === null ? null : rates.ours / rates.byHand,
    micros,
    noise: turns.bare.map((turn, i) => perSecond(turns.again[i]!) / perSecond(turn)),
    ...(await measureTimes(ours, bare, route, all, Math.floor(rates.ours / 2))),
  }
}

async function measureTimes(
  ours: RunningProcess,
  bare: RunningProcess,
  route: BenchRoute,
  all: BenchRoute,
  rate: number,
): Promise<Pick<Measured, 'p99sMs' | 'bareP99sMs'>> {
  const p99sMs: number[] = []
  const bareP99sMs: number[] = []
  for (let turn = 0; turn < steadyTurns; turn++) {
    p99sMs.push(await measureSteadily(ours.url, route, rate, steadySeconds))
    bareP99sMs.push(await measureSteadily(bare.url, all, rate, steadySeconds))
  }
  return { p99sMs, bareP99sMs }
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
      'Fastify',
      'bare node:http',
      'Assize',
      'of bare',
      'of bare, processor',
      'of Fastify, processor',
      'µs a request',
      'times by hand',
      'p99 at half',
      'bare p99',
    ],
    lines.map(line => [
      line.name,
      whole(line.bytes),
      line.rates.byHand === null ? '–' : whole(line.rates.byHand),
      whole(line.rates.fastify),
      whole(line.rates.bare),
      whole(line.rates.ours),
      line.ofBare.toFixed(2),
      line.ofBareByProcessor.toFixed(2),
      line.ofFastifyByProcessor.toFixed(2),
      line.micros.toFixed(1),
      line.timesByHand?.toFixed(0) ?? '–',
      ms(line.p99sMs),
      ms(line.bareP99sMs),
    ]),
  )
  const noise = lines.flatMap(line => line.noise).toSorted((a, b) => a - b)
  const at = (share: number) => noise[Math.floor(noise.length * share)]!.toFixed(2)
  process.stdout.write(`\n${table}\n\n`)
  process.stdout.write(`requests a second; first answer for a series ${coldMs.toFixed(1)} ms; `)
  process.stdout.write(`start ${(ours.startMs / 1000).toFixed(2)} s; resident ${ours.residentMb()} MB\n`)
  process.stdout.write(`p99: the median of ${steadyTurns} turns, and the worst\n`)
  process.stdout.write(`the machine: the bare server against itself, a turn apart, has ${at(0.5)} in the middle, `)
  process.stdout.write(`${at(0.1)} to ${at(0.9)} in eight of ten of ${noise.length} rounds\n`)
}
