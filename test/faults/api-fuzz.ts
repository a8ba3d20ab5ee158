// F12: requests generated from the served OpenAPI document: valid values, nearly valid ones and nonsense, in every
// combination. No answer is a 5xx, every answer matches the document; in the long form none takes longer than a second.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { DescribedOperation, DescribedParameter, OpenApiDocument } from '../../src/http/api/description.ts'
import { Conformance } from '../support/clients/conformance.ts'
import type { Asking, Reply } from '../support/clients/http-client.ts'
import type { Api, Tenant } from '../support/houses/api.ts'
import { pricedDocument } from '../support/houses/price-house.ts'
import { applyList, bracketList, keepLines, withMoney } from '../support/houses/priced-tenant.ts'
import { fillSample } from '../support/houses/sample.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'

const slowestAllowedMs = 1_000
const askedAtOnce = 4

const nonsense = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  'null',
  'undefined',
  'NaN',
  '[]',
  '{}',
  "' or 1=1 --",
  '../../etc/passwd',
  '%',
  '%25',
  '%00',
  '\u0000',
  '\ud7ff',
  '\u202e',
  '🧾',
  'ｆｕｌｌ',
  'é'.normalize('NFD'),
  'constructor',
  '__proto__',
  'toString',
  '2024-02-30',
  '9999-12-31',
  '0001-01-01',
  '2024-02-29T23:59:60Z',
  '2024-06-30T23:59:59.9999999999Z',
  '9999-12-31T23:59:59-23:59',
  '0001-01-01T00:00:00+23:59',
  '2024-W53',
  '2024-Q9',
  '10000-01-01',
  '-2024-01-01',
  '+2024',
  'x'.repeat(1_500),
]
const days = ['2024-01-01', '2024-03-31', '2024-04-30', '2024-07-01', '2024-12-31', '2023-12-31', '1970-01-01']
const instants = [
  '2024-04-11T08:30:00Z',
  '2024-07-11T00:00:00.000001Z',
  '2024-05-11T02:00:00+02:00',
  '2025-01-01T00:00:00-11:30',
]

interface FuzzRequest {
  /** As the document writes it. */
  readonly route: string
  readonly path: string
  readonly asking: Asking
}

class FuzzRequests {
  readonly #document: OpenApiDocument
  readonly #conformance: Conformance
  readonly #chance: Chance
  readonly #names: readonly string[]
  readonly #authorization: string
  readonly #prefixes: readonly string[]
  /** Cursors and tags from earlier answers. */
  readonly gathered: string[] = []

  constructor(document: OpenApiDocument, chance: Chance, names: readonly string[], authorization: string) {
    this.#document = document
    this.#conformance = new Conformance(document)
    this.#chance = chance
    this.#names = names
    this.#authorization = authorization
    this.#prefixes = document.servers.map(server => (server as { readonly url: string }).url)
  }

