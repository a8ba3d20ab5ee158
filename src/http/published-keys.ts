// The public key under which this installation seals receipts, for anybody: at /.well-known/assize-keys.json, without an API
// key. There is one key, made from the server's secret; where that is changed, a database does not open.
import type { FastifyInstance } from 'fastify'
import type { Seal } from '../agreements/seal.ts'
import type { PublishedKeys } from '../core/verdict.ts'
import type { Sql } from '../storage/database.ts'
import { type InstallationIdentity, readInstallation } from '../storage/identity.ts'
import { jsonAnswer } from './answer.ts'
import { contentTag } from './api/encoded.ts'
import { sendReply } from './reply.ts'

export const keysPath = '/.well-known/assize-keys.json'

/** An hour: the key stays, the name is given once. */
const cacheControl = 'public, max-age=3600'

export function addPublishedKeys(app: FastifyInstance, sql: Sql, seal: Pick<Seal, 'publicKey'>): void {
  // Pages of other installations may read it; there is nothing of anybody's in it.
  const headers = ['cache-control', cacheControl, 'access-control-allow-origin', '*']
  app.get(keysPath, async (request, reply) => {
    const text = JSON.stringify(present(await readInstallation(sql), seal))
    sendReply(request, reply, jsonAnswer(text, contentTag(text), headers))
  })
}

function present({ id, name }: InstallationIdentity, { publicKey }: Pick<Seal, 'publicKey'>): PublishedKeys {
  return { installation: { id, name }, keys: [{ algorithm: 'Ed25519', publicKey }] }
}
