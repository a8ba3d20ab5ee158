// Sends an answer from a route of the framework, by the one `send` of answer.ts: with the headers of the framework's hooks, and
// nothing else from the framework.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, send } from './answer.ts'

export function sendReply({ raw: req }: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const own = new Set(answer.headers.filter((_, i) => i % 2 === 0))
  const common = Object.entries(reply.getHeaders())
    .filter(([name]) => !own.has(name))
    .flatMap(([name, value]) => [name, String(value)])
  reply.hijack()
  const sent = send({ req, res: reply.raw, common }, answer)
  // Nothing was sent: the connection is closed, which tells the client.
  if (sent instanceof Promise) sent.catch(() => reply.raw.destroy())
}
