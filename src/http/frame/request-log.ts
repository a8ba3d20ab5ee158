// The request log: one line for each request, with its id and without secrets: no header, no query, no body. Requests are counted
// for the metrics here too.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { limits } from '../../limits.ts'
import { troubleTable } from '../../storage/postgres/trouble-table.ts'
import { placeLimits } from '../traffic/place-limits.ts'
import { troubleOf } from './errors.ts'
import { blankKeys, isWordCharacter, looksLikeKey } from './secret-words.ts'

export interface Log {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

interface Answered {
  readonly requestId: string
  /** Declared path: `/v1/series/{seriesId}/values`. */
  readonly route: string
  readonly status: number
  readonly keyId: string | null
  readonly ms: number
}

/** Method and address of a request. */
type RequestHead = Pick<IncomingMessage, 'method' | 'url'>

export type OnAnswered = (route: string, status: number, ms: number, req: RequestHead) => void

export class RequestLog {
  readonly #log: Log
  readonly #logsEach: boolean
  readonly #onAnswered: OnAnswered
  /** Prefix of ids: it makes them unique across processes, the number within one. */
  readonly #beginning = randomBytes(6).toString('base64url')
  #number = 0
  /** Requests that failed because the database is away, since the last line about it. */
  #unreached = 0
  #toldAwayMs = Number.NEGATIVE_INFINITY

  constructor(log: Log, logsEach: boolean, onAnswered: OnAnswered) {
    this.#log = log
    this.#logsEach = logsEach
    this.#onAnswered = onAnswered
  }

  nextId(): string {
    this.#number++
    return `${this.#beginning}-${this.#number.toString(36)}`
  }

  /** Id of a request: the caller's own, if it is safe in a header and a log. */
  idFor({ headers }: IncomingMessage): string {
    const given = headers['x-request-id']
    return typeof given === 'string' && isRequestId(given) ? given : this.nextId()
  }

  answered(req: RequestHead, { requestId, route, status, keyId, ms }: Answered): void {
    this.#onAnswered(route, status, ms, req)
    if (!this.#logsEach) return
    const path = blankKeys(req.url?.split('?', 1)[0] ?? '')
    this.#log.info({ requestId, method: req.method, path, status, keyId, ms: Math.floor(ms * 100) / 100 }, 'answered')
  }

  /** Logs the reason of a refusal whose caller learns no more. */
  refusedSilently(requestId: string, what: string, reason: string): void {
    this.#log.info({ requestId, reason }, `${what} was refused`)
  }

  /** Logs a failure. While the database is away, one line in a while stands for every failed request. */
  failed(requestId: string, route: string, error: unknown): void {
    const trouble = troubleOf(error)
    const facts = { requestId, route, error: describe(error) }
    if (trouble === null) this.#log.error(facts, 'a request failed unexpectedly')
    else if (trouble !== 'away') this.#log.error(facts, troubleTable[trouble].log)
    else {
      const nowMs = performance.now()
      this.#unreached++
      if (nowMs - this.#toldAwayMs < placeLimits.awayToldMs) return
      this.#log.error({ ...facts, requests: this.#unreached }, troubleTable.away.log)
      this.#toldAwayMs = nowMs
      this.#unreached = 0
    }
  }
}

/** Most logged causes of a chain. */
const mostCauses = 4

/** Whether an id has only letters, digits, `.`, `_` and `-`, and is no key. No RegExp, because it remembers what it matched. */
function isRequestId(text: string): boolean {
  if (text.length === 0 || text.length > limits.requestIdLength || looksLikeKey(text)) return false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (!isWordCharacter(code) && code !== 45 && code !== 46) return false
  }
  return true
}

/** The kind and the place of an error and of its causes; never values that its message may contain. */
function describe(error: unknown, depth = 1): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const place = error.stack
    ?.split('\n')
    .slice(1, 6)
    .map(line => line.trim())
  const isCaused = error.cause !== undefined && depth < mostCauses
  return {
    name: error.name,
    code: (error as { code?: unknown }).code,
    message: error.message,
    place,
    ...(isCaused ? { cause: describe(error.cause, depth + 1) } : {}),
  }
}
