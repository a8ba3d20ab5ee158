// The built web interface: its files, read into memory once at the start, and its one page for every address of a page. A request
// is looked up among the files in memory, so no address leads anywhere else.
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../core/refusal.ts'
import { limits } from '../../../limits.ts'
import { type Answer, typedAnswer } from '../../frame/answer.ts'
import { sendReply } from '../../frame/reply.ts'
import { fileHeaders, pageHeaders } from './security-headers.ts'

const builtPages = fileURLToPath(new URL('../../../../web/dist', import.meta.url))
const pageAddresses = ['/', '/sign-in', '/set-up', '/new-password', '/verify', '/unsubscribe', '/sso/callback', '/w/*']
/** Place in the page for the nonce that allows its own styles. */
const nonceMark = '__CSP_NONCE__'

export async function addPages(app: FastifyInstance, folder: string = builtPages): Promise<void> {
  const files = await readFiles(folder)
  const page = files.get('index.html')
  files.delete('index.html')
  const [parts, status] = page === undefined ? [notBuilt, 503] : [page.toString('utf8'), 200]
  const around = parts.split(nonceMark)
  const sendPage = (request: FastifyRequest, reply: FastifyReply, code: number) => {
    const nonce = randomBytes(18).toString('base64')
    const told = { ...pageHeaders(nonce), 'cache-control': 'no-store', vary: 'Accept-Encoding' }
    const headers = Object.entries(told).flat()
    return sendReply(request, reply, typedAnswer(types['.html']!, around.join(nonce), { headers, status: code }))
  }
  // One page for every address: the client decides on the content.
  for (const address of pageAddresses) app.get(address, (request, reply) => sendPage(request, reply, status))
  const findFile = fileAnswers(files)
  app.get('/*', (request, reply) => {
    // Looked up undecoded: names of files contain nothing that an address writes in another way.
    const file = findFile(request.url.split('?', 1)[0]!.slice(1))
    if (file !== null) return sendReply(request, reply, file)
    // A person sees a page that says the link leads nowhere; a program gets an answer it can parse.
    if (!isPageWanted(request)) return reply.callNotFound()
    return sendPage(request, reply, status === 200 ? 404 : status)
  })
}

/** Answer for a path, made on first use; `null` for a path without a file of its own. */
function fileAnswers(files: ReadonlyMap<string, Buffer>): (path: string) => Answer | null {
  const made = new Map<string, Answer>()
  return path => {
    const body = files.get(path)
    // The page inside evidence packages is not served: its script is inline.
    if (body === undefined || /\.(?:br|gz)$/.test(path) || path.startsWith('offline/')) return null
    const answer = made.get(path) ?? hold(path, body, files)
    made.set(path, answer)
    return answer
  }
}

/** Whether somebody goes to an address: browsers then name HTML first, and not at all for requests of a page. */
function isPageWanted({ headers }: FastifyRequest): boolean {
  return headers.accept?.trimStart().startsWith('text/html') === true
}

/** Files by their paths with slashes; empty where nothing is built. */
async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(error => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const paths = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const files = new Map<string, Buffer>()
  let bytes = 0
  for (const path of paths) {
    // Synchronous, since nobody is served yet: hundreds of small files are read several times as fast.
    const body = readFileSync(path)
    bytes += body.length
    if (files.size >= limits.pages.files || bytes > limits.pages.bytes)
      throw new Refusal(
        'unavailable',
        `${folder} holds more than ${limits.pages.files} files or ${limits.pages.bytes} bytes: that is not the web interface`,
      )
    files.set(relative(folder, path).split(sep).join('/'), body)
  }
  return files
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Answer for a file; a compressed copy next to it is sent instead if the client accepts it. */
function hold(path: string, plain: Buffer, files: ReadonlyMap<string, Buffer>): Answer {
  const told = {
    ...fileHeaders,
    // The names of assets change with their content.
    'cache-control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'Accept-Encoding',
  }
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`
  const packed = { br: files.get(`${path}.br`), gzip: files.get(`${path}.gz`) }
  const type = types[extname(path)] ?? 'application/octet-stream'
  return typedAnswer(type, [plain], { etag, headers: Object.entries(told).flat(), packed })
}

const notBuilt = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Assize</title>
<style nonce="${nonceMark}">
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto 0; padding: 0 1.5rem }
  code { font: 0.95em ui-monospace, monospace }
</style>
</head>
<body>
<h1>Assize is running</h1>
<p>The web interface is not built yet. Run <code>npm run build</code> in the folder of Assize and start it again.</p>
<p>The API works without it: <a href="/docs">how to use it</a>.</p>
</body>
</html>
`
