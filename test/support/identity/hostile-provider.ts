// An identity provider that says whatever a test wants: its description, its keys, its answers and its tokens, good or bad. It
// has no pages: a test reads what was asked from the address that a browser would be sent to, and answers in its place.
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Claims = Readonly<Record<string, unknown>>

/** One key that signs, under the name it is published by. */
export interface SigningKey {
  readonly kid: string
  readonly alg: 'RS256' | 'PS256' | 'ES256' | 'EdDSA'
  readonly privateKey: KeyObject
  readonly jwk: Record<string, unknown>
}

export function makeKey(alg: SigningKey['alg'], kid: string): SigningKey {
  const { privateKey, publicKey } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : alg === 'EdDSA'
        ? generateKeyPairSync('ed25519')
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { kid, alg, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' } }
}

const encoded = (part: unknown) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** Signed as the key says; header and claims are whatever the test wants. */
export function mint(key: SigningKey, claims: Claims, header: Claims = {}): string {
  const signed = `${encoded({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })}.${encoded(claims)}`
  return `${signed}.${signatureOf(key, signed)}`
}

function signatureOf({ alg, privateKey }: SigningKey, text: string): string {
  const bytes = Buffer.from(text)
  if (alg === 'EdDSA') return sign(null, bytes, privateKey).toString('base64url')
  if (alg === 'ES256')
    return sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  const padding = alg === 'PS256' ? { padding: 6, saltLength: 32 } : {}
  return sign('sha256', bytes, { key: privateKey, ...padding }).toString('base64url')
}

/** Signed with a secret that everybody knows: the text of a public key. */
export function mintWithSecret(secret: string, claims: Claims, header: Claims = {}): string {
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT', ...header })}.${encoded(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

export function unsigned(claims: Claims, header: Claims = { alg: 'none' }, signature = ''): string {
  return `${encoded(header)}.${encoded(claims)}.${signature}`
}

interface Said {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or the text itself. */
  readonly body: unknown
}

/** What was asked for at the authorisation address. */
export interface Asked {
  readonly state: string
  readonly nonce: string
  readonly clientId: string
  readonly url: URL
}

export class HostileProvider {
  readonly #server: Server
  readonly key = makeKey('ES256', 'key-1')
  keys: readonly SigningKey[] = [this.key]
  /** How often each path was asked for. */
  readonly counts = new Map<string, number>()
  /** In place of what it usually says, by path. */
  readonly says = new Map<string, (request: { readonly form: URLSearchParams }) => Said | null>()
  /** What it answers for a code: the token, or a whole answer. */
  readonly #codes = new Map<string, string | Said>()

  constructor() {
    this.#server = createServer((req, res) => void this.#answer(req, res))
  }

  static async open(): Promise<HostileProvider> {
    const provider = new HostileProvider()
    await new Promise<void>(resolve => provider.#server.listen(0, '127.0.0.1', resolve))
    return provider
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  get description(): Record<string, unknown> {
    const { issuer } = this
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorise`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
    }
  }

  asked(address: string): Asked {
    const url = new URL(address)
    const of = (name: string) => url.searchParams.get(name) ?? ''
    return { state: of('state'), nonce: of('nonce'), clientId: of('client_id'), url }
  }

  /** The claims of a good token. */
  claims({ nonce, clientId }: Pick<Asked, 'nonce' | 'clientId'>, subject: string, more: Claims = {}): Claims {
    const now = Math.floor(Date.now() / 1000)
    return { iss: this.issuer, aud: clientId, sub: subject, nonce, iat: now, exp: now + 300, auth_time: now, ...more }
  }

  /** The query with which a browser comes back, for an answer of the token address. */
  comeBack({ state }: Pick<Asked, 'state'>, token: string | Said): URLSearchParams {
    const code = randomUUID()
    this.#codes.set(code, token)
    return new URLSearchParams({ code, state, iss: this.issuer })
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise(resolve => this.#server.close(() => resolve()))
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const path = req.url!.split('?', 1)[0]!
    this.counts.set(path, (this.counts.get(path) ?? 0) + 1)
    let text = ''
    for await (const chunk of req) text += chunk
    const said =
      this.says.get(path)?.({ form: new URLSearchParams(text) }) ?? this.#usual(path, new URLSearchParams(text))
    const { status = 200, headers = {}, body } = said
    res.writeHead(status, { 'content-type': 'application/json', ...headers })
    res.end(typeof body === 'string' ? body : JSON.stringify(body))
  }

  #usual(path: string, form: URLSearchParams): Said {
    if (path === '/.well-known/openid-configuration') return { body: this.description }
    if (path === '/keys') return { body: { keys: this.keys.map(({ jwk }) => jwk) } }
    const answer = path === '/token' ? this.#codes.get(form.get('code') ?? '') : undefined
    if (answer === undefined) return { status: 400, body: { error: 'invalid_grant' } }
    if (typeof answer !== 'string') return answer
    return { body: { access_token: 'an access token', token_type: 'Bearer', expires_in: 300, id_token: answer } }
  }
}
