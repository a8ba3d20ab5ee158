// Public keys under which this installation seals receipts, for anybody: at /.well-known/assize-keys.json, without an API key. One
// of them seals now, derived from the current secret of the server; the others have ended.
import type { FastifyInstance } from 'fastify'
import type { Seal } from '../agreements/seal.ts'
import type { PublishedKeys } from '../core/receipt/verdict.ts'
import type { KeyRing } from '../storage/keys/key-ring.ts'
import { type InstallationIdentity, loadInstallation } from '../storage/people/issuer-names.ts'
import type { Sql } from '../storage/postgres/database.ts'
import { loadStanding } from '../storage/proof/log-files.ts'
import type { PublicLog } from '../storage/proof/public-log.ts'
import { contentTag } from './api/encoded-answers.ts'
import { jsonAnswer } from './frame/answer.ts'
import { sendReply } from './frame/reply.ts'

const keysPath = '/.well-known/assize-keys.json'

/** An hour: key and name practically never change. */
const cacheControl = 'public, max-age=3600'

export function addPublishedKeys(app: FastifyInstance, sql: Sql, seal: Pick<Seal, 'publicKey'>, log: PublicLog): void {
  // Pages of other installations may read it; it contains nobody's data.
  const headers = ['cache-control', cacheControl, 'access-control-allow-origin', '*']
  app.get(keysPath, async (request, reply) => {
    const text = JSON.stringify({
      ...present(await loadInstallation(sql), seal, log.keys.ring),
      logKeys: await logKeys(sql, log),
    })
    sendReply(request, reply, jsonAnswer(text, contentTag(text), headers))
  })
}

/** Key of the log under its present origin. */
async function logKeys(sql: Sql, log: PublicLog): Promise<readonly string[]> {
  const standing = await loadStanding(sql)
  return [log.keys.vkeyOf(standing?.origin ?? log.name, standing?.secretId)]
}

function present(
  { id, name }: InstallationIdentity,
  { publicKey }: Pick<Seal, 'publicKey'>,
  { state }: KeyRing,
): PublishedKeys {
  const ended = Object.values(state?.secrets ?? {}).flatMap(({ receiptKey, endedAt }) =>
    endedAt === null ? [] : [{ algorithm: 'Ed25519' as const, publicKey: receiptKey, endedAt }],
  )
  return { installation: { id, name }, keys: [{ algorithm: 'Ed25519', publicKey }, ...ended] }
}
