// A bucket of S3-compatible storage: objects are listed, read, written once and deleted. What fails on the way is tried again; an
// object that is there already is never replaced, and one that did not arrive as a whole is not there at all.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../../core/refusal.ts'
import { AddressRefused } from '../address.ts'
import { AnswerRefused, type AskGuarded } from '../guarded-request.ts'
import { readRetryAfter } from '../retry-after.ts'
import { s3Limits } from './s3-limits.ts'
import { type S3Credentials, sha256Of, signRequest } from './signature.ts'

export interface BucketOptions {
  readonly ask: AskGuarded
  /** `https://s3.eu-central-1.amazonaws.com`: checked already. */
  readonly endpoint: URL
  readonly region: string
  readonly credentials: S3Credentials
  readonly bucket: string
  readonly nowMs?: () => number
  readonly pause?: (ms: number) => Promise<unknown>
  readonly partBytes?: number
}

interface Asked {
  readonly method: string
  /** `null`: the bucket itself. */
  readonly key: string | null
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

interface FoundObject {
  readonly key: string
  readonly bytes: number
}

/** Its own words say what it is; worth another attempt. */
class Passing extends Error {
  readonly waitMs: number | null

  constructor(message: string, waitMs: number | null = null) {
    super(message)
    this.waitMs = waitMs
  }
}

const passingStatuses = new Set([408, 409, 429, 500, 502, 503, 504])

/** By whom an object was written: what a lost answer is recognised by. */
const writtenBy = 'x-amz-meta-assize-upload'

export class Bucket {
  readonly #options: BucketOptions

  constructor(options: BucketOptions) {
    this.#options = options
  }

  /** Every object whose key begins so, in the order of the keys. */
  async list(prefix: string): Promise<readonly FoundObject[]> {
    const found: FoundObject[] = []
    let token: string | null = null
    do {
      const query: Record<string, string> = { 'list-type': '2', prefix }
      if (token !== null) query['continuation-token'] = token
      const { text } = await this.#asking({ method: 'GET', key: null, query }, readText)
      for (const [, content] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs))
        found.push({ key: textOf(content!, 'Key')!, bytes: Number(textOf(content!, 'Size')) })
      token = textOf(text, 'IsTruncated') === 'true' ? textOf(text, 'NextContinuationToken') : null
    } while (token !== null)
    return found
  }

