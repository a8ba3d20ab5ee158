// F22: the connections go to a server in its own process, whose memory is measured meanwhile.
import { readFile } from 'node:fs/promises'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import { openApplication } from '../../src/storage/postgres/database.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { password } from '../support/houses/console.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { type Outcome, scenario } from '../support/run/long-test.ts'
import { type FolderGround, inFolder } from './grounds.ts'
import { type ServedProcess, serveFolder } from './served-process.ts'
import { type Crowded, crowdServer } from './slow-clients.ts'

const slug = 'crowded'
const email = 'olga@owner.test'
/**
 * Keep-alive ends after 65 s, a client that reads nothing is cut off after 30 s; then the kernel accepts more from
 * others.
 */
const cutWithinMs = 300_000

/** The rounds are connections of each kind. */
async function crowdServed(ground: FolderGround, { rounds, say }: LongRun): Promise<Outcome> {
  const key = await moveIn(ground)
  const server = await serveFolder(ground.folder, { env: { LOG_LEVEL: 'error' } })
  let mostKb = 0
  const watch = setInterval(async () => {
    mostKb = Math.max(mostKb, await residentKb(server))
  }, 500)
  try {
    const crowded: Crowded = { client: server.client, slug, cookie: await signIn(server), key }
    const run = { each: rounds, readers: rounds, lastingMs: 60_000, isTimed: true, cutWithinMs, say }
    const { failures, asked, slowestMs, crowd } = await crowdServer(crowded, run)
    const words = `${crowd} strangers; ${asked} requests beside them, the slowest ${Math.round(slowestMs)} ms`
    return { summary: `${words}; at most ${Math.round(mostKb / 1024)} MB`, failures: [...new Set(failures)] }
  } finally {
    clearInterval(watch)
    await server.stop()
  }
}

async function moveIn({ target, owner, ring }: FolderGround): Promise<string> {
  const sql = openApplication(target, { connections: 1 })
  try {
    const { id: workspaceId } = await createWorkspace(owner, { slug, rateLimit: 1_000_000 })
    const { id } = await createMember(sql, workspaceId, { email, role: 'owner' })
    await setFirstPassword(sql, workspaceId, id, password)
    const digests = new KeyedDigests(ring, 'api-key digests')
    return (await createApiKey(sql, digests, { workspaceId, name: 'beside', expiresAt: null })).key
  } finally {
    await sql.end()
  }
}

async function signIn({ client }: ServedProcess): Promise<string> {
  const host = `127.0.0.1:${client.port}`
  const headers = { host, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const body = JSON.stringify({ email, password })
  const reply = await client.ask('/console/sign-in', { method: 'POST', body, headers })
  if (reply.status !== 200) throw new Error(`cannot sign in: ${reply.status} ${reply.text}`)
  return reply.headers['set-cookie']![0]!.split(';', 1)[0]!
}

/** If the system reports it; 0 otherwise. */
async function residentKb({ pid }: ServedProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number.parseInt(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? '0', 10)
}

scenario(
  'slow-clients',
  'F22: connections without a session that send half, or read nothing: rounds of each kind, while people keep working',
  { long: 2_000 },
  run => inFolder(ground => crowdServed(ground, run)),
)
