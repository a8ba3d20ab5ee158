// A collector of traces on a socket of this machine. It remembers the spans that it was sent as OTLP in JSON.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, string | number>> }[]
}

interface OtlpRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[]
}

export interface Collector {
  readonly address: string
  readonly spans: CollectedSpan[]
  readonly bodies: string[]
  until(isThere: (spans: readonly CollectedSpan[]) => boolean): Promise<readonly CollectedSpan[]>
  close(): Promise<void>
}

export async function openCollector(): Promise<Collector> {
  const waiting = new Set<() => void>()
  const server = createServer(async (req, res) => {
    const pieces: Buffer[] = []
    for await (const piece of req) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces).toString()
    collector.bodies.push(body)
    const sent = JSON.parse(body) as OtlpRequest
    collector.spans.push(...sent.resourceSpans.flatMap(each => each.scopeSpans.flatMap(({ spans }) => spans)))
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    for (const look of waiting) look()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const collector: Collector = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    bodies: [],
    until: isThere =>
      new Promise(resolve => {
        const look = () => {
          if (!isThere(collector.spans)) return
          waiting.delete(look)
          resolve(collector.spans)
        }
        waiting.add(look)
        look()
      }),
    close: () =>
      new Promise(resolve => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return collector
}

export function attribute({ attributes }: CollectedSpan, name: string): string | undefined {
  const value = attributes.find(({ key }) => key === name)?.value
  return (value?.stringValue ?? value?.intValue)?.toString()
}

/** The names from the top of the trace down to a span. */
export function wayTo(span: CollectedSpan, spans: readonly CollectedSpan[]): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId)
  return parent === undefined ? [span.name] : [...wayTo(parent, spans), span.name]
}
