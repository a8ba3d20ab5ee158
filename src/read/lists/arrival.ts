// Lists of a workspace while they are being read as a whole: the changes meanwhile, and the agreements, which are read first, so
// that a request that needs no series does not wait for them and reads nothing twice.

import type { AgreementRecord } from '../../storage/agreements/agreements.ts'
import type { Marks } from '../../storage/log/append.ts'
import type { Identity } from '../../storage/people/issuer-names.ts'
import { Stale } from '../memory/stale.ts'
import { CachedIndex } from './cached-index.ts'
import { newestOf } from './list-pieces.ts'

interface AgreementsRead {
  readonly agreements: readonly AgreementRecord[]
  readonly identity: Identity
  /** Marks of the one moment in which everything is read. */
  readonly marks: Marks
}

export class Arrival {
  readonly #scope: string
  readonly #read = Promise.withResolvers<AgreementsRead>()
  #agreements: Promise<CachedIndex> | null = null
  /** Changes since reading began; the lists keep them. */
  readonly stale = new Stale()

  constructor(scope: string) {
    this.#scope = scope
  }

  haveAgreements(read: AgreementsRead): void {
    this.#read.resolve(read)
  }

  /** Has no effect on agreements that have already been read. */
  fail(error: unknown): void {
    // A rejection without a listener is no error: perhaps nobody waits.
    this.#read.promise.catch(() => {})
    this.#read.reject(error)
  }

  /** A piece with all agreements; it is valid if nothing is stale when it has been read. */
  get agreements(): Promise<CachedIndex> {
    this.#agreements ??= this.#read.promise.then(({ agreements, identity, marks }) =>
      CachedIndex.ofPiece(this.#scope, { series: [], agreements }, identity, newestOf(this.#scope, marks)),
    )
    return this.#agreements
  }

  /** Newest entries that the agreements include. */
  get marks(): Promise<Marks> {
    return this.#read.promise.then(({ marks }) => marks)
  }
}
