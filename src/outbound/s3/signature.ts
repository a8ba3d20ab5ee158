// Signature Version 4 of Amazon, which S3-compatible storage asks for: an HMAC over the request, under a key that is made for one
// day, one region and one service. Pure; the clock is the caller's.
import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  readonly keyId: string
  readonly secret: string
  /** Of credentials that are valid for some hours only. */
  readonly sessionToken: string | null
}

interface UnsignedRequest {
  readonly method: string
  readonly host: string
  /** Decoded: `/bucket/a file`. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** In small letters; without `host`. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body as hexadecimal digits. */
  readonly bodyHash: string
}

interface SignedRequest {
  /** As it must be sent: path and query, encoded. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

export const sha256Of = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** RFC 3986, with every byte encoded that is not unreserved. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

export function signRequest(
  request: UnsignedRequest,
  { keyId, secret, sessionToken }: S3Credentials,
  region: string,
  nowMs: number,
): SignedRequest {
  const at = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '')
  const day = at.slice(0, 8)
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-content-sha256': request.bodyHash,
    'x-amz-date': at,
    ...(sessionToken === null ? {} : { 'x-amz-security-token': sessionToken }),
  }
  const signed = Object.entries({ ...headers, host: request.host })
    .map(([name, value]) => [name, value.trim().replace(/ +/g, ' ')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const path = request.path.split('/').map(encode).join('/')
  const query = Object.entries(request.query)
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  const canonical = [request.method, path, query, lines, names, request.bodyHash].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(mac, `AWS4${secret}`)
  const signature = mac(key, ['AWS4-HMAC-SHA256', at, scope, sha256Of(canonical)].join('\n')).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${keyId}/${scope},SignedHeaders=${names},Signature=${signature}`
  return { target: query === '' ? path : `${path}?${query}`, headers: { ...headers, authorization } }
}

function mac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
