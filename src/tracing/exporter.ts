// Sends spans to a collector, batch by batch, behind what is served: whoever makes a span adds it to a bounded queue and goes on. While
// the collector is away the queue fills, and what does not fit is dropped and counted.
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TraceSettings } from '../core/text/trace-settings.ts'
import type { AskGuarded } from '../outbound/guarded-request.ts'
import { otlpBody } from './otlp.ts'
import type { EndedSpan } from './span.ts'
import { tracingLimits } from './tracing-limits.ts'

interface ExportLog {
  warn(facts: object, message: string): void
}

export class Exporter {
  readonly #settings: TraceSettings
  readonly #ask: AskGuarded
  readonly #log: ExportLog
  readonly #stopping = new AbortController()
  readonly #going: Promise<void>
  #waiting: EndedSpan[] = []
  #isAway = false
  sent = 0
  dropped = 0

  constructor(settings: TraceSettings, ask: AskGuarded, log: ExportLog, everyMs: number = tracingLimits.everyMs) {
    this.#settings = settings
    this.#ask = ask
    this.#log = log
    this.#going = this.#run(everyMs)
  }

  get waiting(): number {
    return this.#waiting.length
  }

  add(span: EndedSpan): void {
    if (this.#waiting.length < tracingLimits.waiting) this.#waiting.push(span)
    else this.dropped++
  }

  /** What waits is sent once more; what is not taken then is dropped. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#going
    const signal = AbortSignal.timeout(tracingLimits.stopMs)
    while (this.#waiting.length > 0 && (await this.#send(signal)));
    this.dropped += this.#waiting.length
    this.#waiting = []
  }

  async #run(everyMs: number): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await sleep(this.#isAway ? tracingLimits.pauseMs : everyMs, undefined, { signal, ref: false }).catch(() => {})
      while (!signal.aborted && this.#waiting.length > 0 && (await this.#send(signal)));
    }
  }

  /** Whether the collector has taken them. */
  async #send(signal: AbortSignal): Promise<boolean> {
    const batch = this.#waiting.slice(0, tracingLimits.batch)
    const { url, headers, serviceName } = this.#settings
    try {
      const response = await this.#ask(new URL(url), {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: Buffer.from(otlpBody(serviceName, batch)),
        signal: AbortSignal.any([signal, AbortSignal.timeout(tracingLimits.answerMs)]),
      })
      await discard(response)
      const { statusCode: status = 0 } = response
      // What it will never take would be in the way of everything behind it.
      const isRefused = status >= 400 && status < 500 && status !== 429 && status !== 408
      if (!isRefused && (status < 200 || status >= 300)) throw new Error(`it answered ${status}`)
      this.#waiting.splice(0, batch.length)
      if (isRefused) this.dropped += batch.length
      else this.sent += batch.length
      if (isRefused) this.#warn(`it answered ${status}`)
      else this.#isAway = false
      return !isRefused
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#warn(error instanceof Error ? error.message : String(error))
      return false
    }
  }

  /** Once, until it takes something again. */
  #warn(reason: string): void {
    if (!this.#isAway) this.#log.warn({ reason }, 'traces are not taken; they wait as long as there is room')
    this.#isAway = true
  }
}

async function discard(response: IncomingMessage): Promise<void> {
  let bytes = 0
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > tracingLimits.answerBytes) break
    }
  } finally {
    response.destroy()
  }
}
