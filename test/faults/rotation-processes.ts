// Rotations of the secret among several processes on one database that is not theirs: clients with a key and a browser with a session are
// answered by each of them, feeds are made through all, what is published stays, and rotations are killed and go on. Between rounds the
// processes are restarted one by one, to list the next secret.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyChains } from '../../src/cli/verify/chain-verification.ts'
import { formatSessionCookie } from '../../src/http/console/frame/session-cookie.ts'
import { idOfSecret, KeyedDigests, KeyRing } from '../../src/storage/keys/key-ring.ts'
import { loadRing } from '../../src/storage/log/ring-state.ts'
import { withRing } from '../../src/storage/log/secret-check.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import { openSession } from '../../src/storage/people/sessions.ts'
import { openApplication, openOwner } from '../../src/storage/postgres/database.ts'
import { loadLeft } from '../../src/storage/rotation/dependents.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { commandOutput, processEnv } from '../support/clients/command-output.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { openTestDatabase, testSecret, urlOf } from '../support/run/postgres.ts'
import { Chance } from './chance.ts'
import { CommandRun } from './command-run.ts'
import { type ServedProcess, serveFolder } from './served-process.ts'

interface ProcessesReport {
  readonly failures: readonly string[]
  readonly killed: number
  readonly answers: number
  readonly feeds: number
}

const makeSecret = () => randomBytes(32).toString('base64url')
/** What an answer may be besides success: too many requests, and a lock that was held for a second. */
const honest = [429, 503]

