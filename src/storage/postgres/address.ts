// Where a database is and how to get into it, from an address as operators write it.
import { addressOfEachHost } from '../../core/text/host-list.ts'
import type { ConnectionOptions } from './connection.ts'
import type { Host } from './servers.ts'

interface Address
  extends Pick<
    ConnectionOptions,
    'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'isPlainAllowed' | 'settings'
  > {
  /** Where one of them is to be the primary. Null: there is one server, and it is what it is. */
  readonly hosts: readonly Host[] | null
}

const usualPort = 5432

/** What addresses tell programs and drivers, and no session knows. How we connect is the same everywhere. */
const forDrivers = new Set([
  ...['connect_timeout', 'sslnegotiation', 'max', 'idle_timeout', 'max_lifetime', 'max_pipeline'],
  ...['backoff', 'keep_alive', 'prepare', 'debug', 'fetch_types', 'publications'],
])

/**
 * `postgres://user:password@host:port/database?sslmode=…`. A host may be the folder of a socket, with `%2F` for slashes; what
 * else is behind the question mark are settings of the session. User and password may come from PGUSER and PGPASSWORD. Of
 * several hosts, with commas between, the primary is used, and of one with `target_session_attrs=read-write` too.
 */
export function readAddress(text: string): Address {
  const urls = addressOfEachHost(text).map(each => new URL(each ?? ''))
  const [url] = urls as [URL]
  const { sslmode, ssl = sslmode, target_session_attrs: needs, ...others } = Object.fromEntries(url.searchParams)
  const hosts = urls.map(readHost)
  return {
    ...hosts[0]!,
    hosts: hosts.length > 1 || (needs ?? 'any') !== 'any' ? hosts : null,
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)),
    ...encryptionOf(ssl ?? 'disable'),
    settings: Object.fromEntries(Object.entries(others).filter(([name]) => !forDrivers.has(name))),
  }
}

function readHost({ hostname, port }: URL): Host {
  return {
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? usualPort : Number(port),
  }
}

/** Only the stricter modes look at the server's certificate, as in PostgreSQL's own programs. */
function encryptionOf(mode: string): Pick<Address, 'ssl' | 'isPlainAllowed'> {
  if (mode === 'disable' || mode === 'false') return { ssl: false, isPlainAllowed: false }
  const isUnverified = ['allow', 'prefer', 'require'].includes(mode)
  return { ssl: { rejectUnauthorized: !isUnverified }, isPlainAllowed: mode === 'prefer' }
}
