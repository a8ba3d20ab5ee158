// A log of a few leaves for tests, with its own key: signs checkpoints, makes requests to witnesses and serves its tiles, from
// the specifications alone. It shares no code with `src/core/proof`.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { PlainTree, plainLeaf } from './plain-tree.ts'

const leafAt = (at: number, history: string) => plainLeaf(Buffer.from(`${history} ${at}`))

/** How an origin is called by the bytes of its key, for witnesses that ask for that. */
type Naming = string | ((publicKey: Buffer) => string)

export class SmallLog {
  readonly origin: string
  readonly publicKey: Buffer
  readonly leaves: readonly Buffer[]
  readonly tree: PlainTree
  readonly #key: KeyObject

  private constructor(naming: Naming, key: KeyObject, leaves: readonly Buffer[]) {
    this.publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
    this.origin = typeof naming === 'string' ? naming : naming(this.publicKey)
    this.leaves = leaves
    this.tree = new PlainTree(leaves)
    this.#key = key
  }

  static withLeaves(count: number, naming: Naming = 'prices.example.com/log'): SmallLog {
    const { privateKey } = generateKeyPairSync('ed25519')
    const key = createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    return new SmallLog(
      naming,
      key,
      Array.from({ length: count }, (_, at) => leafAt(at, 'leaf')),
    )
  }

  /** The same log later. */
  grown(by: number): SmallLog {
    const more = Array.from({ length: by }, (_, at) => leafAt(this.leaves.length + at, 'leaf'))
    return new SmallLog(this.origin, this.#key, [...this.leaves, ...more])
  }

  /** The same log with another history from some leaf on. */
  rewritten(from: number): SmallLog {
    const leaves = this.leaves.map((leaf, at) => (at < from ? leaf : leafAt(at, 'other')))
    return new SmallLog(this.origin, this.#key, leaves)
  }

  get size(): number {
    return this.leaves.length
  }

  get #keyId(): Buffer {
    return createHash('sha256').update(`${this.origin}\n\x01`).update(this.publicKey).digest().subarray(0, 4)
  }

  get vkey(): string {
    const typed = Buffer.concat([Buffer.of(1), this.publicKey])
    return `${this.origin}+${this.#keyId.toString('hex')}+${typed.toString('base64')}`
  }

  get text(): string {
    return `${this.origin}\n${this.size}\n${this.tree.root().toString('base64')}\n`
  }

  get checkpoint(): string {
    const signature = Buffer.concat([this.#keyId, sign(null, Buffer.from(this.text), this.#key)])
    return `${this.text}\n— ${this.origin} ${signature.toString('base64')}\n`
  }

  /** The body of `add-checkpoint`. */
  request(old: number, proof: readonly Buffer[] = old === 0 ? [] : this.tree.consistency(old, this.size)): string {
    return [`old ${old}`, ...proof.map(hash => hash.toString('base64')), '', this.checkpoint].join('\n')
  }

  /** What is served at a path such as `checkpoint` or `tile/0/000.p/5`; null for what there is none of. */
  serve(path: string): Buffer | string | null {
    if (path === 'checkpoint') return this.checkpoint
    const [, level, number, width = '256'] = /^tile\/(\d)\/(\d{3})(?:\.p\/(\d+))?$/.exec(path) ?? []
    if (level === undefined) return null
    const span = 256 ** Number(level)
    const first = Number(number) * 256
    if ((first + Number(width)) * span > this.size) return null
    return Buffer.concat(
      Array.from({ length: Number(width) }, (_, at) => this.tree.root((first + at) * span, (first + at + 1) * span)),
    )
  }
}
