// A stand-in for S3-compatible storage: one bucket in memory that checks every signature by itself, from the bytes of the request as they
// came, and misbehaves on request: refuses for now, hangs up, sends half of a body, or does what was asked and loses the answer.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type S3Trouble = 'busy' | 'reset' | 'half' | 'lost-answer' | 'error-in-200'

interface Kept {
  readonly body: Buffer
  readonly meta: Readonly<Record<string, string>>
}

const digest = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()

export class StandInS3 {
  readonly bucket = 'backups'
  readonly keyId = 'STANDINKEYID'
  readonly secret = 'stand-in/secret+of=the-tests'
  readonly region = 'eu-test-1'
  readonly objects = new Map<string, Kept>()
  /** What happens to the next requests that `hits` picks, in order. */
  troubles: S3Trouble[] = []
  hits: (method: string, target: string) => boolean = () => true
  /** `PUT /backups/x`, in order. */
  readonly asked: string[] = []
  readonly #uploads = new Map<string, { key: string; meta: Record<string, string>; parts: Map<number, Buffer> }>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  async listen(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>).catch(() => []))
    const { method = '', url = '' } = request
    this.asked.push(`${method} ${url}`)
    const trouble = this.hits(method, url) ? this.troubles.shift() : undefined
    if (trouble === 'reset') return request.socket.destroy()
    if (trouble === 'busy') return fail(response, 503, 'SlowDown', { 'retry-after': '1' })
    const why = this.#whyUnsigned(request, body)
    if (why !== null) return fail(response, 403, why)
    if (trouble === 'error-in-200') return response.writeHead(200).end('<Error><Code>InternalError</Code></Error>')
    const held = trouble === 'lost-answer' ? mutedResponse() : response
    this.#act(method, new URL(url, 'http://x'), request, body, held, trouble === 'half')
    return trouble === 'lost-answer' ? request.socket.destroy() : null
  }

  /** As the documentation of Signature Version 4 says, from the request as it came. */
  #whyUnsigned({ method, url = '', headers }: IncomingMessage, body: Buffer): string | null {
    const given =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=([0-9a-f]{64})$/
    const [, keyId, day, region, names = '', signature] = given.exec(headers.authorization ?? '') ?? []
    if (keyId !== this.keyId || region !== this.region) return 'InvalidAccessKeyId'
    const at = `${headers['x-amz-date']}`
    if (
      !at.startsWith(day!) ||
      Math.abs(Date.parse(at.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:')) - Date.now()) > 900_000
    )
      return 'RequestTimeTooSkewed'
    if (headers['x-amz-content-sha256'] !== digest(body)) return 'XAmzContentSHA256Mismatch'
    const needed = ['host', ...Object.keys(headers).filter(name => name.startsWith('x-amz-'))]
    if (needed.some(name => !names.split(';').includes(name))) return 'AccessDenied'
    const [path, query = ''] = url.split('?')
    const text = [
      ...[method, path, query.split('&').sort().join('&')],
      ...names.split(';').map(name => `${name}:${`${headers[name]}`.trim()}`),
      ...['', names, digest(body)],
    ].join('\n')
    const toSign = `AWS4-HMAC-SHA256\n${at}\n${day}/${region}/s3/aws4_request\n${digest(text)}`
    const key = hmac(hmac(hmac(hmac(`AWS4${this.secret}`, day!), region!), 's3'), 'aws4_request')
    return hmac(key, toSign).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
  }

  #act(
    method: string,
    { pathname, searchParams }: URL,
    { headers }: IncomingMessage,
    body: Buffer,
    response: Pick<ServerResponse, 'writeHead'>,
    isHalf: boolean,
  ): unknown {
    const [, bucket, ...rest] = decodeURIComponent(pathname).split('/')
    const key = rest.join('/')
    if (bucket !== this.bucket) return fail(response, 404, 'NoSuchBucket')
    const meta = Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (name.startsWith('x-amz-meta-') ? [[name, `${value}`]] : [])),
    )
    const isTaken = headers['if-none-match'] === '*' && this.objects.has(key)
    const uploadId = searchParams.get('uploadId')
    const upload = uploadId === null ? undefined : this.#uploads.get(uploadId)
    if (method === 'GET' && key === '') return this.#list(searchParams, response)
    if (method === 'POST' && searchParams.has('uploads')) {
      const id = `upload-${this.#uploads.size + 1}`
      this.#uploads.set(id, { key, meta, parts: new Map() })
      return response.writeHead(200).end(`<R><UploadId>${id}</UploadId></R>`)
    }
    if (uploadId !== null && upload === undefined) return fail(response, 404, 'NoSuchUpload')
    if (method === 'PUT' && upload !== undefined) {
      upload.parts.set(Number(searchParams.get('partNumber')), body)
      return response.writeHead(200, { etag: `"${digest(body).slice(0, 32)}"` }).end()
    }
    if (isTaken) return fail(response, 412, 'PreconditionFailed')
    if (method === 'POST' && upload !== undefined) {
      const listed = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
      const parts = listed.map(([, number]) => upload.parts.get(Number(number)))
      const isWhole =
        parts.length === upload.parts.size &&
        listed.every(([, , tag], i) => tag === `"${digest(parts[i]!).slice(0, 32)}"`)
      if (!isWhole) return fail(response, 400, 'InvalidPart')
      this.objects.set(key, { body: Buffer.concat(parts as Buffer[]), meta: upload.meta })
      this.#uploads.delete(uploadId!)
      return response.writeHead(200).end('<R/>')
    }
    if (method === 'DELETE' && upload !== undefined) {
      this.#uploads.delete(uploadId!)
      return response.writeHead(204).end()
    }
    if (method === 'PUT') {
      this.objects.set(key, { body, meta })
      return response.writeHead(200).end()
    }
    if (method === 'DELETE') {
      this.objects.delete(key)
      return response.writeHead(204).end()
    }
    const found = this.objects.get(key)
    if (found === undefined) return fail(response, 404, 'NoSuchKey')
    const sent = response.writeHead(200, { ...found.meta, 'content-length': found.body.length })
    if (method === 'HEAD') return sent.end()
    if (!isHalf) return sent.end(found.body)
    return sent.write(found.body.subarray(0, found.body.length >> 1), () => sent.destroy())
  }

  /** Three at a time, so that whoever lists has to go on. */
  #list(query: URLSearchParams, response: Pick<ServerResponse, 'writeHead'>): unknown {
    const after = query.get('continuation-token') ?? ''
    const keys = [...this.objects.keys()].filter(key => key.startsWith(query.get('prefix') ?? '') && key > after).sort()
    const page = keys.slice(0, 3)
    const rows = page.map(
      key =>
        `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key><Size>${this.objects.get(key)!.body.length}</Size></Contents>`,
    )
    const more = keys.length > page.length
    const next = more ? `<NextContinuationToken>${page.at(-1)!.replaceAll('&', '&amp;')}</NextContinuationToken>` : ''
    return response.writeHead(200).end(`<L><IsTruncated>${more}</IsTruncated>${next}${rows.join('')}</L>`)
  }

  /** Uploads in parts that were neither put together nor given up. */
  get openUploads(): number {
    return this.#uploads.size
  }
}

function fail(
  response: Pick<ServerResponse, 'writeHead'>,
  status: number,
  code: string,
  headers: Record<string, string> = {},
): unknown {
  return response
    .writeHead(status, headers)
    .end(`<Error><Code>${code}</Code><Message>${code} &amp; more</Message></Error>`)
}

/** Nothing of it reaches anybody. */
function mutedResponse(): Pick<ServerResponse, 'writeHead'> {
  const muted = { end: () => muted, write: () => true, destroy: () => muted, writeHead: () => muted }
  return muted as unknown as ServerResponse
}
