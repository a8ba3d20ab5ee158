// A local server with the real addresses and bodies of all fifteen providers, based on one model of series whose publications
// appear as its clock moves. It misbehaves on request. For tests and for trying things out.
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type ProviderName, providerNames } from '../../src/core/series/series.ts'
import { dayOfInstant, type Instant, parseInstant } from '../../src/core/time/instant.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import { answerCalendar } from './calendars.ts'
import { control } from './control.ts'
import { defaultReleases, type StandInRelease } from './data/default-releases.ts'
import { defaultSeries } from './data/default-series.ts'
import { type Ask, type Told, tellText } from './exchange.ts'
import { changeAnswer, type Sent } from './misbehave-body.ts'
import { changeSeries } from './misbehave-figures.ts'
import { askForAnother } from './misbehave-request.ts'
import { misbehaveOnWire } from './misbehave-wire.ts'
import type { Misbehaviour } from './misbehaviour.ts'
import { instant, type OpenLog, SeriesShelf, type StandInSeries } from './model.ts'
import { RateCounter, type RateLimit, realLimits } from './rate-limit.ts'
import { speakers, standInKeys } from './speakers.ts'

export interface StandInOptions {
  /** 0 for any free port. */
  readonly port?: number
  readonly host?: string
  /** Replaces the built-in ones. */
  readonly series?: readonly StandInSeries[]
  /** A day or an instant at which the clock is stopped; without it, the clock shows the real time. */
  readonly at?: string
  /** Replaces `standInKeys`. */
  readonly keys?: Readonly<Partial<Record<ProviderName, readonly string[]>>>
  /** `none` unless given. */
  readonly limits?: 'none' | 'real'
  /** Pages smaller than the real ones, in the provider's own unit: rows or series. */
  readonly pageSizes?: Readonly<Partial<Record<ProviderName, number>>>
  /** Providers that send an ETag; the ECB always sends Last-Modified, as in reality. */
  readonly tagged?: readonly ProviderName[]
  /** How long slow answers take. */
  readonly slowMs?: number
}

export interface LoggedRequest {
  readonly provider: ProviderName
  readonly method: string
  /** Relative to the provider's base, with the query string. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
}

interface Trouble {
  readonly kind: Misbehaviour
  left: number
}

type Clock = { readonly from: number; readonly since: number; readonly speed: number } | null

/** So that a long benchmark does not keep every request. */
const loggedRequests = 20_000

export class StandIn {
  readonly #server: Server
  readonly #options: StandInOptions
  readonly #shelf: SeriesShelf
  readonly #troubles = new Map<ProviderName, Trouble>()
  readonly #counters = new Map<ProviderName, RateCounter>()
  /** What was announced besides the built-in calendars, by provider and id. */
  readonly #announced = new Map<string, StandInRelease>()
  #requests: LoggedRequest[] = []
  #trapped = 0
  #clock: Clock = null

  constructor(server: Server, options: StandInOptions) {
    this.#server = server
    this.#options = options
    this.#shelf = new SeriesShelf(sourceOf(options.series))
    if (options.at !== undefined) this.at(options.at)
    for (const provider of providerNames) {
      const limit = options.limits === 'real' ? realLimits[provider] : null
      if (limit !== null) this.limit(provider, limit)
    }
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://${this.#options.host ?? '127.0.0.1'}:${this.port}`
  }

  /** For `ASSIZE_PROVIDER_BASE_<PROVIDER>`: the provider's own path after its name. */
  baseOf(provider: ProviderName): string {
    return `${this.url}/${provider}${basePath(provider)}`
  }

  /** The environment that makes the connectors use this stand-in. */
  get environment(): Readonly<Record<string, string>> {
    const bases = providerNames.map(name => [`ASSIZE_PROVIDER_BASE_${name}`, this.baseOf(name)])
    const keys = Object.entries(standInKeys).map(([name, key]) => [`ASSIZE_KEY_${name}`, key])
    return Object.fromEntries([...bases, ...keys])
  }

