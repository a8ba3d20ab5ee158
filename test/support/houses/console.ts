// The real server with a workspace, people of every role in it, and browsers in which they are signed in: what a page
// sends, as functions. Passwords are set as the operator would set them, and people sit in front of a session that is
// stored for them; everything else goes over HTTP.
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openPublicLog } from '../../../src/agreements/installation-log.ts'
import { Seal } from '../../../src/agreements/seal.ts'
import { readConfig } from '../../../src/config.ts'
import { type Role, roles } from '../../../src/core/roles.ts'
import { consoleRoutes } from '../../../src/http/console/console.ts'
import type { ConsoleParts, ConsoleRoute } from '../../../src/http/console/frame/route.ts'
import { formatSessionCookie } from '../../../src/http/console/frame/session-cookie.ts'
import { Library } from '../../../src/read/library.ts'
import { unbounded } from '../../../src/read/memory/library-bounds.ts'
import { recordsAccess } from '../../../src/storage/log/access-log.ts'
import type { SignIn } from '../../../src/storage/people/member.ts'
import { hashUnder } from '../../../src/storage/people/password.ts'
import { admit, createMember, setFirstPassword } from '../../../src/storage/people/people.ts'
import { openSession } from '../../../src/storage/people/sessions.ts'
import { findByHash, loadSignInGround } from '../../../src/storage/people/sign-ins.ts'
import { type Queryable, type Transaction, withWorkspace } from '../../../src/storage/postgres/database.ts'
import type { Asking, Reply } from '../clients/http-client.ts'
import { easySalt } from '../easy-hash.ts'
import { openTestDatabase } from '../run/postgres.ts'
import { type Api, type ApiOptions, type Ground, openApi, ownFolder, type Tenant } from './api.ts'

/** The same people who sign with `Tenant.sign`, and two more. */
export const emails: Readonly<Record<Role, string>> = {
  owner: 'olga@owner.test',
  editor: 'eva@editor.test',
  buyer: 'ann@buyer.test',
  supplier: 'sam@supplier.test',
  viewer: 'vic@viewer.test',
}
export const password = 'a password of the tests'
const userAgent = 'a browser of the tests'

export interface ConsoleReply extends Reply {
  /** The JSON of the answer; `undefined` without a body or where it is no JSON. */
  readonly json: unknown
}

/** For `beforeAll`; `close` belongs in `afterAll`. */
export async function openConsole(options: ApiOptions = {}, ground?: Ground): Promise<TestConsole> {
  const api = await openApi(ground ?? (await openTestDatabase()), options)
  return new TestConsole(api, await makeSeats(api))
}

/** A workspace of its own with a person of every role, each signed in. */
export interface Seats {
  readonly tenant: Tenant
  readonly slug: string
  readonly as: Readonly<Record<Role, Browser>>
}

/** The same people each time, so that they work in several workspaces; with a prefix, people of its own. */
export async function makeSeats(api: Api, prefix = ''): Promise<Seats> {
  const tenant = await api.tenant()
  const slug = api.slugOf(tenant.id)
  const taken: [Role, Browser][] = []
  await withWorkspace(api.sql, tenant.id, async tx => {
    for (const role of roles) {
      const email = `${prefix}${emails[role]}`
      const { id } = await admit(tx, tenant.id, { email, role }, { who: 'operator', fromAddress: null })
      const browser = new Browser(api, slug)
      await browser.sit(tx, await joinEasily(tx, id, email))
      taken.push([role, browser])
    }
  })
  return { tenant, slug, as: Object.fromEntries(taken) as Record<Role, Browser> }
}

/** The answer to a list that is computed in the background, once all of it is known. */
export async function askUntilKnown<T extends { readonly updating: number }>(
  browser: Browser,
  path: string,
): Promise<T> {
  for (;;) {
    const found = await browser.json<T>(path)
    if (found.updating === 0) return found
  }
}

