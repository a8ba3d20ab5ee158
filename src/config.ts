// The only reader of the environment: turns variables into a checked Config and reports every mistake at once, one line
// each. It opens nothing and remembers nothing; secrets and addresses with passwords never appear in its messages.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type ProviderName, providerNames } from './core/series/series.ts'
import { readSecrets } from './core/text/secret-list.ts'
import { limits } from './limits.ts'
import { namesSeveralHosts, readSentinelAddress } from './sentinel-address.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** Encrypted from the first byte (`smtps://`); otherwise from STARTTLS on, where the server offers it. */
  readonly isSecure: boolean
  /** Nothing is sent without encryption. */
  readonly needsTls: boolean
  readonly login: { readonly user: string; readonly password: string } | null
}

export interface Config {
  readonly host: string
  readonly port: number
  /** Folder of the embedded database and of its secrets; absolute. */
  readonly dataFolder: string
  /** `null`: the embedded database. */
  readonly databaseUrl: string | null
  /** The database itself where `databaseUrl` leads to a pooler. `null`: there is none in between. */
  readonly databaseDirectUrl: string | null
  /** `null`: limits are counted in memory. */
  readonly redisUrl: string | null
  /** `null`: made at first start and kept in the data folder (embedded database only). */
  /** Secrets, at least one, the newest last. */
  readonly secrets: readonly string[] | null
  readonly providerBases: ReadonlyMap<ProviderName, string>
  readonly providerKeys: ReadonlyMap<ProviderName, string>
  /** Contact of the operator for providers: an e-mail address or a page. `null`: the postmaster of this machine. */
  readonly contact: string | null
  /** `null`: no mail is sent. */
  readonly smtp: SmtpServer | null
  /** `Assize <prices@example.com>`; `null`: `assize@` the host of the public address. */
  readonly mailFrom: string | null
  /** Address of the pages, for links in mails: `https://prices.example`. `null`: this machine's own address. */
  readonly publicUrl: string | null
  /** Identity providers that are not on the public internet and may be asked all the same: names, addresses or ranges. */
  readonly privateHosts: readonly string[]
  readonly logLevel: LogLevel
  /** `null`: no metrics. */
  readonly metricsPort: number | null
  readonly cacheMb: number
  readonly corsOrigins: readonly string[]
  /** Number or addresses of the proxies in front of this server; `null`: none, the peer's address counts. */
  readonly trustProxy: number | readonly string[] | null
  /** Name of the public log; `null`: `assize/` and the beginning of the seal's public key. */
  readonly logName: string | null
  /** Policy that names the witnesses of the log; absolute. `null`: none is asked. */
  readonly witnessesFile: string | null
  /** The authority that stamps the log's checkpoints with their time. `null`: none. */
  readonly timeAuthority: string | null
  /** Whether every act is written to standard output. */
  readonly streamsAudit: boolean
  /** Days for which acts are kept; `null`: for good. */
  readonly auditKeptDays: number | null
}

type ConfigReading =
  | { readonly config: Config; readonly mistakes: readonly [] }
  | { readonly config: null; readonly mistakes: readonly string[] }

type Environment = Readonly<Record<string, string | undefined>>

/** Reads one variable: a value, or `undefined` if it is absent or a mistake was reported. */
type ReadVariable = <T>(
  name: string,
  rule: string,
  read: (text: string) => T | undefined,
  secret?: 'secret',
) => T | undefined

const providerBasePrefix = 'ASSIZE_PROVIDER_BASE_'
const providerKeyPrefix = 'ASSIZE_KEY_'
const ownNames = new Set([
  'ASSIZE_DATA',
  'ASSIZE_SECRET',
  'ASSIZE_CACHE_MB',
  'ASSIZE_CORS_ORIGINS',
  'ASSIZE_TRUST_PROXY',
  'ASSIZE_CONTACT',
  'ASSIZE_MAIL_FROM',
  'ASSIZE_PUBLIC_URL',
  'ASSIZE_PRIVATE_HOSTS',
  'ASSIZE_LOG_NAME',
  'ASSIZE_WITNESSES',
  'ASSIZE_TSA',
  'ASSIZE_AUDIT',
  'ASSIZE_AUDIT_KEEP_DAYS',
])

/** Variables of the API's clients: not ours, and no mistake. */
const clientNames = new Set(['ASSIZE_KEY', 'ASSIZE_URL'])

