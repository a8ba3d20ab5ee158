// Bodies sent to the console, JSON or a file, bounded while they arrive, not after. The schema check of JSON is in
// request-check.ts.
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import { refuseUnstorable } from '../../frame/storable-request.ts'

export type BodyKind = 'json' | 'file'

const contentTypes: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  file: 'application/octet-stream',
}

/** A form on another site cannot send these without a preflight request. */
export function checkContentType({ headers }: IncomingMessage, kind: BodyKind): void {
  const [sent = ''] = (headers['content-type'] ?? '').split(';', 1)
  if (sent.trim().toLowerCase() !== contentTypes[kind])
    throw new Refusal('wrong-type', `content-type must be ${contentTypes[kind]}, got ${sent || 'none'}`)
}

export async function readJson(req: IncomingMessage, most: number): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of bounded(req, most)) chunks.push(chunk as Buffer)
  const body = parse(Buffer.concat(chunks))
  refuseUnstorable(body)
  return body
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Refusal('unreadable', 'the body cannot be read as JSON')
  }
}

export function readFile(req: IncomingMessage): Readable {
  return bounded(req, limits.upload.wireBytes)
}

/**
 * Reads and discards the rest of a file that arrives after its answer, up to a bound: a browser looks at the answer only when it
 * has sent everything.
 */
export function discardRest(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return
  let left = limits.upload.wireBytes
  req.unpipe()
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) req.destroy()
  })
  req.resume()
}

function bounded(req: IncomingMessage, most: number): Readable {
  const tooLarge = () =>
    new Refusal('too-large', `at most ${sizeWords(most)} can be sent here; this is larger, and nothing of it was kept`)
  if (Number.parseInt(req.headers['content-length'] ?? '0', 10) > most) throw tooLarge()
  let received = 0
  const gate = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      done(received > most ? tooLarge() : null, chunk)
    },
  })
  req.once('error', error => gate.destroy(error))
  req.once('close', () => {
    if (!req.complete) gate.destroy(new Refusal('unreadable', 'the request ended before all of it arrived'))
  })
  return req.pipe(gate)
}

function sizeWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} kB` : `${bytes / 1024 / 1024} MB`
}