  /** The requests so far, oldest first; slow ones are added when they are finished. */
  get requests(): readonly LoggedRequest[] {
    return this.#requests
  }

  /** How many callers followed a redirect to another host. */
  get trapped(): number {
    return this.#trapped
  }

  forgetRequests(): void {
    this.#requests = []
  }

  /** Stops the clock at a day or an instant: what was published by then is served. */
  at(moment: string): void {
    this.run(moment, 0)
  }

  /** Starts the clock at a day or an instant; it runs `speed` times as fast as real time. */
  run(moment: string, speed: number): void {
    this.#clock = { from: Date.parse(instant(moment)), since: Date.now(), speed }
  }

  get now(): Instant {
    const clock = this.#clock
    const ms = clock === null ? Date.now() : clock.from + Math.floor((Date.now() - clock.since) * clock.speed)
    return parseInstant(new Date(ms).toISOString())!
  }

  /** Adds publications to an existing series. */
  publish(provider: ProviderName, code: string, ...entries: readonly OpenLog[]): void {
    this.#shelf.add(provider, code, entries)
  }

  /** Adds a series or replaces it. */
  put(series: StandInSeries): void {
    this.#shelf.put(series)
  }

  /** Adds an entry to a calendar, or replaces the one with its id: so a date moves, and a release is cancelled. */
  announce(entry: StandInRelease): void {
    this.#announced.set(`${entry.provider} ${entry.id}`, entry)
  }

  /** What the calendar of a provider says now. */
  releasesOf(provider: ProviderName): readonly StandInRelease[] {
    const usual = defaultReleases(provider, dayOfInstant(this.now)).map(
      entry => [`${provider} ${entry.id}`, entry] as const,
    )
    const own = [...this.#announced].filter(([, entry]) => entry.provider === provider)
    return [...new Map([...usual, ...own]).values()]
  }

  seriesOf(provider: ProviderName): readonly StandInSeries[] {
    return this.#shelf.of(provider)
  }

  misbehave(provider: ProviderName, kind: Misbehaviour, times = Number.POSITIVE_INFINITY): void {
    this.#troubles.set(provider, { kind, left: times })
  }

  /** Without a provider: for all of them. */
  behave(provider?: ProviderName): void {
    if (provider === undefined) this.#troubles.clear()
    else this.#troubles.delete(provider)
  }

  limit(provider: ProviderName, limit: RateLimit | null): void {
    if (limit === null) this.#counters.delete(provider)
    else this.#counters.set(provider, new RateCounter(limit))
  }

  async close(): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    this.#server.closeAllConnections()
    await closed
  }

