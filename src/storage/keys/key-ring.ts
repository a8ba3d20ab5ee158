// The server's secrets and the keys made from them. Several secrets may be listed: one of them, the current one, makes what is new, and what
// the others made counts as far as the state of the ring says (see ring-state.ts). Each purpose has a key of its own, so that one never opens
// the other's locks, and each value begins with the short id of the secret that it was made under. The secrets are written nowhere but in
// their file of mode 0600 and, with the embedded database, in backups.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../core/time/instant.ts'

/**
 * Purposes of keys. `seal`: on stored rows, made again by a rotation. `stored`: encrypted, and encrypted again by a rotation.
 * `token`: given away and short-lived, or of little weight. `digest`: of a secret that only its holder has, changed at its next use. `fixed`: made once.
 */
const purposes = {
  'row seals': 'seal',
  'access seals': 'seal',
  'scope heads': 'seal',
  'public log': 'seal',
  'kept digests': 'seal',
  'webhook bodies': 'seal',
  ring: 'seal',
  'identity provider secrets': 'stored',
  'webhook secrets': 'stored',
  'one-time codes': 'stored',
  'mail links': 'stored',
  'lasting keys': 'stored',
  'awaited signings': 'token',
  'identity requests': 'token',
  cursors: 'token',
  'feed cursors': 'token',
  'passkey challenges': 'token',
  unsubscribing: 'token',
  'known browsers': 'token',
  'api-key digests': 'digest',
  'feed digests': 'digest',
  'recovery codes': 'digest',
  'session tokens': 'digest',
  'receipt seal': 'fixed',
  'log checkpoint': 'fixed',
  'log scopes': 'fixed',
  names: 'fixed',
  id: 'fixed',
} as const
export type Purpose = keyof typeof purposes

/** Facts of the database about a secret that is or was the current one. */
export interface SecretFacts {
  readonly since: Instant
  /** Since when another one is the current one. */
  readonly endedAt: Instant | null
  /** Others may know the secret: whatever rests on it alone has ended with it. */
  readonly isLeaked: boolean
  /** Nothing that was made under it counts any more. */
  readonly isRemoved: boolean
  /** The public key that receipts were sealed with, as base64url. */
  readonly receiptKey: string
}

/** State of the ring: the secret that makes new seals, and the others that still count. */
export interface RingState {
  /** Grows with each change. */
  readonly round: number
  readonly current: string
  /** The secret before it while what it sealed is being sealed again. */
  readonly turning: string | null
  readonly secrets: Readonly<Record<string, SecretFacts>>
}

/** Keys that a rotation does not change: made from the first secret, and stored encrypted. As base64url. */
export interface LastingKeys {
  /** Source of the scopes' log secrets. */
  readonly scopes: string
  /** Source of names that must not change. */
  readonly names: string
  /** Name of the log, unless the operator chose another. */
  readonly logName: string | null
}

interface RingContent {
  readonly secrets: readonly string[]
  readonly state: RingState | null
  readonly lasting: LastingKeys | null
}

const idBytes = 4
const macBytes = 32

/** All threads of a process have one ring: what one of them learns, all know. */
export type SharedRing = SharedArrayBuffer
const sharedBytes = 128 * 1024
const versionAt = 0
const lengthAt = 1
const lockAt = 2
const contentAt = 16

export function deriveKey(secret: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'assize', purpose, macBytes))
}

/** Eight hexadecimal digits that name a secret and say nothing about it. */
export function idOfSecret(secret: string): string {
  return deriveKey(secret, 'id').subarray(0, idBytes).toString('hex')
}

/** The id of the secret that a value names. */
export function secretNamedBy(value: Uint8Array): string {
  return Buffer.from(value.subarray(0, idBytes)).toString('hex')
}

interface HeldRing extends RingContent {
  readonly version: number
  readonly byId: ReadonlyMap<string, string>
  readonly keys: Map<string, Buffer>
}

export class KeyRing {
  readonly shared: SharedRing
  readonly #numbers: Int32Array
  #held: HeldRing

  constructor(shared: SharedRing) {
    this.shared = shared
    this.#numbers = new Int32Array(shared, 0, 4)
    this.#held = this.#read()
  }

  /** Before the database was asked, the first secret is the current one. */
  static of(secrets: readonly string[]): KeyRing {
    const ring = new KeyRing(new SharedArrayBuffer(sharedBytes))
    ring.list(secrets)
    return ring
  }

