// Descriptions of the API: the OpenAPI documents of v1 at /openapi.json and of /ext/v1 at /ext/openapi.json, a readable page of
// both at /docs, and the JSON Schema of formula documents at /formula.schema.json. Each is encoded once, on its first request, in
// every encoding it is sent in, and needs no key: it says nothing about any workspace.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { documentSchema } from '../../core/formula/schema.ts'
import { contentTag } from '../api/encoded-answers.ts'
import { description as ext } from '../ext/description/description.ts'
import { type Answer, packBeforehand, typedAnswer } from '../frame/answer.ts'
import { sendReply } from '../frame/reply.ts'
import { description as v1 } from '../v1/description.ts'
import { buildOpenApi } from './openapi.ts'
import { renderPage } from './page.ts'

export function addDescription(app: FastifyInstance): void {
  // Made on the first request: a server starts sooner, and most never send them.
  const serve = (address: string, make: () => Promise<Answer>) => {
    let made: Promise<Answer> | null = null
    app.get(address, async (request, reply) => {
      made ??= make().catch(error => {
        made = null
        throw error
      })
      return sendReply(request, reply, await made)
    })
  }
  for (const { api, address } of [own, further])
    serve(address, () => prepare(JSON.stringify(buildOpenApi(api)), 'application/json', forAll))
  serve('/formula.schema.json', () => prepare(JSON.stringify(documentSchema()), 'application/schema+json', forAll))
  serve('/docs', async () => {
    const [rules, script] = await Promise.all(['style.css', 'script.js'].map(readPart))
    const style = `${await fontFaces()}${rules}`
    const describe = (each: typeof own) => ({ ...each, document: buildOpenApi(each.api) })
    const apis = [describe(own), describe(further)] as const
    return prepare(renderPage({ apis, style, script: script! }), 'text/html; charset=utf-8', [
      'content-security-policy',
      policyFor(style, script!),
      'referrer-policy',
      'no-referrer',
    ])
  })
}

const own = { api: v1, address: '/openapi.json' }
const further = { api: ext, address: '/ext/openapi.json' }

/** Tools on other origins may read them; they contain nobody's data. */
const forAll = ['access-control-allow-origin', '*']

function readPart(name: string): Promise<string> {
  return readFile(new URL(`./${name}`, import.meta.url), 'utf8')
}

/** Fonts of the web interface, if it is built: its files are served from this origin. */
const faces = [
  { family: 'Inter Variable', file: /^inter-latin-wght-normal-[\w-]+\.woff2$/ },
  { family: 'JetBrains Mono Variable', file: /^jetbrains-mono-latin-wght-normal-[\w-]+\.woff2$/ },
] as const

async function fontFaces(): Promise<string> {
  const files = await readdir(new URL('../../../web/dist/assets', import.meta.url)).catch(() => [])
  return faces
    .flatMap(({ family, file }) => {
      const found = files.find(name => file.test(name))
      if (found === undefined) return []
      const source = `url("/assets/${found}") format("woff2")`
      return [`@font-face{font-family:"${family}";font-weight:100 900;font-display:swap;src:${source}}\n`]
    })
    .join('')
}

/** Policy of the page: only the server's own fonts are loaded, and only the two scripts written into the page run. */
function policyFor(style: string, script: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${hash(script)}`,
    'img-src data:',
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function prepare(text: string, type: string, more: readonly string[]): Promise<Answer> {
  const bytes = Buffer.from(text)
  const headers = ['cache-control', 'no-cache', 'vary', 'Accept-Encoding', ...more]
  return typedAnswer(type, [bytes], { etag: contentTag(text), headers, packed: await packBeforehand(bytes) })
}
