// The address of a Redis that sentinels watch over:
// `redis+sentinel://user:password@s1:26379,s2:26379,s3:26379/name/database`. The login is that of Redis; sentinels that have one get it
// from `?sentinel_user=…&sentinel_password=…`.

interface SentinelAddress {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[]
  /** The sentinels' name of the master. */
  readonly name: string
  readonly database: number
  readonly isEncrypted: boolean
  readonly login: Login
  readonly sentinelLogin: Login
}

interface Login {
  readonly username?: string
  readonly password?: string
}

const isEncryptedBy: Readonly<Record<string, boolean>> = { 'redis+sentinel:': false, 'rediss+sentinel:': true }
const usualPort = 26_379
const wholeAddress = /^([a-z][a-z+]*:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/is

/** Whether it has several hosts with commas between, as programs of databases write them; no URL can be read from that. */
export function namesSeveralHosts(text: string): boolean {
  return wholeAddress.exec(text)?.[2]?.includes(',') ?? false
}

/** Reads the address; null where it is something else. */
export function readSentinelAddress(text: string): SentinelAddress | null {
  const [, start, hosts = '', rest] = wholeAddress.exec(text) ?? []
  const urls = hosts.split(',').map(host => (host === '' ? null : URL.parse(`${start}${host}${rest}`)))
  const [first] = urls
  if (first === null || first === undefined || !Object.hasOwn(isEncryptedBy, first.protocol)) return null
  if (urls.some(url => url === null || url.hostname === '')) return null
  const [name = '', database = '0', ...more] = first.pathname.slice(1).split('/')
  if (name === '' || !/^\d{1,4}$/.test(database) || more.length > 0) return null
  const { username, password, searchParams } = first
  return {
    sentinels: urls.map(url => ({
      host: url!.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url!.port || usualPort),
    })),
    name: decodeURIComponent(name),
    database: Number(database),
    isEncrypted: isEncryptedBy[first.protocol]!,
    login: loginOf(decodeURIComponent(username), decodeURIComponent(password)),
    sentinelLogin: loginOf(searchParams.get('sentinel_user'), searchParams.get('sentinel_password')),
  }
}

function loginOf(username: string | null, password: string | null): Login {
  return { ...(username ? { username } : {}), ...(password ? { password } : {}) }
}