  /** The ids of the listed secrets, in their order. */
  get ids(): readonly string[] {
    return [...this.#now().byId.keys()]
  }

  get secrets(): readonly string[] {
    return this.#now().secrets
  }

  get state(): RingState | null {
    return this.#now().state
  }

  get currentId(): string {
    const { state, byId } = this.#now()
    return state?.current ?? byId.keys().next().value!
  }

  get lasting(): LastingKeys {
    const { lasting, secrets } = this.#now()
    return lasting ?? lastingKeysOf(secrets[0]!)
  }

  lists(id: string): boolean {
    return this.#now().byId.has(id)
  }

  secretOf(id: string): string | null {
    return this.#now().byId.get(id) ?? null
  }

  /** The secrets that are listed from now on. */
  list(secrets: readonly string[]): void {
    this.#change(content => ({ ...content, secrets }))
  }

  /** Takes over the state that the database has; an older one is ignored. */
  turn(state: RingState, lasting: LastingKeys): void {
    this.#change(content => ((content.state?.round ?? -1) >= state.round ? content : { ...content, state, lasting }))
  }

  key(purpose: Purpose, id: string = this.currentId): Buffer {
    const { keys, byId } = this.#now()
    const known = keys.get(`${id} ${purpose}`)
    if (known !== undefined) return known
    const secret = byId.get(id)
    if (secret === undefined) throw new Error(`the secret ${id} is not listed`)
    const key = deriveKey(secret, purpose)
    keys.set(`${id} ${purpose}`, key)
    return key
  }

  /** Whether what was made under a secret counts for this. */
  accepts(purpose: Purpose, id: string): boolean {
    const { state, byId } = this.#now()
    if (!byId.has(id)) return false
    const facts = state?.secrets[id]
    if (state === null || facts === undefined || state.current === id) return true
    if (facts.isRemoved) return false
    const use = purposes[purpose]
    if (use === 'seal') return state.turning === id
    return use !== 'token' || !facts.isLeaked
  }

  /** The key for what is new, and the bytes that a value made with it begins with. */
  making(purpose: Purpose): { readonly id: Buffer; readonly key: Buffer } {
    const id = this.currentId
    return { id: Buffer.from(id, 'hex'), key: this.key(purpose, id) }
  }

  /** The key that a value names with its first bytes, and what follows them; null where it does not count for this. */
  named(purpose: Purpose, value: Buffer): { readonly key: Buffer; readonly rest: Buffer } | null {
    const id = secretNamedBy(value)
    if (value.length <= idBytes || !this.accepts(purpose, id)) return null
    return { key: this.key(purpose, id), rest: value.subarray(idBytes) }
  }

  /** A keyed digest under the current secret, or the one that is named. */
  mac(purpose: Purpose, content: string | Buffer, id: string = this.currentId): Buffer {
    const mac = createHmac('sha256', this.key(purpose, id)).update(content).digest()
    return Buffer.concat([Buffer.from(id, 'hex'), mac])
  }

  /** Whether a value is the keyed digest of this, under a secret that counts. */
  holds(purpose: Purpose, content: string | Buffer, given: Buffer | null): boolean {
    const named = given === null ? null : this.named(purpose, given)
    if (named === null || named.rest.length !== macBytes) return false
    return timingSafeEqual(createHmac('sha256', named.key).update(content).digest(), named.rest)
  }

  /** Ids of the secrets whose seals may still count, the current one first. */
  acceptedIds(purpose: Purpose): readonly string[] {
    const current = this.currentId
    return [current, ...this.ids.filter(id => id !== current && this.accepts(purpose, id))]
  }

  /** The keyed digests that a text may have, the newest first. */
  digestsOf(purpose: Purpose, text: string): readonly Buffer[] {
    return this.acceptedIds(purpose).map(id => this.mac(purpose, text, id))
  }

  isCurrent(value: Buffer): boolean {
    return secretNamedBy(value) === this.currentId
  }

  #now(): HeldRing {
    if (Atomics.load(this.#numbers, versionAt) !== this.#held.version) this.#held = this.#locked(() => this.#read())
    return this.#held
  }

  #change(change: (content: RingContent) => RingContent): void {
    this.#held = this.#locked(() => {
      const { secrets, state, lasting } = this.#read()
      const bytes = Buffer.from(JSON.stringify(change({ secrets, state, lasting })))
      if (bytes.length > sharedBytes - contentAt) throw new Error('too many secrets are listed')
      Buffer.from(this.shared, contentAt).set(bytes)
      this.#numbers[lengthAt] = bytes.length
      Atomics.add(this.#numbers, versionAt, 1)
      return this.#read()
    })
  }

  /** Held for microseconds, so waiting for it may spin. */
  #locked<T>(work: () => T): T {
    while (Atomics.compareExchange(this.#numbers, lockAt, 0, 1) !== 0);
    try {
      return work()
    } finally {
      Atomics.store(this.#numbers, lockAt, 0)
    }
  }

  #read(): HeldRing {
    const version = Atomics.load(this.#numbers, versionAt)
    const length = this.#numbers[lengthAt]!
    const text = Buffer.from(Buffer.from(this.shared, contentAt, length)).toString()
    const content: RingContent = length === 0 ? { secrets: [], state: null, lasting: null } : JSON.parse(text)
    return {
      ...content,
      version,
      byId: new Map(content.secrets.map(each => [idOfSecret(each), each])),
      keys: new Map(),
    }
  }
}

/** Keyed digests of one purpose, of what only others hold. */
export class KeyedDigests {
  readonly #ring: KeyRing
  readonly #purpose: Purpose

  constructor(ring: KeyRing, purpose: Purpose) {
    this.#ring = ring
    this.#purpose = purpose
  }

  make(text: string): Buffer {
    return this.#ring.mac(this.#purpose, text)
  }

  /** Under each secret that counts, the current one first. */
  all(text: string): readonly Buffer[] {
    return this.#ring.digestsOf(this.#purpose, text)
  }

  isCurrent(digest: Buffer): boolean {
    return this.#ring.isCurrent(digest)
  }
}

export function lastingKeysOf(secret: string): LastingKeys {
  const text = (purpose: Purpose) => deriveKey(secret, purpose).toString('base64url')
  return { scopes: text('log scopes'), names: text('names'), logName: null }
}
