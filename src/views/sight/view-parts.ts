// Parts of views. A view shows what a person sees, with that person's rights; it knows nothing of requests.
import type { Seal } from '../../agreements/seal.ts'
import type { Config } from '../../config.ts'
import type { Instant } from '../../core/time/instant.ts'
import type { Library } from '../../read/library.ts'
import type { LibraryBounds } from '../../read/memory/library-bounds.ts'
import type { PublicLog } from '../../storage/proof/public-log.ts'
import type { Installation } from '../../storage/upkeep/installation.ts'

export interface ViewContext {
  /** `sql` has connections of its own: the API never waits for them. */
  readonly installation: Pick<Installation, 'sql' | 'target' | 'ring'>
  readonly config: Config
  readonly library: Library
  readonly seal: Seal
  /** The public log, which takes every signature. */
  readonly log: PublicLog
  readonly now: () => Instant
  /** Waits until this server knows every published entry: a page must see its own last act. */
  readonly catchUp: () => Promise<void>
  /** Limits on the work in this thread. */
  readonly bounds: LibraryBounds
}
