// Parts of a pipeline: sources of answers, and checks before them.
import type { IncomingMessage } from 'node:http'
import type { Freshness } from '../../read/freshness.ts'
import type { WorkPool } from '../../workers/pool.ts'
import type { Cors } from '../frame/cors.ts'
import type { KeyCheck } from '../frame/key-check.ts'
import type { RequestLog } from '../frame/request-log.ts'
import type { RateLimiter } from '../traffic/rate-limit.ts'
import type { ApiContext } from './context.ts'

export interface PipelineContext extends ApiContext {
  readonly keys: KeyCheck
  readonly limiter: RateLimiter
  readonly freshness: Freshness
  readonly cors: Cors
  readonly log: RequestLog
  /** A monotonic clock in milliseconds. */
  readonly monotonicMs: () => number
  readonly clientAddress: (req: IncomingMessage) => string
  /** Whether a request came over TLS, according to the trusted proxies. */
  readonly isSecure: (req: IncomingMessage) => boolean
  /** Workers for requests that are too heavy for the main thread. */
  readonly computing: WorkPool
  /** Whether more work is under way than can be answered in time, and too much of it for this workspace. */
  readonly isOverloaded: (workspaceId: string) => boolean
}