  /** Answers one request of the server. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const url = request.url ?? '/'
    if (url.startsWith('/stand-in/trap/')) {
      this.#trapped += 1
      return this.#answer(request, response, url.slice('/stand-in/trap'.length), body, null)
    }
    if (url === '/' || url.startsWith('/stand-in')) {
      return send(response, control(this, request.method ?? 'GET', url, body), request)
    }
    return this.#answer(request, response, url, body, this.#trouble(url))
  }

  /** The misbehaviour that is due at an address; each call uses one up. */
  #trouble(url: string): Misbehaviour | null {
    const provider = providerNames.find(name => url.startsWith(`/${name}/`))
    const trouble = provider === undefined ? undefined : this.#troubles.get(provider)
    if (trouble === undefined || trouble.left <= 0) return null
    trouble.left -= 1
    return trouble.kind
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: string,
    body: string,
    trouble: Misbehaviour | null,
  ): Promise<void> {
    const provider = providerNames.find(name => url.startsWith(`/${name}${basePath(name)}/`))
    if (provider === undefined) return send(response, tellText('no provider lives here', 404), request)
    const path = url.slice(provider.length + 1 + basePath(provider).length)
    const ask = this.#ask(provider, request, path, body, trouble)
    const told = this.#tell(provider, ask, trouble)
    const log = { provider, method: ask.method, path, headers: ask.headers, body }
    if (this.#requests.length >= loggedRequests) this.#requests = this.#requests.slice(loggedRequests / 2)
    this.#requests.push({ ...log, status: told.status })
    if (trouble !== null) {
      const wire = { response, told, slowMs: this.#options.slowMs ?? 90_000, port: this.port, path: url }
      if (await misbehaveOnWire(trouble, wire)) return
    }
    const changed = trouble === null ? null : changeAnswer(trouble, told)
    send(response, changed ?? this.#tagged(provider, told), request)
  }

  #ask(
    provider: ProviderName,
    request: IncomingMessage,
    path: string,
    body: string,
    trouble: Misbehaviour | null,
  ): Ask {
    const url = new URL(path, 'http://stand-in')
    const { now } = this
    const speaker = speakers[provider]
    const series = this.#shelf.serve(provider, now)
    const key = standInKeys[provider]
    return {
      method: request.method ?? 'GET',
      path: decodePath(url.pathname),
      query: url.searchParams,
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body,
      now,
      series: trouble === null ? series : series.map(each => changeSeries(trouble, each, now) ?? each),
      keys: this.#options.keys?.[provider] ?? (key === undefined ? [] : [key]),
      pageSize: this.#options.pageSizes?.[provider] ?? speaker.pageSize,
      neverEnds: trouble === 'endless-pages',
    }
  }

  #tell(provider: ProviderName, ask: Ask, trouble: Misbehaviour | null): Told {
    const waitSeconds = this.#counters.get(provider)?.take(Date.now()) ?? 0
    if (waitSeconds > 0) return speakers[provider].tooMany(waitSeconds)
    const calendar = answerCalendar(provider, ask, this.releasesOf(provider))
    return calendar ?? speakers[provider].answer(trouble === 'other-code' ? askForAnother(provider, ask) : ask)
  }

  #tagged(provider: ProviderName, told: Told): Told {
    if (told.status !== 200 || this.#options.tagged?.includes(provider) !== true) return told
    const tag = `"${createHash('sha256').update(told.body).digest('hex').slice(0, 24)}"`
    return { ...told, headers: { ...told.headers, ETag: tag } }
  }
}

function sourceOf(series: readonly StandInSeries[] | undefined): (provider: ProviderName) => readonly StandInSeries[] {
  if (series === undefined) return defaultSeries
  return provider => series.filter(each => each.provider === provider)
}

function basePath(provider: ProviderName): string {
  return new URL(providers[provider].baseUrl).pathname.replace(/\/$/, '')
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Compressed if the caller accepts it, and 304 if the caller already has the same. */
function send(response: ServerResponse, told: Sent, request: IncomingMessage): void {
  const bytes = Buffer.from(told.body as string)
  const headers = { 'Content-Type': told.contentType, ...told.headers }
  if (isHeld(told, request)) {
    response.writeHead(304, { ...told.headers })
    response.end()
  } else if (told.status === 204) {
    response.writeHead(204, { ...told.headers })
    response.end()
  } else if (bytes.length > 1024 && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    response.writeHead(told.status, { ...headers, 'Content-Encoding': 'gzip' })
    response.end(gzipSync(bytes, { level: 1 }))
  } else {
    response.writeHead(told.status, { ...headers, 'Content-Length': bytes.length })
    response.end(bytes)
  }
}

function isHeld(told: Sent, request: IncomingMessage): boolean {
  const { ETag: tag, 'Last-Modified': changed } = told.headers ?? {}
  const since = request.headers['if-modified-since']
  if (tag !== undefined && request.headers['if-none-match'] === tag) return true
  return changed !== undefined && since !== undefined && Date.parse(since) >= Date.parse(changed)
}

export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  const server = createServer()
  const standIn = new StandIn(server, options)
  server.on('request', (request, response) => {
    standIn.handle(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, options.host ?? '127.0.0.1', () => resolve())
  })
  return standIn
}
