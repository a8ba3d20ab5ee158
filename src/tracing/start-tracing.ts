// Starts traces in a process: one exporter in the main thread, and in every thread a tracer that passes its spans on to it. Loaded
// only where a collector is set.
import { BroadcastChannel } from 'node:worker_threads'
import type { TraceSettings } from '../core/text/trace-settings.ts'
import { resolveBySystem } from '../outbound/address.ts'
import { guardedRequests } from '../outbound/guarded-request.ts'
import { PrivateHosts } from '../outbound/private-hosts.ts'
import { Exporter } from './exporter.ts'
import type { EndedSpan } from './span.ts'
import { Tracer } from './tracer.ts'

/** Between the threads of a process. */
const channelName = 'assize spans'

export interface Tracing {
  readonly tracer: Tracer
  readonly exporter: Exporter
  stop(): Promise<void>
}

/** In the main thread. The collector's address is the operator's: it may be inside the house. */
export function startTracing(settings: TraceSettings, log: { warn(facts: object, message: string): void }): Tracing {
  const privateHosts = new PrivateHosts([new URL(settings.url).hostname.replace(/^\[(.*)\]$/, '$1')])
  const ask = guardedRequests({ resolve: resolveBySystem, privateHosts, userAgent: 'Assize' })
  const exporter = new Exporter(settings, ask, log)
  const tracer = new Tracer(settings.sampler, span => exporter.add(span))
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = message => exporter.add((message as { readonly data: EndedSpan }).data)
  channel.unref()
  return {
    tracer,
    exporter,
    async stop() {
      tracer.stop()
      channel.close()
      await exporter.stop()
    },
  }
}

/** In another thread of the process. */
export function startThreadTracing({ sampler }: TraceSettings): void {
  const channel = new BroadcastChannel(channelName)
  channel.unref()
  new Tracer(sampler, span => channel.postMessage(span))
}
