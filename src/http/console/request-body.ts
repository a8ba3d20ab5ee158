// What is sent to the console: JSON that is checked against its schema, with every problem named, or a file as it comes.
// Both are bounded while they arrive, not after.
import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import type { TSchema } from 'typebox'
import { Settings } from 'typebox/system'
import { Errors } from 'typebox/value'
import { Refusal } from '../../core/refusal.ts'
import { limits } from '../../limits.ts'
import { ConsoleFailure } from './failure.ts'
import type { ProblemView } from './wire/session.ts'

export type BodyKind = 'json' | 'file'

const contentTypes: Readonly<Record<BodyKind, string>> = {
  json: 'application/json',
  file: 'application/octet-stream',
}

/** No form of another site can send these without asking us first. */
export function checkContentType({ headers }: IncomingMessage, kind: BodyKind): void {
  const [sent = ''] = (headers['content-type'] ?? '').split(';', 1)
  if (sent.trim().toLowerCase() !== contentTypes[kind])
    throw new ConsoleFailure(415, `content-type must be ${contentTypes[kind]}, got ${sent || 'none'}`)
}

export async function readJson(req: IncomingMessage, most: number): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of bounded(req, most)) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)))
  } catch {
    throw new ConsoleFailure(400, 'the body cannot be read as JSON')
  }
}

export function readFile(req: IncomingMessage): Readable {
  return bounded(req, limits.upload.wireBytes)
}

/**
 * What comes of a file after its answer is read and forgotten, up to a bound: a browser looks at the answer when it has
 * sent everything.
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
    new Refusal('too-large', `at most ${sizeWords(most)} can be sent here; this is more and nothing of it was taken`)
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
    if (!req.complete) gate.destroy(new ConsoleFailure(400, 'the request ended before all of it was there'))
  })
  return req.pipe(gate)
}

function sizeWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes / 1024} kB` : `${bytes / 1024 / 1024} MB`
}

/** The body as its schema says it is, or a refusal that names everything that is wrong with it. */
export function checkBody(schema: TSchema, body: unknown): unknown {
  Settings.Set({ maxErrors: limits.bodyProblems })
  const errors = Errors(schema, body) as unknown as readonly SchemaError[]
  if (errors.length === 0) return body
  const problems = describe(errors)
  const [first] = problems
  const message =
    problems.length === 1
      ? `${first!.path === '' ? 'the request' : first!.path} ${first!.message}`
      : `${problems.length} things in the request are not as they must be`
  throw new ConsoleFailure(422, message, { problems })
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** One sentence for each place, and one for each field that is missing or unknown. */
function describe(errors: readonly SchemaError[]): readonly ProblemView[] {
  const problems: ProblemView[] = []
  for (const [at, here] of Map.groupBy(errors, ({ instancePath }) => instancePath)) {
    const path = at.slice(1).replaceAll('/', '.')
    const inside = (name: unknown) => (path === '' ? String(name) : `${path}.${name}`)
    const put = (where: string, message: string) => problems.push({ path: where, message, line: null })
    for (const { keyword, params } of here)
      if (keyword === 'required')
        for (const name of params.requiredProperties as string[]) put(inside(name), 'is missing')
    const own = here.filter(({ keyword }) => !['required', 'additionalProperties'].includes(keyword))
    if (own.length > 0) put(path, sentenceOf(own))
  }
  return problems
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

function sentenceOf(errors: readonly SchemaError[]): string {
  if (errors.some(({ keyword }) => keyword === 'boolean')) return 'is not known here'
  const allowed = errors.flatMap(({ keyword, params }) =>
    keyword === 'const'
      ? [String(params.allowedValue)]
      : keyword === 'type'
        ? [params.type].flat().map(type => typeWords[String(type)] ?? String(type))
        : keyword === 'enum'
          ? (params.allowedValues as unknown[]).map(String)
          : [],
  )
  if (allowed.length > 0) return `must be ${[...new Set(allowed)].join(' or ')}`
  return errors.map(({ message }) => message)[0]!
}
