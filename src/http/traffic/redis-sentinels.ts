// Which Redis is the master, as the sentinels that watch over it say: what most of those in the address agree on, asked again
// and again. One that was cut off from the others is outvoted, and while there is no majority nothing changes.
import { createClient } from '@redis/client'
import { addressOfEachHost } from '../../core/text/host-list.ts'
import { limits } from '../../limits.ts'

interface SentinelAddress {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[]
  /** What the sentinels call the master. */
  readonly name: string
  readonly sentinelLogin: { readonly username?: string; readonly password?: string }
  /** The address of a master that is there. */
  readonly masterAt: (host: string, port: number) => string
}

const protocols: Readonly<Record<string, string>> = { 'redis+sentinel:': 'redis', 'rediss+sentinel:': 'rediss' }
const usualPort = 26_379
const askEveryMs = 1_000

/**
 * `redis+sentinel://user:password@s1:26379,s2:26379,s3:26379/name/database`: the login is that of Redis; sentinels that have
 * one get it from `?sentinel_user=…&sentinel_password=…`. Null where it is something else.
 */
export function readSentinels(text: string): SentinelAddress | null {
  const urls = addressOfEachHost(text).map(each => (each === null ? null : URL.parse(each)))
  const [first] = urls
  if (first === null || first === undefined || !Object.hasOwn(protocols, first.protocol)) return null
  const sentinels = urls.flatMap(url =>
    url === null || url.hostname === ''
      ? []
      : [{ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || usualPort) }],
  )
  const [name = '', database = '0', ...rest] = first.pathname.slice(1).split('/')
  const isWhole = sentinels.length === urls.length && name !== '' && /^\d{1,4}$/.test(database) && rest.length === 0
  if (!isWhole) return null
  const { username, password, searchParams } = first
  const login = username === '' && password === '' ? '' : `${username}:${password}@`
  const [user, word] = [searchParams.get('sentinel_user'), searchParams.get('sentinel_password')]
  const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host)
  return {
    sentinels,
    name: decodeURIComponent(name),
    sentinelLogin: { ...(user !== null && { username: user }), ...(word !== null && { password: word }) },
    masterAt: (host, port) => `${protocols[first.protocol]}://${login}${bracketed(host)}:${port}/${database}`,
  }
}

export class Sentinels {
  readonly #address: SentinelAddress
  readonly #onMaster: (url: string) => void
  readonly #onTrouble: (reason: string) => void
  #master: string | null = null
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  /** `onMaster` hears of the first master and of every other one. */
  constructor(address: SentinelAddress, onMaster: (url: string) => void, onTrouble: (reason: string) => void) {
    this.#address = address
    this.#onMaster = onMaster
    this.#onTrouble = onTrouble
  }

  /** Returns when they were asked once. */
  async watch(): Promise<void> {
    const { sentinels, name, masterAt } = this.#address
    const votes = (await Promise.all(sentinels.map(each => this.#ask(each)))).filter(vote => vote !== null)
    if (this.#isClosed) return
    const elected = votes.find(vote => votes.filter(other => other === vote).length * 2 > sentinels.length)
    if (elected === undefined) {
      this.#onTrouble(`${votes.length} of ${sentinels.length} sentinels say where ${name} is, and most must agree`)
    } else if (elected !== this.#master) {
      this.#master = elected
      const [host, port] = JSON.parse(elected) as [string, number]
      this.#onMaster(masterAt(host, port))
    }
    this.#timer = setTimeout(() => void this.watch(), askEveryMs).unref()
  }

  close(): void {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  /** Host and port as JSON; null where it does not answer or knows no such master. */
  async #ask({ host, port }: SentinelAddress['sentinels'][number]): Promise<string | null> {
    const tls = this.#address.masterAt('', 0).startsWith('rediss') ? ({ tls: true } as const) : {}
    const client = createClient({
      ...this.#address.sentinelLogin,
      socket: { host, port, ...tls, connectTimeout: limits.redisConnectMs, reconnectStrategy: false },
      RESP: 2,
      disableClientInfo: true,
      maintNotifications: 'disabled',
    })
    // The failed connect says it too.
    client.on('error', () => {})
    const timer = setTimeout(() => client.destroy(), limits.redisReplyMs)
    try {
      await client.connect()
      const answer = await client.sendCommand(['SENTINEL', 'get-master-addr-by-name', this.#address.name])
      const [masterHost, masterPort] = answer as unknown as readonly [string, string]
      return JSON.stringify([masterHost, Number(masterPort)])
    } catch {
      return null
    } finally {
      clearTimeout(timer)
      if (client.isOpen) client.destroy()
    }
  }
}