/** Adds a person with `password` who has already joined. */
export async function joinFully(
  { sql }: Pick<Api, 'sql'>,
  workspaceId: string,
  email: string,
  role: Role,
): Promise<string> {
  const { id } = await createMember(sql, workspaceId, { email, role })
  return setFirstPassword(sql, workspaceId, id, password)
}

/** The same for tests that are not about passwords: the stored hash is one that is cheap to make and to compare. */
export async function join({ sql }: Pick<Api, 'sql'>, workspaceId: string, email: string, role: Role): Promise<string> {
  const { id } = await createMember(sql, workspaceId, { email, role })
  return (await withWorkspace(sql, workspaceId, tx => joinEasily(tx, id, email))).id
}

/** An account and its hash, which is that of `password`. */
type Account = Pick<SignIn, 'id' | 'passwordHash'>

/** Somebody with an account joins with the password of that account. */
async function joinEasily(tx: Transaction, personId: string, email: string): Promise<Account> {
  const { salts } = await loadSignInGround(tx, email, '')
  const hashes = await hashUnder(salts.length === 0 ? [easySalt] : salts, password)
  const known = await findByHash(tx, email, hashes, '')
  const hash = known?.passwordHash ?? hashes[0]!
  recordsAccess(tx)
  const [joined] = await tx<{ id: string | null }[]>`
    select join_here(${personId}, ${known?.id ?? null}, ${hash}, ${[...salts]}) as id`
  if (joined!.id === null) throw new Error(`${email} cannot join`)
  return known ?? { id: joined!.id, passwordHash: hash }
}

/** The table of routes behind a workspace, for tests that go through all of them or ask one directly. */
export function tableOfRoutes(api: Api, more: Partial<ConsoleParts> = {}): readonly ConsoleRoute[] {
  return consoleRoutes(partsOfConsole(api, more))
}

/** What routes are made of, with a library of their own that nobody notifies. */
export function partsOfConsole({ sql, ring, target }: Api, more: Partial<ConsoleParts> = {}): ConsoleParts {
  const config = readConfig(ownFolder()).config!
  return {
    installation: { sql, ring, target },
    config,
    library: new Library(sql, 1024 * 1024, { seals: new Seal(ring).rows, report: () => {} }),
    seal: new Seal(ring),
    log: openPublicLog({ sql, ring }, config, () => {}),
    now: () => '2026-01-01T00:00:00.000000Z',
    catchUp: async () => {},
    bounds: unbounded,
    fileReading: null,
    ...more,
  }
}