  next(): FuzzRequest {
    const chance = this.#chance
    const [route, methods] = chance.pick(Object.entries(this.#document.paths))
    const [usual, operation] = Object.entries(methods)[0] as [string, DescribedOperation]
    const parameters = operation.parameters.map(each => this.#conformance.resolve<DescribedParameter>(each))
    const filled = route.replace(/\{\w+\}/g, () => encodeURIComponent(this.#name()))
    const pairs = parameters
      .filter(({ in: place }) => place === 'query' && chance.chance(35))
      .flatMap(parameter => this.#pairs(parameter))
    if (chance.chance(4)) pairs.push(`${encodeURIComponent(this.#mutate(chance.pick(['asOf', 'limit', 'x'])))}=1`)
    const search = pairs.length === 0 ? chance.pick(['', '', '?', '?&']) : `?${pairs.join('&')}`
    const prefix = chance.pick(this.#prefixes)
    const method = chance.chance(90)
      ? usual.toUpperCase()
      : chance.pick(['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'TRACE'])
    const sent = this.#body(operation)
    const headers = { ...this.#headers(), ...sent.headers }
    return { route, path: prefix + filled + search, asking: { method, ...sent, headers } }
  }

  /** One of the described examples, often with a character changed, and sometimes under another type. */
  #body({ requestBody }: DescribedOperation): Pick<Asking, 'body' | 'headers'> {
    if (requestBody === undefined) return {}
    const chance = this.#chance
    const { content } = requestBody as { content: Record<string, { readonly example: unknown }> }
    const [type, { example }] = chance.pick(Object.entries(content))
    let body = typeof example === 'string' ? example : JSON.stringify(example)
    for (let i = chance.int(0, 4); i > 0; i--) body = this.#mutate(body)
    if (chance.chance(10)) body = chance.pick(nonsense)
    const named = chance.chance(90) ? type : chance.pick(['text/plain', 'application/json;charset=utf-16', ''])
    return { body: body.toWellFormed(), headers: named === '' ? {} : { 'content-type': named } }
  }

  #pairs(parameter: DescribedParameter): string[] {
    const pair = `${parameter.name}=${this.#encode(this.#value(parameter))}`
    return this.#chance.chance(3) ? [pair, pair] : [pair]
  }

  #encode(text: string): string {
    return this.#chance.chance(97)
      ? encodeURIComponent(text.toWellFormed())
      : encodeURI(text.toWellFormed()).replace(/[&#]/g, '')
  }

  #name(): string {
    const name = this.#chance.chance(75) ? this.#chance.pick(this.#names) : this.#chance.pick(nonsense)
    return (this.#chance.chance(10) ? this.#mutate(name) : name).toWellFormed() || 'x'
  }

  #value({ name, schema, example }: DescribedParameter): string {
    const chance = this.#chance
    const kind = chance.int(1, 100)
    if (kind <= 15) return chance.pick(nonsense)
    const good = this.#good(name, schema, String(example))
    return kind <= 25 ? this.#mutate(good) : good
  }

  #good(name: string, schema: Readonly<Record<string, unknown>>, example: string): string {
    const chance = this.#chance
    if (Array.isArray(schema.enum)) return String(chance.pick(schema.enum))
    // A held answer comes no sooner than requested.
    if (name === 'wait') return '0'
    if (name === 'ids' || name === 'series' || name === 'pam') return chance.pick(this.#names)
    if (name === 'item') return chance.pick(['BR-100', '-X', 'none', 'steel'])
    if (schema.type === 'integer') return String(chance.int(1, Number(schema.maximum ?? 100)))
    if (name === 'asOf' || name === 'knownAt') return chance.pick([...days, ...instants, new Date().toISOString()])
    if (name === 'from' || name === 'to' || name === 'date') return chance.pick(days)
    if (name === 'period')
      return chance.pick(['2024-Q2', '2024-Q3', '2024-Q4', '2024-04', '2024', '2024-H1', '2025-Q1'])
    if (name === 'cursor' && this.gathered.length > 0) return chance.pick(this.gathered)
    return example
  }

  #mutate(text: string): string {
    const at = this.#chance.int(0, Math.max(0, text.length - 1))
    const other = String.fromCharCode(this.#chance.int(1, 0x17f))
    return this.#chance.pick([
      text.slice(0, at) + other + text.slice(at + 1),
      text.slice(0, at) + text.slice(at + 1),
      text.slice(0, at) + other + text.slice(at),
      text.toUpperCase(),
      text.toLowerCase(),
      `${text} `,
      text + text,
    ])
  }

  #headers(): Record<string, string> {
    const chance = this.#chance
    const headers: Record<string, string> = chance.chance(96) ? { authorization: this.#authorization } : {}
    if (chance.chance(25))
      headers['accept-encoding'] = chance.pick(['gzip', 'br', '*', 'gzip;q=0', 'identity', ';;,', 'br;q=2'])
    if (chance.chance(15))
      headers['if-none-match'] = chance.pick(['*', '"x"', 'W/"x"', ',,', '""', ...this.gathered.slice(-3)])
    if (chance.chance(5))
      headers[chance.pick(['range', 'accept', 'if-modified-since', 'x-forwarded-for', 'cookie', 'te', 'origin'])] =
        chance.pick(['bytes=0-1', 'text/html', 'x', '*/*;q=0', 'text/csv'])
    return headers
  }
}

function unpack(reply: Reply): Reply {
  const encoding = reply.headers['content-encoding']
  if (encoding === undefined || reply.body.length === 0) return reply
  return { ...reply, text: (encoding === 'br' ? brotliDecompressSync : gunzipSync)(reply.body).toString() }
}

export interface FuzzReport {
  readonly failures: readonly string[]
  readonly statuses: Readonly<Record<number, number>>
  readonly slowestMs: number
}

class Fuzz {
  readonly #api: Api
  readonly #requests: FuzzRequests
  readonly #conformance: Conformance
  readonly #isTimed: boolean
  readonly failures: string[] = []
  readonly statuses: Record<number, number> = {}
  slowestMs = 0

  constructor(api: Api, requests: FuzzRequests, conformance: Conformance, isTimed: boolean) {
    this.#api = api
    this.#requests = requests
    this.#conformance = conformance
    this.#isTimed = isTimed
  }

  async ask(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const request = this.#requests.next()
      const reply = await this.#api.ask(request.path, request.asking).catch((error: Error) => error)
      if (reply instanceof Error) this.failures.push(`${say(request)}: ${reply.message}`)
      else await this.#judge(request, reply)
    }
  }

  async #judge(request: FuzzRequest, reply: Reply): Promise<void> {
    const { status, headers } = reply
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
    this.#gather(reply)
    // A pause of the machine is not a slow answer: a slow one would be slow again.
    const ms = reply.ms < slowestAllowedMs ? reply.ms : (await this.#api.ask(request.path, request.asking)).ms
    this.slowestMs = Math.max(this.slowestMs, ms)
    if (this.#isTimed && ms >= slowestAllowedMs) this.failures.push(`${say(request)}: ${Math.ceil(ms)} ms`)
    if (status >= 500) this.failures.push(`${say(request)}: ${status} ${reply.text}`)
    if (request.asking.method === 'HEAD') {
      if (reply.body.length > 0) this.failures.push(`${say(request)}: HEAD with a body`)
      return
    }
    // Which methods are accepted is not an answer of a route.
    if (request.asking.method === 'OPTIONS' && status === 204) return
    if (headers['x-request-id'] === undefined) this.failures.push(`${say(request)}: no X-Request-Id`)
    const problems = this.#conformance.problemsOfReply(request.route, unpack(reply))
    this.failures.push(...problems.map(problem => `${say(request)}: ${status} ${problem}`))
  }

  #gather({ text, headers }: Reply): void {
    const cursor = /"nextCursor":"([^"]+)"/.exec(text)?.[1]
    for (const found of [cursor, headers.etag]) if (found !== undefined) this.#requests.gathered.push(found)
    if (this.#requests.gathered.length > 50) this.#requests.gathered.splice(0, 20)
  }
}

function say({ path, asking }: FuzzRequest): string {
  return `${asking.method} ${path.slice(0, 300)} ${JSON.stringify({ ...asking.headers, authorization: undefined })}`
}

async function namesOf(tenant: Tenant, stranger: Tenant): Promise<string[]> {
  const { steel, wages, agreement } = await fillSample(tenant)
  const theirs = await fillSample(stranger)
  return [steel, wages, agreement, 'steel', steel, agreement, theirs.steel, theirs.agreement, tenant.keyId, 'none']
}

/** Prices and invoices for the routes that show them. */
async function fillPrices(tenant: Tenant): Promise<string[]> {
  await tenant.apply(pricedDocument())
  await applyList(tenant, 'steel-brackets', bracketList)
  const line = { agreement: 'steel-brackets', item: 'BR-100', quantity: '100', unitPrice: '12.69' }
  await keepLines(
    tenant,
    ['2024-05-10', '2024-08-01'].map((date, i) => ({
      ...line,
      invoice: 'steel',
      line: `${i}`,
      supplier: 'steel',
      date,
    })),
  )
  return ['steel-brackets', 'steel-brackets']
}

/** Requests made from one of the served documents. */
export async function fuzzApi(
  api: Api,
  { rounds, seed, isTimed = false }: Omit<LongRun, 'say'>,
  address: '/openapi.json' | '/ext/openapi.json' = '/openapi.json',
): Promise<FuzzReport> {
  const document = JSON.parse((await api.ask(address)).text) as OpenApiDocument
  const tenant = await api.tenant()
  const names = await namesOf(tenant, await api.tenant())
  const isExt = address === '/ext/openapi.json'
  if (isExt) names.push(...(await fillPrices(tenant)))
  const { authorization } = (isExt ? await withMoney(tenant) : tenant).authorization
  const requests = new FuzzRequests(document, new Chance(seed), names, authorization)
  const fuzz = new Fuzz(api, requests, new Conformance(document), isTimed)
  const each = Math.ceil(rounds / askedAtOnce)
  await Promise.all(Array.from({ length: askedAtOnce }, () => fuzz.ask(each)))
  return fuzz
}
