// Lists of a workspace that are being read as a whole: what is published about them meanwhile, and their formulas, which are
// read first, so that who needs no series does not wait for them and reads nothing twice.
import type { Identity } from '../storage/identity.ts'
import type { PamRow } from '../storage/pams.ts'
import { CachedIndex, type Newest } from './cached-index.ts'
import { Stale } from './stale.ts'

interface FormulasRead {
  readonly pams: readonly PamRow[]
  readonly identity: Identity
  /** Of the moment in which all of it is read. */
  readonly newest: Newest
}

export class Arrival {
  readonly #scope: string
  readonly #read = Promise.withResolvers<FormulasRead>()
  #formulas: Promise<CachedIndex> | null = null
  #index: CachedIndex | null = null
  /** What was published since it was begun. */
  readonly stale = new Stale()

  constructor(scope: string) {
    this.#scope = scope
  }

  haveFormulas(read: FormulasRead): void {
    this.#read.resolve(read)
  }

  /** The whole is made: from now on it is told itself. */
  have(index: CachedIndex): void {
    index.outdate(this.stale)
    this.#index = index
  }

  /** Without effect on formulas that are there already. */
  fail(error: unknown): void {
    // Perhaps nobody waits for them.
    this.#read.promise.catch(() => {})
    this.#read.reject(error)
  }

  outdate(stale: Stale): void {
    this.stale.addAll(stale)
    this.#index?.outdate(stale)
  }

  /** A piece with all formulas, true where nothing is stale when it is there. */
  get formulas(): Promise<CachedIndex> {
    this.#formulas ??= this.#read.promise.then(({ pams, identity, newest }) =>
      CachedIndex.ofPiece(this.#scope, { series: [], pams }, identity, newest),
    )
    return this.#formulas
  }
}
