// What views are made of. A view is what a person sees, with that person's rights; it knows nothing of requests.
import type { Seal } from '../../agreements/seal.ts'
import type { Config } from '../../config.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Library } from '../../read/library.ts'
import type { LibraryBounds } from '../../read/memory/library-bounds.ts'
import type { PublicLog } from '../../storage/proof/public-log.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'

export interface ViewContext {
  /** `sql` are connections of its own: the API never waits for them. */
  readonly installation: Pick<Installation, 'sql' | 'target' | 'ring'>
  readonly config: Config
  readonly library: Library
  readonly seal: Seal
  /** The public log, under which every signature is put. */
  readonly log: PublicLog
  readonly now: () => Instant
  /** Waits until this server knows of everything that is published: a page must see what it has just done. */
  readonly catchUp: () => Promise<void>
  /** How much work is done in this thread. */
  readonly bounds: LibraryBounds
}
