// The address of a database and the way into it, as operators write it.
import type { ConnectionOptions } from './connection.ts'

interface Address
  extends Pick<
    ConnectionOptions,
    'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'isPlainAllowed' | 'settings'
  > {}

const usualPort = 5432

/** Parameters that address programs and drivers, and that no session knows. We connect in the same way everywhere. */
const forDrivers = new Set([
  'target_session_attrs',
  'connect_timeout',
  'sslnegotiation',
  'max',
  'idle_timeout',
  'max_lifetime',
  'max_pipeline',
  'backoff',
  'keep_alive',
  'prepare',
  'debug',
  'fetch_types',
  'publications',
])

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`. A host may be the folder of a socket, with `%2F` for slashes;
 * other words behind the question mark are settings of the session. User and password may come from PGUSER and PGPASSWORD.
 */
export function readAddress(text: string): Address {
  const url = new URL(text)
  const { sslmode, ssl = sslmode, ...others } = Object.fromEntries(url.searchParams)
  return {
    host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? usualPort : Number(url.port),
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)),
    ...encryptionOf(ssl ?? 'disable'),
    settings: Object.fromEntries(Object.entries(others).filter(([name]) => !forDrivers.has(name))),
  }
}

/** Encryption of a mode: only the stricter ones look at the server's certificate, as in PostgreSQL's own programs. */
function encryptionOf(mode: string): Pick<Address, 'ssl' | 'isPlainAllowed'> {
  if (mode === 'disable' || mode === 'false') return { ssl: false, isPlainAllowed: false }
  const isUnverified = ['allow', 'prefer', 'require'].includes(mode)
  return { ssl: { rejectUnauthorized: !isUnverified }, isPlainAllowed: mode === 'prefer' }
}
