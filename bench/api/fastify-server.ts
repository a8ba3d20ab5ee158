// The rival that does the same work with Fastify: routes, an `onRequest` hook that finds the key by its digest and counts the
// request in one exact window, the same headers, and the body from memory by its address.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { formatRateLimit, formatRateLimitPolicy, SlidingLog } from '../../src/http/traffic/rate-limit.ts'

export interface FastifyAnswers {
  readonly keys: readonly string[]
  readonly rateLimit: number
  readonly bodies: Readonly<Record<string, string>>
}

const { keys, rateLimit, bodies }: FastifyAnswers = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
const answers = new Map(
  Object.entries(bodies).map(([address, text]) => {
    const body = Buffer.from(text)
    return [address, { body, etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"` }]
  }),
)
const windows = new Map(keys.map(key => [hash('sha256', key), new SlidingLog()]))

let count = 0
const app = fastify({ logger: false, genReqId: () => `bench-${(count++).toString(36)}` })

const headersOf = ({ id }: FastifyRequest) => ({
  'x-request-id': id,
  'cache-control': 'private, no-cache',
  vary: 'Authorization, Accept-Encoding',
  'x-content-type-options': 'nosniff',
})

app.get('/v1/health', (request, reply) => {
  reply.headers(headersOf(request)).send({ status: 'ok', version: 'v1', timestamp: new Date().toISOString() })
})

app.register(async api => {
  api.addHook('onRequest', (request, reply, next) => {
    const { authorization } = request.headers
    const window = authorization?.startsWith('Bearer ')
      ? windows.get(hash('sha256', authorization.slice(7)))
      : undefined
    if (window === undefined) {
      reply.code(401).send({ error: 'no key' })
      return
    }
    const taken = window.take(rateLimit, performance.now())
    const told = { ...taken, policy: 'default', limit: rateLimit } as const
    reply
      .headers(headersOf(request))
      .headers({ 'ratelimit-policy': formatRateLimitPolicy(told), ratelimit: formatRateLimit(told) })
    if (taken.accepted) next()
    else reply.code(429).send({ error: 'too many requests' })
  })
  for (const path of [
    '/series',
    '/series/:id/values',
    '/series/:id/vintages',
    '/pams',
    '/pams/:id',
    '/pams/:id/values',
  ])
    api.get(`/v1${path}`, answerFromMemory)
  for (const end of ['', '/calculation', '/receipt']) api.get(`/v1/pams/:id/adjustment${end}`, answerFromMemory)
})

function answerFromMemory(request: FastifyRequest, reply: FastifyReply): void {
  const answer = answers.get(request.url)
  if (answer === undefined) {
    reply.code(404).send({ error: 'not found' })
    return
  }
  reply.headers({ 'content-type': 'application/json', etag: answer.etag })
  if (request.headers['if-none-match'] === answer.etag) reply.code(304).send()
  else reply.send(answer.body)
}

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${address}\n`)
process.on('SIGTERM', () => process.exit(0))