export async function rotateAmong(count: number, { rounds, seed, say }: LongRun): Promise<ProcessesReport> {
  const chance = new Chance(seed)
  const failures: string[] = []
  const db = await openTestDatabase()
  const secrets = [testSecret, makeSecret()]
  const ring = KeyRing.of(secrets)
  const target = withRing(db.target, ring)
  const [owner, sql] = [openOwner(target, { connections: 2 }), openApplication(target, { connections: 4 })]
  const slug = `among-${randomBytes(4).toString('hex')}`
  await loadRing(owner, ring)
  const { id: workspaceId } = await createWorkspace(owner, { slug, rateLimit: 1_000_000 })
  const series = await makeSeries(sql, workspaceId, 'x')
  const digests = new KeyedDigests(ring, 'api-key digests')
  const { key } = await createApiKey(sql, digests, { workspaceId, name: 'client', expiresAt: null })
  const { id: memberId } = await createMember(sql, workspaceId, { email: `ann@${slug}.test`, role: 'owner' })
  const personId = await setFirstPassword(sql, workspaceId, memberId, 'a password of ann')
  const [person] = await owner<{ hash: string }[]>`select password_hash as hash from person where id = ${personId}`
  const token = await openSession(sql, { personId, passwordHash: person!.hash, fromAddress: null, userAgent: null })
  const cookie = { cookie: formatSessionCookie(token!).split(';')[0]!, 'sec-fetch-site': 'same-origin' }
  const folders = await Promise.all(Array.from({ length: count }, () => mkdtemp(join(tmpdir(), 'assize-among-'))))
  const env = () => ({ DATABASE_URL: urlOf(db.target), ASSIZE_SECRET: secrets.join(' '), LOG_LEVEL: 'warn' })
  const command = async <T>(...words: readonly string[]) =>
    JSON.parse(await commandOutput([...words, '--json'], { ...processEnv, ASSIZE_DATA: folders[0]!, ...env() })) as T
  /** Null while one is restarted. */
  const servers: (ServedProcess | null)[] = await Promise.all(
    folders.map(folder => serveFolder(folder, { env: env() })),
  )
  const load = new AbortController()
  let [answers, published, revoked] = [0, 0, 0]
  const feeds: string[] = []
  const ask = async (what: string, path: string, asked: Parameters<ServedProcess['client']['ask']>[1]) => {
    const at = chance.int(0, servers.length - 1)
    const server = servers[at]
    if (server == null) return null
    const reply = await server.client.ask(path, asked).catch(error => {
      // Who asks while a process closes is cut off, and asks another.
      if (servers[at] === server) failures.push(`${what} was not answered: ${error.message}`)
      return null
    })
    if (reply === null) return null
    answers++
    const { status, text } = reply
    if (status >= 300 && !honest.includes(status)) failures.push(`${what}: ${status} ${text}`)
    return reply
  }
  const repeat = async (work: () => Promise<unknown>, pauseMs: number) => {
    while (!load.signal.aborted) {
      await work()
      await sleep(pauseMs)
    }
  }
  const going = Promise.all([
    repeat(() => ask('the key', '/v1/series', { headers: { authorization: `Bearer ${key}` } }), 50),
    repeat(() => ask('the session', `/console/w/${slug}/people`, { headers: cookie }), 100),
    repeat(async () => {
      const body = JSON.stringify({ name: `feed ${feeds.length}` })
      const headers = { ...cookie, 'content-type': 'application/json' }
      const made = await ask('a feed', `/console/w/${slug}/feeds`, { method: 'POST', headers, body })
      if (made?.status !== 201) return
      const { id } = JSON.parse(made.text) as { id: string }
      feeds.push(id)
      const ended = await ask('the end of a feed', `/console/w/${slug}/feeds/${id}`, { method: 'DELETE', headers })
      if (ended !== null && ended.status < 300) revoked++
    }, 300),
    repeat(async () => {
      await publishRows(sql, workspaceId, series, [{ period: published + 1, value: `${published}` }])
      published++
    }, 50),
  ]).catch(error => failures.push(`the load ended: ${error.message}`))
  const verify = async (when: string) => {
    await loadRing(owner, ring)
    const { chains, log } = await verifyChains({ target, workspaceId: null })
    for (const { problem } of [...chains, log].filter(each => each !== null))
      if (problem !== null) failures.push(`${when}: ${problem}`)
  }
  const restart = async () => {
    for (const [at, server] of servers.entries()) {
      servers[at] = null
      await server!.stop()
      servers[at] = await serveFolder(folders[at]!, { env: env() })
    }
  }
  let killed = 0
  try {
    for (let round = 1; round <= rounds; round++) {
      const [before, after] = secrets.slice(-2).map(idOfSecret)
      for (let isDone = false, isFirst = true; !isDone && failures.length === 0; isFirst = false) {
        const run = await CommandRun.start(folders[0]!, ['secret', 'rotate'], env())
        if (isFirst) {
          await sleep(chance.int(200, 2_000))
          run.kill()
        }
        const { status, err } = await run.end()
        isDone = status === 0
        if (status === null) killed++
        else if (status !== 0) failures.push(`a rotation ended with ${status}: ${err}`)
        await verify(`after a rotation that was ${isDone ? 'done' : 'killed'}`)
      }
      const left = await loadLeft(owner, before!)
      if (left > 0) failures.push(`${left} seals hang on the secret before`)
      if (ring.currentId !== after) failures.push(`${ring.currentId} is the current secret, and not ${after}`)
      if (round === rounds) break
      await command('secret', 'remove', before!, '--yes')
      secrets.splice(0, secrets.length - 1)
      secrets.push(makeSecret())
      ring.list(secrets)
      await restart()
      say(`${round} rotations, ${killed} killed, ${answers} answers, ${feeds.length} feeds`)
    }
    load.abort()
    await going
    await verify('at the end')
    const [stored] = await owner<{ values: number; feeds: number; revoked: number }[]>`
      select (select count(*) from vintage where owner = ${workspaceId}) as values, count(*) as feeds,
        count(revoked_at) as revoked from feed where id = any(${feeds}::text[])`
    const { values, feeds: made, revoked: ended } = stored!
    if (values !== published) failures.push(`${published} values were acknowledged, and ${values} are stored`)
    // One that was ended while its process closed may not have been acknowledged.
    if (made !== feeds.length || ended < revoked)
      failures.push(`${feeds.length} feeds were made and ${revoked} ended, and ${made} and ${ended} are stored`)
  } finally {
    load.abort()
    await going
    await Promise.all(servers.map(server => server?.stop()))
    await Promise.all([owner.end({ timeout: 5 }), sql.end({ timeout: 5 })])
    await db.close()
    await Promise.all(folders.map(folder => rm(folder, { recursive: true, force: true })))
  }
  return { failures, killed, answers, feeds: feeds.length }
}
