// What the headers of a request said about its caller, for requests that repeat them: those are answered from memory, or by
// the pipeline. The key itself is not kept, only its hash; it is checked for every request, as is the limit.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { acceptsEncoding } from '../frame/answer.ts'
import { isReady, type NodeLines, writeReady } from '../frame/ready-answer.ts'
import type { KnownHeaders } from '../traffic/repeats.ts'
import { type ApiDefinition, addressFor, behindPrefix, formatFor } from './definition.ts'
import type { KeptAnswer } from './encoded.ts'
import { type Reached, withWholeLinks } from './links.ts'
import type { PipelineParts } from './pipeline-parts.ts'
import type { RateLines } from './rate-lines.ts'

export interface KnownCallerParts
  extends Pick<
    PipelineParts,
    'keys' | 'limiter' | 'freshness' | 'isOverloaded' | 'library' | 'now' | 'monotonicMs' | 'log'
  > {
  readonly rateLines: RateLines
  readonly nodeLines: NodeLines
}

/** Headers that change no answer, or in a way that is remembered. With any other one nothing is remembered. */
const understood = new Set([
  ...[
    'host',
    'authorization',
    'user-agent',
    'accept',
    'accept-encoding',
    'accept-language',
    'connection',
    'keep-alive',
  ],
  ...['cache-control', 'pragma', 'dnt', 'priority', 'sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site'],
  ...['via', 'forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip'],
])

/** Whether all that its headers say is kept here, and the connection stays open after it. */
export function isUnderstood({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' || (headers.connection ?? 'keep-alive').toLowerCase() !== 'keep-alive') return false
  for (const name in headers) if (!understood.has(name)) return false
  return true
}

export class KnownCaller implements KnownHeaders {
  readonly #parts: KnownCallerParts
  readonly #definition: ApiDefinition
  readonly #fingerprint: string
  readonly #accepted: string
  readonly #takesEncoded: boolean
  readonly #reached: Reached
  readonly #lines: string
  /** Whose word on TLS was taken; null where there was none. */
  readonly #peer: string | null

  /** `lines` begin every answer. */
  constructor(
    parts: KnownCallerParts,
    definition: ApiDefinition,
    fingerprint: string,
    req: IncomingMessage,
    isSecure: boolean,
    lines: string,
  ) {
    this.#parts = parts
    this.#definition = definition
    this.#fingerprint = fingerprint
    this.#accepted = formatFor(definition, req)
    this.#takesEncoded = acceptsEncoding(req.headers['accept-encoding'])
    this.#reached = { host: req.headers.host, isSecure }
    this.#lines = lines
    this.#peer = req.headers['x-forwarded-proto'] === undefined ? null : (req.socket.remoteAddress ?? '')
  }

  /** Nothing is counted before it is certain that there is an answer. */
  answer(target: string, socket: Socket): boolean {
    const { keys, limiter, freshness, isOverloaded, library, now, monotonicMs, log } = this.#parts
    const startedMs = monotonicMs()
    if (this.#peer !== null && this.#peer !== socket.remoteAddress) return false
    const question = target.indexOf('?')
    const path = question < 0 ? target : target.slice(0, question)
    if (behindPrefix(this.#definition, path) === null) return false
    const key = keys.known(this.#fingerprint, startedMs)
    if (key === null || !freshness.isHearing || isOverloaded(key.workspaceId)) return false
    const address = addressFor(this.#definition, target, this.#accepted, key.scope)
    const kept = library.answerKept(key.workspaceId, address, now) as KeptAnswer | undefined
    if (kept === undefined || !isReady(kept.answer, this.#takesEncoded)) return false
    const decision = limiter.takeAtOnce(key, startedMs)
    // A refusal is told by the pipeline; it is not counted.
    if (decision?.accepted !== true) return false
    const requestId = log.nextId()
    const lines = `x-request-id: ${requestId}\r\n${this.#lines}${this.#parts.rateLines.of(decision)}`
    const nowMs = monotonicMs()
    log.answered(
      { method: 'GET', url: target },
      { requestId, route: kept.routeName, status: 200, keyId: key.id, ms: nowMs - startedMs },
    )
    const answer = this.#definition.accepts === null ? kept.answer : withWholeLinks(kept.answer, this.#reached)
    writeReady(socket, answer, lines, this.#parts.nodeLines.at(nowMs))
    return true
  }
}