export function readConfig(env: Environment): ConfigReading {
  const mistakes: string[] = []
  const look: ReadVariable = (name, rule, read, secret) => {
    const text = env[name]
    if (text === undefined || text === '') return undefined
    const value = read(text)
    if (value === undefined) mistakes.push(`${name} must be ${rule}${secret ? '' : `, got ${JSON.stringify(text)}`}`)
    return value
  }
  const lookDatabase = (name: string) => {
    if (!namesSeveralHosts(env[name] ?? '')) return look(name, databaseRule, readDatabaseUrl, 'secret') ?? null
    mistakes.push(
      `${name} names several hosts; name HAProxy alone, which leads to the primary (docs/operating/cluster)`,
    )
    return null
  }
  const databaseUrl = lookDatabase('DATABASE_URL')
  const config: Config = {
    host: look('HOST', 'an address or a host name', readHost) ?? '127.0.0.1',
    port: look('PORT', 'a whole number from 0 to 65535', text => readWhole(text, 0, 65_535)) ?? 8080,
    dataFolder: resolve(env.ASSIZE_DATA || './data'),
    databaseUrl,
    databaseDirectUrl: lookDatabase('DATABASE_DIRECT_URL'),
    redisUrl: look('REDIS_URL', redisRule, readRedisUrl, 'secret') ?? null,
    secrets: look('ASSIZE_SECRET', secretRule, readSecretList, 'secret') ?? null,
    providerBases: readProviders(env, providerBasePrefix, mistakes, readBase),
    providerKeys: readProviders(env, providerKeyPrefix, mistakes, text => text),
    contact: look('ASSIZE_CONTACT', 'an e-mail address or an http:// or https:// address', readContact) ?? null,
    smtp: look('SMTP_URL', smtpRule, readSmtp, 'secret') ?? null,
    mailFrom: look('ASSIZE_MAIL_FROM', 'an e-mail address, or a name and <an address>', readSender) ?? null,
    publicUrl: look('ASSIZE_PUBLIC_URL', 'an http:// or https:// address without a path', readOrigin) ?? null,
    privateHosts:
      look('ASSIZE_PRIVATE_HOSTS', 'host names, addresses or ranges, with commas between', readPrivateHosts) ?? [],
    logLevel:
      look('LOG_LEVEL', `one of ${logLevels.join(' ')}`, text => logLevels.find(level => level === text)) ?? 'info',
    metricsPort: look('METRICS_PORT', 'a whole number from 0 to 65535', text => readWhole(text, 0, 65_535)) ?? null,
    cacheMb: readCache(look),
    corsOrigins:
      look('ASSIZE_CORS_ORIGINS', 'origins such as https://example.com, with commas between', readOrigins) ?? [],
    trustProxy: look('ASSIZE_TRUST_PROXY', 'the number of proxies (1 to 10), or their addresses', readProxies) ?? null,
    logName:
      look('ASSIZE_LOG_NAME', 'a name such as prices.example.com/log, without spaces and "+"', readLogName) ?? null,
    witnessesFile: env.ASSIZE_WITNESSES ? resolve(env.ASSIZE_WITNESSES) : null,
    timeAuthority: look('ASSIZE_TSA', 'an http:// or https:// address', readBase) ?? null,
    streamsAudit:
      look('ASSIZE_AUDIT', '"stdout": a shipper takes the lines from there', text => text === 'stdout' || undefined) ??
      false,
    auditKeptDays:
      look('ASSIZE_AUDIT_KEEP_DAYS', `a whole number of days from ${keptDays.least} to ${keptDays.most}`, text =>
        readWhole(text, keptDays.least, keptDays.most),
      ) ?? null,
  }
  if (databaseUrl !== null && !env.ASSIZE_SECRET)
    mistakes.push(
      `ASSIZE_SECRET must be set (at least ${limits.secretBytes} bytes) when DATABASE_URL is: every process needs the same one`,
    )
  if (env.DATABASE_DIRECT_URL && !env.DATABASE_URL)
    mistakes.push('DATABASE_DIRECT_URL is the way past a pooler in DATABASE_URL, which is not set')
  mistakes.push(...unknownNames(env))
  return mistakes.length === 0 ? { config, mistakes: [] } : { config: null, mistakes }
}

/** A mistyped name would otherwise be a setting that silently does nothing. */
function unknownNames(env: Environment): string[] {
  return Object.keys(env)
    .filter(name => name.startsWith('ASSIZE_') && !ownNames.has(name) && !clientNames.has(name))
    .filter(name => !name.startsWith(providerBasePrefix) && !name.startsWith(providerKeyPrefix))
    .sort()
    .map(name => `${name} is not a variable Assize knows`)
}

function readProviders(
  env: Environment,
  prefix: string,
  mistakes: string[],
  read: (text: string) => string | undefined,
): ReadonlyMap<ProviderName, string> {
  const found = new Map<ProviderName, string>()
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || text === undefined || text === '') continue
    const provider = providerNames.find(known => known === name.slice(prefix.length))
    const value = read(text)
    if (provider === undefined) mistakes.push(`${name} names no provider; known are ${providerNames.join(' ')}`)
    else if (value === undefined) mistakes.push(`${name} must be an http:// or https:// address`)
    else found.set(provider, value)
  }
  return found
}

function readCache(look: ReadVariable): number {
  const { usual, least, most } = limits.cacheMb
  return (
    look('ASSIZE_CACHE_MB', `a whole number from ${least} to ${most}`, text => readWhole(text, least, most)) ?? usual
  )
}

/** Acts are kept for a month at least. */
const keptDays = { least: 30, most: 36_500 }

function readWhole(text: string, least: number, most: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined
  const value = Number.parseInt(text, 10)
  return value >= least && value <= most ? value : undefined
}

function readHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text) ? text : undefined
}

function readSecretList(text: string): readonly string[] | undefined {
  return readSecrets(text, { bytes: limits.secretBytes, most: limits.secretsListed }) ?? undefined
}

const secretRule = `at least ${limits.secretBytes} bytes long, or up to ${limits.secretsListed} such secrets with spaces between`

function readUrl(text: string, ...protocols: readonly string[]): string | undefined {
  const url = URL.parse(text)
  return url !== null && protocols.includes(url.protocol) ? text : undefined
}

const databaseRule = 'postgres://user:password@host/database'

/** The database's name is required: otherwise the driver would use the name of the user. */
export function readDatabaseUrl(text: string): string | undefined {
  const url = readUrl(text, 'postgres:', 'postgresql:')
  return url !== undefined && new URL(url).pathname.length > 1 ? url : undefined
}

const redisRule = 'redis://…, rediss://… or redis+sentinel://user:password@host:port,host:port,…/name'

function readRedisUrl(text: string): string | undefined {
  if (readSentinelAddress(text) !== null) return text
  return namesSeveralHosts(text) ? undefined : readUrl(text, 'redis:', 'rediss:')
}

function readBase(text: string): string | undefined {
  return readUrl(text, 'http:', 'https:')?.replace(/\/+$/, '')
}

/** The contact stands in a header, between parentheses: plain characters only. */
function readContact(text: string): string | undefined {
  if (text.length > limits.emailLength || !/^[!-'*-~]+$/.test(text)) return undefined
  const isEmail = /^[^@:/]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(text)
  return isEmail ? text : readUrl(text, 'http:', 'https:')
}

const smtpRule = 'smtp://user:password@host:port or smtps://…, with ?tls=optional and nothing else behind it'

/** A password is never sent unencrypted except to this machine, unless the operator asks for it. */
function readSmtp(text: string): SmtpServer | undefined {
  const url = URL.parse(text)
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol)) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const more = url.search === '' ? null : url.search
  if (readHost(host) === undefined || !['', '/'].includes(url.pathname) || url.hash !== '') return undefined
  if (more !== null && more !== '?tls=optional') return undefined
  const [user, password] = [decoded(url.username), decoded(url.password)]
  if (user === undefined || password === undefined || (user === '') !== (password === '')) return undefined
  const isSecure = url.protocol === 'smtps:'
  const port = url.port === '' ? (isSecure ? 465 : 587) : readWhole(url.port, 1, 65_535)
  if (port === undefined) return undefined
  const login = user === '' ? null : { user, password }
  const isHere = host === 'localhost' || host === '::1' || host.startsWith('127.')
  return { host, port, isSecure, needsTls: login !== null && !isHere && more === null, login }
}

/** Decoded text; `undefined` if it is not percent-encoded. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The sender stands in a header: one address, with or without a plain name before it. */
function readSender(text: string): string | undefined {
  if (text.length > limits.emailLength + limits.namesLength) return undefined
  const isSender = /^(?:[^<>"\\,;:@\p{Cc}]+ <)?[^\s<>@,;:"\\]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(>)?$/u.test(
    text,
  )
  return isSender && text.includes('<') === text.endsWith('>') ? text : undefined
}

function readOrigin(text: string): string | undefined {
  const base = readBase(text)
  return base !== undefined && URL.parse(base)?.origin === base ? base : undefined
}

function readOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map(part => part.trim())
  return origins.every(origin => URL.parse(origin)?.origin === origin) ? origins : undefined
}

/** The name may not end in a number, as the origins of forks do. */
function readLogName(text: string): string | undefined {
  return /^[!-*,-~]{1,100}$/.test(text) && !/\/\d+$/.test(text) ? text : undefined
}

function readProxies(text: string): number | readonly string[] | undefined {
  const hops = readWhole(text, 1, 10)
  if (hops !== undefined) return hops
  const addresses = text.split(',').map(part => part.trim())
  return addresses.every(isAddressOrRange) ? addresses : undefined
}

function readPrivateHosts(text: string): readonly string[] | undefined {
  const listed = text.split(',').map(part => part.trim())
  return listed.every(each => isAddressOrRange(each) || readHost(each) !== undefined) ? listed : undefined
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || readWhole(bits, 0, family === 4 ? 32 : 128) !== undefined
}

const byName: readonly string[] = ['0.0.0.0', '::', '0:0:0:0:0:0:0:0', '127.0.0.1', '::1']

/**
 * The address of the server for a browser on this machine: by name, because then a browser stays signed in without TLS, and
 * because passkeys work only with names.
 */
export function localAddress(host: string, port: number): string {
  const name = byName.includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

export type DatabaseKind = 'embedded' | 'own'

export function databaseKind({ databaseUrl }: Pick<Config, 'databaseUrl'>): DatabaseKind {
  return databaseUrl === null ? 'embedded' : 'own'
}

/** Address of the pages: the configured one, or this machine's own. */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? localAddress(host, port)
}
