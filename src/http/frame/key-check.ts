// Check of the Authorization header and its key. A known key is answered at once, without a promise; another one is looked up,
// unless its checksum already shows that it is not a key. No key is stored in memory: a remembered one, for a few seconds, is
// stored under a hash. If the database cannot be asked, the key is refused, never accepted.
import { hash } from 'node:crypto'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'
import { parseInstant } from '../../core/time/instant.ts'
import { limits } from '../../limits.ts'
import type { ApiKeyAccess, ApiKeyUses } from '../../storage/workspaces/api-keys.ts'
import { isWellFormedKey } from '../../storage/workspaces/key-format.ts'
import { WaitingLine } from '../../workers/waiting-line.ts'
import { FailedAttempts } from '../traffic/failed-attempts.ts'

/** `refused` covers missing, wrong, expired and revoked keys alike. */
export type KeyAnswer = { readonly kind: 'known'; readonly access: ApiKeyAccess } | { readonly kind: 'refused' }

interface KeyCheckOptions {
  /** Digests that a key may have in the database. */
  readonly digests: (key: string) => readonly Buffer[]
  /** Whether a digest was made under the secret that makes digests now. */
  readonly isCurrent: (digest: Buffer) => boolean
  /** Looks up several keys at once, each by its digests: `findApiKeys`. */
  readonly find: (asked: readonly (readonly Buffer[])[]) => Promise<readonly (ApiKeyAccess | null)[]>
  readonly uses: Pick<ApiKeyUses, 'note' | 'flush'>
  /** Milliseconds since 1970: for the expiry and the last use of keys. */
  readonly wallMs: () => number
  /** Called once when keys can no longer be looked up, and once when they can again. */
  readonly report: (state: 'away' | 'back', reason: string) => void
}

/** A key that was valid when the database was last queried. */
interface CachedKey {
  readonly digests: readonly Buffer[]
  readonly answer: KeyAnswer & { readonly kind: 'known' }
  readonly expiresAtMs: number
  /** Monotonic time, never later than the query. */
  readonly readAtMs: number
  usedAtMs: number
  /** Whether its last use still has to be written to the database. */
  isNoted: boolean
}

interface KeyToRead {
  readonly fingerprint: string
  readonly digests: readonly Buffer[]
}

const refused: KeyAnswer = { kind: 'refused' }
const unavailable = 'keys cannot be checked at the moment; try again shortly'

