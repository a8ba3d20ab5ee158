// The description of the API: the OpenAPI document at /openapi.json, a readable page at /docs, and the JSON Schema of formula
// documents at /formula.schema.json. All are encoded once, in every encoding they are sent in, and need no key: they say
// nothing about any workspace.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { documentSchema } from '../core/formula/schema.ts'
import { chooseEncoding, isHeld } from './answer.ts'
import { renderPage } from './docs/page.ts'
import { buildOpenApi } from './openapi.ts'
import { contentTag } from './v1/encoded.ts'

export async function addDescription(app: FastifyInstance): Promise<void> {
  const document = buildOpenApi()
  const [style, script] = await Promise.all(['style.css', 'script.js'].map(readPart))
  const page = renderPage({ document, style: style!, script: script! })
  // Tools on other origins may read them; there is nothing of anybody's in them.
  const forAll = { 'access-control-allow-origin': '*' }
  const described = await prepare(JSON.stringify(document), 'application/json', forAll)
  const schema = await prepare(JSON.stringify(documentSchema()), 'application/schema+json', forAll)
  const readable = await prepare(page, 'text/html; charset=utf-8', {
    'content-security-policy': policyFor(style!, script!),
    'referrer-policy': 'no-referrer',
  })
  app.get('/openapi.json', (request, reply) => sendPrepared(described, request, reply))
  app.get('/formula.schema.json', (request, reply) => sendPrepared(schema, request, reply))
  app.get('/docs', (request, reply) => sendPrepared(readable, request, reply))
}

function readPart(name: string): Promise<string> {
  return readFile(new URL(`./docs/${name}`, import.meta.url), 'utf8')
}

/** Nothing is loaded, and nothing runs but the two parts that were written into the page. */
function policyFor(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

interface Prepared {
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly bodies: { readonly plain: Buffer; readonly br: Buffer; readonly gzip: Buffer }
}

async function prepare(text: string, type: string, more: Readonly<Record<string, string>>): Promise<Prepared> {
  const plain = Buffer.from(text)
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  const headers = {
    'content-type': type,
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    ...more,
  }
  return { headers, etag: contentTag(text), bodies: { plain, br, gzip: gz } }
}

function sendPrepared({ headers, etag, bodies }: Prepared, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = chooseEncoding(request.headers['accept-encoding'] as string | undefined)
  // Each encoding is its own body, and a strong tag names one body.
  const tag = encoding === null ? etag : `${etag.slice(0, -1)}-${encoding}"`
  reply.headers({ ...headers, etag: tag })
  if (isHeld(request.headers['if-none-match'], tag)) return reply.code(304).send()
  if (encoding !== null) reply.header('content-encoding', encoding)
  return reply.send(bodies[encoding ?? 'plain'])
}
