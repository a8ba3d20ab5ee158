// Sends the answer of a route: JSON, a file, or lines of JSON as they are produced.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { FailureAnswer } from './failure.ts'
import { answerParts, type Returned } from './route.ts'

export async function sendAnswer(
  reply: FastifyReply,
  returned: Returned,
  failed: (error: unknown) => FailureAnswer,
): Promise<FastifyReply> {
  const { status, body, bytes, type = 'application/json', lines, headers = {}, cookies = [] } = answerParts(returned)
  reply.code(status).headers(headers)
  if (cookies.length > 0) reply.header('set-cookie', cookies)
  if (bytes !== undefined) return reply.type(type).send(bytes)
  if (lines === undefined) return reply.send(body)
  // Without the header, proxies would buffer the lines.
  reply.type('application/x-ndjson').header('x-accel-buffering', 'no')
  return reply.send(Readable.from(await begin(lines, failed), { objectMode: false }))
}

/** Begins the lines. The first decides: if it fails, the answer is an error like any other. */
async function begin(
  lines: AsyncIterable<unknown>,
  failed: (error: unknown) => FailureAnswer,
): Promise<AsyncGenerator<string, void, undefined>> {
  const iterator = lines[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield `${JSON.stringify(next.value)}\n`
    } catch (error) {
      // Too late for a status: the last line reports the error.
      yield `${JSON.stringify(failed(error).body)}\n`
    } finally {
      await iterator.return?.()
    }
  })()
}