  /** From its beginning each time it is tried; `take` has had all of it when it resolves. */
  async read(key: string, take: (body: AsyncIterable<Buffer>) => Promise<void>): Promise<void> {
    await this.#asking({ method: 'GET', key }, async response => {
      let received = 0
      const counted = async function* (): AsyncGenerator<Buffer> {
        for await (const chunk of response) {
          received += (chunk as Buffer).length
          yield chunk as Buffer
        }
      }
      await take(counted())
      if (received !== Number(response.headers['content-length'] ?? received))
        throw new Passing(`${key} was cut off on the way`)
    })
  }

  async remove(key: string): Promise<void> {
    await this.#asking({ method: 'DELETE', key }, readText)
  }

  /** Refuses a key that is there. How many bytes there were. */
  async write(key: string, body: AsyncIterable<Buffer>): Promise<number> {
    const parts = inParts(body, this.#options.partBytes ?? s3Limits.partBytes)
    const first = (await parts.next()).value ?? Buffer.alloc(0)
    const second = await parts.next()
    const headers = { [writtenBy]: randomUUID() }
    if (second.done === true) {
      await this.#finishing(key, headers, {
        ...{ method: 'PUT', key, body: first },
        headers: { ...headers, 'if-none-match': '*' },
      })
      return first.length
    }
    return this.#writeParts(key, headers, prepended([first, second.value], parts))
  }

  async #writeParts(key: string, headers: Record<string, string>, parts: AsyncIterable<Buffer>): Promise<number> {
    const begun = await this.#asking({ method: 'POST', key, query: { uploads: '' }, headers }, readText)
    const uploadId = textOf(begun.text, 'UploadId')
    if (uploadId === null) throw new Refusal('unavailable', `${this.#where(key)}: no upload was begun`)
    try {
      const tags: string[] = []
      let bytes = 0
      for await (const body of parts) {
        const query = { partNumber: String(tags.length + 1), uploadId }
        const { headers: said } = await this.#asking({ method: 'PUT', key, query, body }, readText)
        tags.push(said.etag ?? '')
        bytes += body.length
      }
      const listed = tags.map((tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
      const body = Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`)
      const asked = { method: 'POST', key, query: { uploadId }, body, headers: { 'if-none-match': '*' } }
      await this.#finishing(key, headers, asked)
      return bytes
    } catch (error) {
      await this.#asking({ method: 'DELETE', key, query: { uploadId } }, readText).catch(() => {})
      throw error
    }
  }

  /** The request after which an object is there. If its answer was lost, the next attempt finds what it wrote itself. */
  async #finishing(key: string, headers: Readonly<Record<string, string>>, asked: Asked): Promise<void> {
    try {
      await this.#asking(asked, async response => {
        const { text } = await readText(response)
        // Putting parts together may fail after the status was sent.
        if (text.includes('<Error>')) throw new Passing(wordsOf(200, text))
      })
    } catch (error) {
      const isOurs = await this.#asking({ method: 'HEAD', key }, async response => {
        response.resume()
        return response.headers[writtenBy] === headers[writtenBy]
      }).catch(() => false)
      if (!isOurs) throw error
    }
  }

  /** Until it is answered for good, as often as it may be tried. */
  async #asking<T>(asked: Asked, take: (response: IncomingMessage) => Promise<T>): Promise<T> {
    const { pause = sleep } = this.#options
    for (let attempt = 0; ; attempt++)
      try {
        return await this.#ask(asked, take)
      } catch (error) {
        if (error instanceof Refusal) throw error
        if (error instanceof AddressRefused || error instanceof AnswerRefused)
          throw new Refusal('invalid', error.message)
        const waitMs = s3Limits.pausesMs[attempt]
        if (waitMs === undefined)
          throw new Refusal('unavailable', `${this.#where(asked.key)} does not answer: ${(error as Error).message}`)
        const wished = error instanceof Passing ? error.waitMs : null
        await pause(Math.min(Math.max(waitMs, wished ?? 0), s3Limits.retryAfterMs))
      }
  }

  async #ask<T>(asked: Asked, take: (response: IncomingMessage) => Promise<T>): Promise<T> {
    const { ask, endpoint, region, credentials, bucket, nowMs = Date.now } = this.#options
    const { method, key, query = {}, headers = {}, body = null } = asked
    const path = `${endpoint.pathname.replace(/\/$/, '')}/${bucket}${key === null ? '' : `/${key}`}`
    const unsigned = { method, host: endpoint.host, path, query, headers, bodyHash: sha256Of(body ?? '') }
    const signed = signRequest(unsigned, credentials, region, nowMs())
    const response = await ask(new URL(`${endpoint.origin}${signed.target}`), {
      ...{ method, headers: signed.headers, body },
      signal: AbortSignal.timeout(s3Limits.answerMs),
    })
    const { statusCode: status = 0 } = response
    if (status < 300) return take(response)
    const { text } = await readText(response)
    if (passingStatuses.has(status))
      throw new Passing(wordsOf(status, text), readRetryAfter(response.headers['retry-after'], nowMs()))
    if (status === 412)
      throw new Refusal('conflict', `${this.#where(key)} exists already; a backup never overwrites one`)
    throw new Refusal(status === 404 ? 'not-found' : 'invalid', `${this.#where(key)}: ${wordsOf(status, text)}`)
  }

  #where(key: string | null): string {
    return `s3://${this.#options.bucket}/${key ?? ''}`
  }
}

async function readText(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    length += (chunk as Buffer).length
    if (length > s3Limits.answerBytes) throw new Error('its answer is too long')
    chunks.push(chunk as Buffer)
  }
  const text = Buffer.concat(chunks).toString('utf8')
  return { status: response.statusCode ?? 0, headers: response.headers, text }
}

/** What an error of the storage says, in one line. */
function wordsOf(status: number, text: string): string {
  const words = [textOf(text, 'Code'), textOf(text, 'Message')].filter(each => each !== null).join(': ')
  return `status ${status}${words === '' ? '' : `, ${words.replace(/\s+/g, ' ').slice(0, 300)}`}`
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** Of the first element of that name. */
function textOf(xml: string, name: string): string | null {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  if (text === undefined) return null
  return text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g, (whole, decimal, digits, named) => {
    const code = decimal !== undefined ? Number(decimal) : digits !== undefined ? Number.parseInt(digits, 16) : null
    return code === null ? (entities[named] ?? whole) : String.fromCodePoint(code)
  })
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, sign => `&#${sign.charCodeAt(0)};`)
}

async function* inParts(body: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, void> {
  let [held, length]: [Buffer[], number] = [[], 0]
  for await (const chunk of body) {
    held.push(chunk)
    length += chunk.length
    while (length > size) {
      const whole = Buffer.concat(held, length)
      yield whole.subarray(0, size)
      held = [whole.subarray(size)]
      length -= size
    }
  }
  if (length > 0) yield Buffer.concat(held, length)
}

async function* prepended(first: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}