export async function signIn(api: Api, email: string, slug: string, secret = password): Promise<Browser> {
  const browser = new Browser(api, slug)
  const { status, text } = await browser.signIn(email, secret)
  if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`)
  return browser
}

export class TestConsole {
  readonly api: Api
  readonly tenant: Tenant
  readonly slug: string
  readonly as: Readonly<Record<Role, Browser>>

  constructor(api: Api, { tenant, slug, as }: Seats) {
    this.api = api
    this.tenant = tenant
    this.slug = slug
    this.as = as
  }

  /** Nobody is signed in. */
  browser(options: BrowserOptions = {}): Browser {
    return new Browser(this.api, this.slug, options)
  }

  close(): Promise<void> {
    return this.api.close()
  }
}

export interface BrowserOptions {
  /** The Host header; `127.0.0.1` and the port where it is left out. */
  readonly host?: string
  /** An address of this machine to send from. */
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Where a browser sends its requests: a server in this process or another. */
export type Served = Pick<Api, 'ask' | 'client'>

/** A browser: it keeps our cookie and sends the origin of its requests. `path` follows `/console/w/<slug>`. */
export class Browser {
  readonly api: Served
  readonly slug: string
  readonly #options: BrowserOptions
  cookie: string | null = null

  constructor(api: Served, slug: string, options: BrowserOptions = {}) {
    this.api = api
    this.slug = slug
    this.#options = options
  }

  get(path: string, asking: Asking = {}): Promise<ConsoleReply> {
    return this.ask(`/w/${this.slug}${path}`, asking)
  }

  post(path: string, body: unknown = {}, asking: Asking = {}): Promise<ConsoleReply> {
    return this.send('POST', `/w/${this.slug}${path}`, body, asking)
  }

  patch(path: string, body: unknown = {}, asking: Asking = {}): Promise<ConsoleReply> {
    return this.send('PATCH', `/w/${this.slug}${path}`, body, asking)
  }

  delete(path: string, asking: Asking = {}): Promise<ConsoleReply> {
    return this.send('DELETE', `/w/${this.slug}${path}`, {}, asking)
  }

  upload(path: string, file: string | Buffer, asking: Asking = {}): Promise<ConsoleReply> {
    const { headers = {}, ...more } = asking
    return this.ask(`/w/${this.slug}${path}`, {
      method: 'POST',
      body: file,
      headers: { ...this.origin, 'content-type': 'application/octet-stream', ...headers },
      ...more,
    })
  }

  /** The body of a 2xx, as the wire says it is. */
  async json<T>(path: string): Promise<T> {
    const { status, text, json } = await this.get(path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
    return json as T
  }

  /** With a session of theirs, as if they had signed in here. */
  async sit(sql: Queryable, { id: personId, passwordHash }: Account): Promise<void> {
    const token = await openSession(sql, { personId, passwordHash, fromAddress: '127.0.0.1', userAgent })
    this.#keep(formatSessionCookie(token!))
  }

  signIn(email: string, secret: string): Promise<ConsoleReply> {
    return this.send('POST', '/sign-in', { email, password: secret })
  }

  /** Enters the password again, as before a signature. */
  confirm(secret = password): Promise<ConsoleReply> {
    return this.send('POST', '/confirm', { password: secret })
  }

  /** `path` follows `/console`. */
  send(method: string, path: string, body: unknown, { headers = {}, ...more }: Asking = {}): Promise<ConsoleReply> {
    const text = JSON.stringify(body)
    // Node frames no body of a DELETE by itself.
    const length = { 'content-length': Buffer.byteLength(text) }
    return this.ask(path, {
      method,
      body: text,
      headers: { ...this.origin, ...length, 'content-type': 'application/json', ...headers },
      ...more,
    })
  }

  /** `path` follows `/console`. */
  async ask(path: string, { headers = {}, ...more }: Asking = {}): Promise<ConsoleReply> {
    const { from, headers: always = {} } = this.#options
    const reply = await this.api.ask(`/console${path}`, {
      ...(from === undefined ? {} : { from }),
      ...more,
      headers: {
        host: this.host,
        'accept-encoding': 'br, gzip',
        'user-agent': userAgent,
        ...(this.cookie === null ? {} : { cookie: this.cookie }),
        ...always,
        ...headers,
      },
    })
    const [set] = reply.headers['set-cookie'] ?? []
    if (set !== undefined) this.#keep(set)
    const text = unpack(reply).toString()
    const isJson = reply.headers['content-type'] === 'application/json' && text !== ''
    return { ...reply, text, json: isJson ? JSON.parse(text) : undefined }
  }

  get host(): string {
    return this.#options.host ?? `127.0.0.1:${this.api.client.port}`
  }

  get origin(): Readonly<Record<string, string>> {
    return { origin: `http://${this.host}`, 'sec-fetch-site': 'same-origin' }
  }

  #keep(set: string): void {
    const pair = set.split(';', 1)[0]!
    this.cookie = pair.endsWith('=') ? null : pair
  }
}

function unpack({ body, headers }: Reply): Buffer {
  const encoding = headers['content-encoding']
  if (encoding === 'br') return brotliDecompressSync(body)
  return encoding === 'gzip' ? gunzipSync(body) : body
}

/** The lines of an NDJSON answer. */
export function linesOf<T>({ text }: Reply): readonly T[] {
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as T)
}