export class KeyCheck {
  readonly #options: KeyCheckOptions
  /** Cached keys by hash; the one read longest ago comes first. */
  readonly #cached = new Map<string, CachedKey>()
  /** One query for all requests with the same key at the same time. */
  readonly #reading = new Map<string, Promise<CachedKey | null>>()
  readonly #failures = new FailedAttempts()
  readonly #line = new WaitingLine({
    atOnce: limits.keyLookUps,
    waiting: limits.keyLookUpsWaiting,
    timeoutMs: limits.keyLookUpMs,
  })
  #timesForgotten = 0
  #isReadingAgain = false
  #isAway = false
  #isClosed = false
  #used: CachedKey[] = []
  #writeTimer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: KeyCheckOptions) {
    this.#options = options
  }

  /**
   * `nowMs` is monotonic. With `takesBasic` the key may also be the user name of Basic authentication, without a password.
   * The promise, if there is one, may reject with `Refusal('unavailable')`.
   */
  check(
    rawHeaders: readonly string[],
    address: string,
    nowMs: number,
    takesBasic = false,
  ): KeyAnswer | Promise<KeyAnswer> {
    const header = findAuthorization(rawHeaders)
    // A request without a key is not a guess.
    if (header === null) return refused
    const key = keyIn(header) ?? (takesBasic ? userIn(header) : null)
    if (key === null) return this.#fail(address, nowMs)
    const fingerprint = hash('sha256', key, 'latin1')
    const cached = this.#cached.get(fingerprint)
    // A digest under another secret does not do: the key itself is needed for its present digest.
    if (cached !== undefined && this.#options.isCurrent(cached.digests[0]!)) {
      const ageMs = nowMs - cached.readAtMs
      if (ageMs < limits.keyCachedMs) {
        const opened = this.#open(cached)
        if (ageMs >= limits.keyRefreshMs) this.#readAgain(nowMs)
        return opened ?? this.#fail(address, nowMs)
      }
    }
    const isWellFormed = isWellFormedKey(key)
    forgetLastMatch()
    if (!isWellFormed) return this.#fail(address, nowMs)
    return this.#lookUp(fingerprint, key, address, nowMs)
  }

  /** Forgets keys at once after a notice of a change or revocation; without the notice it takes effect a few seconds later. */
  forget(keyId: string): void {
    // A query under way may have been answered before the change.
    this.#timesForgotten++
    this.#reading.clear()
    for (const [fingerprint, { answer }] of this.#cached)
      if (answer.access.id === keyId) this.#cached.delete(fingerprint)
  }

  /** Writes the last uses to the database, unless it does not accept them in time. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#writeTimer)
    const written = this.#writing.then(() => this.#writeUses())
    await Promise.race([written, setTimeoutPromise(limits.keyLookUpMs, undefined, { ref: false })])
    this.#cached.clear()
  }

  async #lookUp(fingerprint: string, key: string, address: string, nowMs: number): Promise<KeyAnswer> {
    const isTrusted = !this.#failures.areTooMany(address, nowMs)
    const cached = await this.#read(fingerprint, key, isTrusted, nowMs)
    return (cached === null ? null : this.#open(cached)) ?? this.#fail(address, nowMs)
  }

  #open(cached: CachedKey): CachedKey['answer'] | null {
    const wallMs = this.#options.wallMs()
    if (cached.expiresAtMs <= wallMs) return null
    cached.usedAtMs = wallMs
    if (!cached.isNoted) this.#note(cached)
    return cached.answer
  }

  #fail(address: string, nowMs: number): KeyAnswer {
    this.#failures.count(address, nowMs)
    return refused
  }

  /**
   * Reads this key, and all others in use that will soon be due, again in the background: many keys cost one query, not one each.
   * If that fails, a key is queried by itself when its entry has become too old to be used.
   */
  #readAgain(nowMs: number): void {
    if (this.#isReadingAgain) return
    const due: [string, CachedKey][] = []
    for (const entry of this.#cached) {
      if (nowMs - entry[1].readAtMs < limits.keyRefreshMs / 2 || due.length === limits.keysReadAtOnce) break
      if (entry[1].usedAtMs > 0) due.push(entry)
    }
    this.#isReadingAgain = true
    this.#ask(
      due.map(([fingerprint, { digests }]) => ({ fingerprint, digests })),
      true,
      nowMs,
    )
      .catch(() => {})
      .finally(() => {
        this.#isReadingAgain = false
      })
  }

  #read(fingerprint: string, key: string, isTrusted: boolean, nowMs: number): Promise<CachedKey | null> {
    const under = this.#reading.get(fingerprint)
    if (under !== undefined) return under
    const asked = { fingerprint, digests: this.#options.digests(key) }
    const reading = this.#ask([asked], isTrusted, nowMs)
      .then(([cached]) => cached!)
      .finally(() => {
        if (this.#reading.get(fingerprint) === reading) this.#reading.delete(fingerprint)
      })
    this.#reading.set(fingerprint, reading)
    return reading
  }

  /** Keys in the requested order; null for an invalid one. */
  async #ask(asked: readonly KeyToRead[], isTrusted: boolean, nowMs: number): Promise<(CachedKey | null)[]> {
    const timesForgotten = this.#timesForgotten
    let found: readonly (ApiKeyAccess | null)[]
    try {
      found = await this.#line.run(() => this.#options.find(asked.map(({ digests }) => digests)), isTrusted)
    } catch (error) {
      // A long queue of wrong keys says nothing about the database.
      if (isTrusted) this.#turn('away', (error as Error).message)
      throw new Refusal('unavailable', unavailable)
    }
    this.#turn('back', 'keys can be looked up')
    const isCurrent = timesForgotten === this.#timesForgotten
    return asked.map(({ fingerprint, digests }, i) => {
      const cached = cacheable(found[i]!, digests, nowMs)
      if (cached === null || isCurrent) this.#cached.delete(fingerprint)
      if (cached !== null && isCurrent) this.#keep(fingerprint, cached)
      return cached
    })
  }

  #keep(fingerprint: string, cached: CachedKey): void {
    for (const [oldest, { readAtMs }] of this.#cached) {
      if (this.#cached.size < limits.keysCached && cached.readAtMs - readAtMs < limits.keyCachedMs) break
      this.#cached.delete(oldest)
    }
    this.#cached.set(fingerprint, cached)
  }

  #turn(state: 'away' | 'back', reason: string): void {
    if (this.#isAway === (state === 'away')) return
    this.#isAway = state === 'away'
    this.#options.report(state, reason)
  }

  #note(cached: CachedKey): void {
    cached.isNoted = true
    this.#used.push(cached)
    if (this.#writeTimer === undefined && !this.#isClosed) this.#writeLater()
  }

  #writeLater(): void {
    this.#writeTimer = setTimeout(() => {
      this.#writeTimer = undefined
      this.#writing = this.#writing.then(() => this.#writeUses())
    }, limits.keyUseWriteMs).unref()
  }

  async #writeUses(): Promise<void> {
    const used = this.#used
    this.#used = []
    for (const cached of used) {
      cached.isNoted = false
      this.#options.uses.note(cached.answer.access, parseInstant(new Date(cached.usedAtMs).toISOString())!)
    }
    try {
      await this.#options.uses.flush()
    } catch {
      // These uses are written together with the next ones.
      this.#used.unshift(...used)
      for (const cached of used) cached.isNoted = true
      if (this.#writeTimer === undefined && !this.#isClosed) this.#writeLater()
    }
  }
}

