// Rotations of the secret that are killed with SIGKILL at random moments while a server goes on: a client with a key and a browser with a
// session are answered all the time, what is published stays, and everything verifies after each kill. Every second round ends without
// a kill; then the secret before is removed, and nobody notices.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatSessionCookie } from '../../src/http/console/frame/session-cookie.ts'
import { KeyedDigests } from '../../src/storage/keys/key-ring.ts'
import { readSecretFile } from '../../src/storage/keys/secret-file.ts'
import { loadRing } from '../../src/storage/log/ring-state.ts'
import { createMember, setFirstPassword } from '../../src/storage/people/people.ts'
import { openSession } from '../../src/storage/people/sessions.ts'
import { openApplication } from '../../src/storage/postgres/database.ts'
import { loadHanging, loadLeft } from '../../src/storage/rotation/dependents.ts'
import { createApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { createWorkspace } from '../../src/storage/workspaces/workspaces.ts'
import { commandOutput, processEnv } from '../support/clients/command-output.ts'
import { makeSeries, publishRows } from '../support/houses/workspace.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { Chance } from './chance.ts'
import { CommandRun } from './command-run.ts'
import type { FolderGround } from './grounds.ts'
import { serveFolder } from './served-process.ts'

interface RotationReport {
  readonly failures: readonly string[]
  /** How many rotations were killed before they were done. */
  readonly killed: number
  readonly answers: number
}

interface ListedSecret {
  readonly id: string
  readonly state: string
}

export async function killRotations(ground: FolderGround, { rounds, seed, say }: LongRun): Promise<RotationReport> {
  const chance = new Chance(seed)
  const failures: string[] = []
  const { folder, owner, ring } = ground
  const sql = openApplication(ground.target, { connections: 4 })
  const slug = `rotated-${randomBytes(4).toString('hex')}`
  const { id: workspaceId } = await createWorkspace(owner, { slug, rateLimit: 1_000_000 })
  const series = await makeSeries(sql, workspaceId, 'x')
  const digests = new KeyedDigests(ring, 'api-key digests')
  const { key } = await createApiKey(sql, digests, { workspaceId, name: 'client', expiresAt: null })
  const { id: memberId } = await createMember(sql, workspaceId, { email: `ann@${slug}.test`, role: 'owner' })
  const personId = await setFirstPassword(sql, workspaceId, memberId, 'a password of ann')
  const [person] = await owner<{ hash: string }[]>`select password_hash as hash from person where id = ${personId}`
  const token = await openSession(sql, { personId, passwordHash: person!.hash, fromAddress: null, userAgent: null })
  const server = await serveFolder(folder)
  const env = { ...processEnv, ASSIZE_DATA: folder }
  const command = async <T>(...words: readonly string[]) =>
    JSON.parse(await commandOutput([...words, '--json'], env)) as T
  const load = new AbortController()
  let answers = 0
  const ask = async (what: string, path: string, headers: Readonly<Record<string, string>>) => {
    while (!load.signal.aborted) {
      const { status } = await server.client.ask(path, { headers })
      answers++
      if (status !== 200 && status !== 429) failures.push(`${what} was answered with ${status}`)
      await sleep(100)
    }
  }
  let published = 0
  const publish = async () => {
    while (!load.signal.aborted) {
      await publishRows(sql, workspaceId, series, [{ period: published + 1, value: `${published}` }])
      published++
      await sleep(50)
    }
  }
  const going = Promise.all([
    ask('the key', '/v1/series', { authorization: `Bearer ${key}` }),
    ask('the session', `/console/w/${slug}/people`, {
      cookie: formatSessionCookie(token!).split(';')[0]!,
      'sec-fetch-site': 'same-origin',
    }),
    publish(),
  ]).catch(error => failures.push(`the load ended: ${error.message}`))
  const verify = async (when: string) => {
    const { same } = await command<{ same: boolean }>('verify', '--chain').catch(() => ({ same: false }))
    if (!same) failures.push(`${when}, what is stored does not verify`)
  }
  let [killed, durationMs] = [0, 2_000]
  for (let round = 1; round <= rounds; round++) {
    const before = ring.currentId
    await command('secret', 'add')
    // As the server does; its own ring is another.
    ring.list((await readSecretFile(folder))!)
    for (let isDone = false; !isDone; ) {
      const run = await CommandRun.start(folder, ['secret', 'rotate'])
      const delayMs = chance.int(200, durationMs)
      const [isKilled, startedMs] = [killed < round * 2, performance.now()]
      if (isKilled) {
        await sleep(delayMs)
        run.kill()
      }
      const { status, err } = await run.end()
      isDone = status === 0
      if (status !== 0 && status !== null) failures.push(`a rotation ended with ${status}: ${err}`)
      if (status === null) killed++
      if (isDone && !isKilled) durationMs = Math.ceil(performance.now() - startedMs)
      await verify(`after a rotation that was ${isDone ? 'done' : `killed after ${delayMs} ms`}`)
      if (status !== 0 && status !== null) break
    }
    await loadRing(owner, ring)
    const left = await loadLeft(owner, before)
    if (left > 0) failures.push(`${left} seals hang on the secret before`)
    // What is in use moves to the new secret by itself.
    const inUse = async () => {
      const { apiKeys, sessions } = await loadHanging(owner, before)
      return apiKeys.length + sessions.length
    }
    for (let tries = 0; tries < 100 && (await inUse()) > 0; tries++) await sleep(100)
    const { hanging } = await command<{ hanging: { apiKeys: unknown[]; sessions: unknown[] } }>(
      'secret',
      'remove',
      before,
      '--yes',
    )
    if (hanging.apiKeys.length + hanging.sessions.length > 0)
      failures.push('what is used all the time hung on the secret before')
    ring.list((await readSecretFile(folder))!)
    say(`${round} rotations, ${killed} killed, ${answers} answers`)
  }
  load.abort()
  await going
  await verify('at the end')
  const listed = await command<readonly ListedSecret[]>('secret', 'list')
  if (listed.filter(({ state }) => state === 'current').length !== 1) failures.push('not one secret is the current one')
  const [stored] = await owner<{ count: number }[]>`select count(*) as count from vintage where owner = ${workspaceId}`
  if (stored!.count !== published)
    failures.push(`${published} values were acknowledged, and ${stored!.count} are stored`)
  await server.stop()
  await sql.end({ timeout: 5 })
  return { failures, killed, answers }
}