function cacheable(access: ApiKeyAccess | null, digests: readonly Buffer[], nowMs: number): CachedKey | null {
  // The database's clock wrote `revokedAt` and the server's may be behind it: its presence is enough.
  if (access === null || access.revokedAt !== null) return null
  return {
    digests,
    answer: { kind: 'known', access },
    expiresAtMs: access.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(access.expiresAt),
    readAtMs: nowMs,
    usedAtMs: 0,
    isNoted: false,
  }
}

const scheme = 'Bearer '
const lowerScheme = scheme.toLowerCase()
const space = 0x20
const name = 'authorization'

/** The text after the scheme (ignoring case) and one or more spaces; `null` if it cannot be a key. */
function keyIn(header: string): string | null {
  if (!header.startsWith(scheme) && header.slice(0, scheme.length).toLowerCase() !== lowerScheme) return null
  let start = scheme.length
  while (header.charCodeAt(start) === space) start++
  const length = header.length - start
  return length === 0 || length > limits.apiKeyLength ? null : header.slice(start)
}

const basic = 'basic '

/** The user name of Basic authentication, if the password is empty. */
function userIn(header: string): string | null {
  if (header.slice(0, basic.length).toLowerCase() !== basic) return null
  const encoded = header.slice(basic.length).trim()
  if (encoded.length > limits.apiKeyLength * 2) return null
  const decoded = Buffer.from(encoded, 'base64').toString('latin1')
  const colon = decoded.indexOf(':')
  return colon > 0 && colon === decoded.length - 1 && colon <= limits.apiKeyLength ? decoded.slice(0, colon) : null
}

/** The header; `null`: none. Two headers count as a wrong key: it is not clear which one a server would read. */
function findAuthorization(rawHeaders: readonly string[]): string | null {
  let found: string | null = null
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i]!
    if (header.length !== name.length || header.toLowerCase() !== name) continue
    if (found !== null) return ''
    found = rawHeaders[i + 1]!
  }
  return found
}

/** The engine remembers the whole last text that a regular expression matched: it must not be a key. */
function forgetLastMatch(): void {
  ''.match(/$/)
}
