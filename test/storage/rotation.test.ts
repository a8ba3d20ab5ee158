// Another secret while everything keeps running: what was sealed, encrypted and digested under the one before goes on, and what somebody
// makes under that one afterwards, or made before without the log, counts for nothing.
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openPublicLog } from '../../src/agreements/installation-log.ts'
import { verifyChains } from '../../src/cli/verify/chain-verification.ts'
import { clientSecrets } from '../../src/identity/identity-connections.ts'
import { findProvider, setProvider } from '../../src/storage/identity/providers.ts'
import { idOfSecret, KeyedDigests, KeyRing, secretNamedBy } from '../../src/storage/keys/key-ring.ts'
import { AccessSeals } from '../../src/storage/log/access-seals.ts'
import { KeyHolder } from '../../src/storage/log/key-holder.ts'
import { loadRing, writeRing } from '../../src/storage/log/ring-state.ts'
import { withRing } from '../../src/storage/log/secret-check.ts'
import { openSession } from '../../src/storage/people/sessions.ts'
import { openOwner, type Sql, withWorkspace } from '../../src/storage/postgres/database.ts'
import { loadHanging, loadLeft } from '../../src/storage/rotation/dependents.ts'
import { removeSecret, rotateSecret } from '../../src/storage/rotation/rotation.ts'
import { createApiKey, findApiKey } from '../../src/storage/workspaces/api-keys.ts'
import { type AgreedHouse, openAgreedHouse } from '../support/houses/agreed-house.ts'
import { type Api, openApi, ownFolder } from '../support/houses/api.ts'
import { emails } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'
import { openTestDatabase, testSecret } from '../support/run/postgres.ts'

interface RotatingHouse extends Pick<AgreedHouse, 'browsers' | 'tenant' | 'workspace'> {
  readonly api: Api
  close(): Promise<void>
}

const house = ownHouse(async (): Promise<RotatingHouse> => {
  const db = await openTestDatabase()
  const api = await openApi(db)
  const { browsers, tenant, workspace } = await openAgreedHouse(api, 'both sides')
  return { api, browsers, tenant, workspace, close: () => api.close() }
})

const dataFolder = ownFolder().ASSIZE_DATA
const makeSecret = () => randomBytes(32).toString('base64url')
const secrets = [testSecret]
const opened: Sql[] = []
afterAll(() => Promise.all(opened.map(sql => sql.end())))

/** What a command works with: a process of its own, with the secrets that are listed by now. */
function operator(listed: readonly string[] = secrets): { readonly owner: Sql; readonly ring: KeyRing } {
  const ring = KeyRing.of(listed)
  const owner = openOwner(withRing(house.api.target, ring), { connections: 4 })
  opened.push(owner)
  return { owner, ring }
}

async function problems(listed: readonly string[] = secrets): Promise<readonly string[]> {
  const { owner, ring } = operator(listed)
  await loadRing(owner, ring)
  const { chains, log } = await verifyChains({ target: withRing(house.api.target, ring), workspaceId: null })
  return [...chains, ...(log === null ? [] : [log])].flatMap(({ problem }) => (problem === null ? [] : [problem]))
}

interface Wished {
  readonly isLeaked?: boolean
  readonly report?: () => void
}

function rotate({ isLeaked = false, report = () => {} }: Wished = {}) {
  const { owner, ring } = operator()
  const publicLog = openPublicLog({ sql: owner, ring }, { logName: null, dataFolder }, expect.unreachable)
  return rotateSecret({ owner, ring, publicLog, verify: () => problems(), who: 'operator', isLeaked, report })
}

/** Adds a secret, here and to the server, as one does who restarts its processes. */
function addSecret(): string {
  const secret = makeSecret()
  secrets.push(secret)
  house.api.ring.list(secrets)
  return idOfSecret(secret)
}

const email = emails.buyer

test('nobody is signed out, keys and feeds go on, and everything verifies before, during and after', async () => {
  const { api, browsers, tenant } = house
  const digests = new KeyedDigests(api.ring, 'api-key digests')
  const { key } = await createApiKey(api.sql, digests, { workspaceId: tenant.id, name: 'erp', expiresAt: null })
  const wanted = {
    party: null,
    issuer: 'https://idp.test',
    clientId: 'assize',
    clientSecret: 'a secret',
    isRequired: false,
  }
  const settings = { ...wanted, except: null, groupsClaim: null, groups: [], joining: null }
  const { provider } = await setProvider(api.sql, tenant.id, settings, clientSecrets(api.ring), {
    who: 'operator',
    fromAddress: null,
  })
  const feed = (await browsers.buyer.post('/feeds', { name: 'mine' })).json as { readonly address: string }
  expect(await problems()).toEqual([])
  const [old, to] = [idOfSecret(testSecret), addSecret()]
  const during: (readonly string[])[] = []
  let asked: Promise<unknown> = Promise.resolve()
  const rotated = await rotate({
    report: () => {
      asked = asked.then(async () => during.push(await problems())).catch(error => during.push([String(error)]))
    },
  })
  await asked
  expect(rotated).toMatchObject({ from: old, to, isResumed: false })
  expect(rotated.sealed).toBeGreaterThan(50)
  expect(new Set(during.flat())).toEqual(new Set())
  expect(during.length).toBeGreaterThan(3)
  expect(await problems()).toEqual([])
  expect(await loadLeft(operator().owner, old)).toBe(0)
  // As the server's own heartbeat does within a second.
  await loadRing(api.owner, api.ring)
  // What only others hold hangs on the old one until it is used.
  expect(rotated.hanging.apiKeys.map(({ name }) => name)).toContain('erp')
  expect(rotated.hanging.sessions).toContain(email)
  expect((await browsers.buyer.get('/feeds')).status).toBe(200)
  expect(await findApiKey(api.sql, digests, key)).toMatchObject({ workspaceId: tenant.id })
  const shown = await fetch(feed.address.replace(/^https?:\/\/[^/]+/, api.address))
  expect([shown.status, ...api.log.filter(line => line.includes('"error"'))]).toEqual([200])
  const now = await loadHanging(operator().owner, old)
  expect(now.apiKeys.map(({ name }) => name)).not.toContain('erp')
  expect(now.feeds).toEqual([])
  expect(now.sessions).not.toContain(email)
  expect((await findProvider(api.sql, provider.wayIn, clientSecrets(api.ring)))?.clientSecret).toBe('a secret')
  expect(await problems()).toEqual([])
})

test('a seal, a head or a session that somebody makes under the secret before, after its end, is found and counts for nothing', async () => {
  const { api, tenant } = house
  const { owner } = operator()
  const leaked = KeyRing.of([testSecret])
  const [row] = await owner<{ seq: number; seal: Buffer }[]>`select seq, seal from sign_off order by seq limit 1`
  const plant = async (table: string, column: string, seal: Buffer, where: string) => {
    const before = await rewrite(owner, table, column, seal, where)
    const found = await problems()
    await rewrite(owner, table, column, before, where)
    return found
  }
  // Whoever has the secret before and the database makes a seal that would have held.
  expect(secretNamedBy(row!.seal)).toBe(idOfSecret(secrets.at(-1)!))
  const forged = leaked.mac('row seals', 'whatever it says')
  expect(await plant('sign_off', 'seal', forged, `seq = ${row!.seq}`)).toHaveLength(1)
  expect(await plant('scope_clock', 'head', leaked.mac('scope heads', 'x'), `scope = '${tenant.id}'`)).toHaveLength(1)
  expect(await problems()).toEqual([])
  const [person] = await owner<{ id: string; hash: string }[]>`
    select id, password_hash as hash from person where email = ${email}`
  const token = await openSession(api.sql, {
    personId: person!.id,
    passwordHash: person!.hash,
    fromAddress: null,
    userAgent: null,
  })
  const [session] = await owner<{ id: string }[]>`select id from session order by created_at desc limit 1`
  const [facts] = await owner<Parameters<AccessSeals['session']>[0][]>`select * from session_of(${session!.id})`
  const seal = new AccessSeals(leaked).session(facts!)
  expect(await plant('session', 'seal', seal, `id = '${session!.id}'`)).toEqual([
    expect.stringContaining("does not carry this installation's seal"),
  ])
  expect(token).not.toBeNull()
})

test('a row of the ring that somebody with the secret before puts back is found by the leaf that announced its end', async () => {
  const { owner, ring } = operator()
  await loadRing(owner, ring)
  const [was] = await owner`select current, state, seal, lasting from key_ring`
  const [old, to] = [idOfSecret(testSecret), idOfSecret(secrets.at(-1)!)]
  const state = ring.state!
  const facts = { ...state.secrets[old]!, endedAt: null }
  // As if nothing had happened, and as if the secret before were in the place of the new one.
  for (const [turning, known] of [
    [null, {}],
    [to, { [to]: { ...state.secrets[to]!, endedAt: facts.since } }],
  ] as const) {
    await writeRing(owner, ring, { round: state.round + 1, current: old, turning, secrets: { [old]: facts, ...known } })
    expect(await problems()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${old} is the current secret by key_ring, and leaf \\d+ announced that it ended: key_ring was changed`,
        ),
      ),
    ])
    await owner`
      update key_ring set current = ${was!.current}, state = ${was!.state}, seal = ${was!.seal}, lasting = ${was!.lasting}`
  }
  expect(await problems()).toEqual([])
})

test('with --leaked, sessions and invitations from before end, and what was planted under the secret with them', async () => {
  const { api, browsers } = house
  const { owner } = operator()
  const [old] = [idOfSecret(secrets.at(-1)!), addSecret()]
  const [person] = await owner<{ id: string; hash: string }[]>`
    select id, password_hash as hash from person where email = ${email}`
  // As somebody does it who has the secret and the database: nothing says that it was not we.
  const token = await openSession(operator(secrets.slice(0, -1)).owner, {
    personId: person!.id,
    passwordHash: person!.hash,
    fromAddress: null,
    userAgent: 'planted',
  })
  expect(token).not.toBeNull()
  const { ended } = await rotate({ isLeaked: true })
  expect(ended.sessions).toBeGreaterThan(3)
  const [left] = await owner<{ open: number }[]>`select count(*) as open from session where ended_at is null`
  expect(left!.open).toBe(0)
  expect((await browsers.buyer.get('/feeds')).status).toBe(401)
  await loadRing(api.owner, api.ring)
  expect(api.ring.accepts('feed cursors', old!)).toBe(false)
  expect(await problems()).toEqual([])
})

test('a rotation that is stopped anywhere goes on where it was', async () => {
  const [old, to] = [idOfSecret(secrets.at(-1)!), addSecret()]
  let [stops, resumed, calls] = [0, 0, 0]
  for (let at = 4; ; at += 6) {
    calls = 0
    const done = await rotate({
      report: () => {
        if (++calls === at) throw new Error('stopped here')
      },
    }).catch((error: Error) => {
      if (error.message !== 'stopped here') throw error
      return null
    })
    expect(await problems()).toEqual([])
    if (done === null) {
      stops++
      continue
    }
    expect(done).toMatchObject({ from: old, to, isResumed: true })
    resumed++
    break
  }
  expect([stops > 1, resumed]).toEqual([true, 1])
  expect(await loadLeft(operator().owner, old)).toBe(0)
})

test('a row that the log does not bear out gets no new seal: the rotation stops and names it', async () => {
  const { owner } = operator()
  addSecret()
  const [row] = await owner<{ seq: number }[]>`select seq from sign_off order by seq limit 1`
  const where = `seq = ${row!.seq}`
  const before = await rewrite(owner, 'sign_off', 'seal', operator().ring.mac('row seals', 'planted'), where)
  await expect(rotate()).rejects.toThrow(/nothing is sealed again while the log does not hold: .*publication/)
  await rewrite(owner, 'sign_off', 'seal', before, where)
  await rotate()
  expect(await problems()).toEqual([])
})

test('a process that does not list the new secret is named, and nothing is changed', async () => {
  const { api } = house
  const before = [...secrets]
  const holder = new KeyHolder(api.sql, KeyRing.of(before), null)
  await holder.start()
  await loadRing(api.owner, api.ring)
  const current = api.ring.currentId
  secrets.push(makeSecret())
  await expect(rotate()).rejects.toThrow(/is not listed by .*, process \d+: add it there/)
  expect(api.ring.currentId).toBe(current)
  await holder.stop()
  secrets.pop()
}, 60_000)

test('removing a secret ends what still hangs on it, and the server goes on without it', async () => {
  const { api, tenant } = house
  await loadRing(api.owner, api.ring)
  const current = api.ring.currentId
  const digests = new KeyedDigests(api.ring, 'api-key digests')
  const { key } = await createApiKey(api.sql, digests, { workspaceId: tenant.id, name: 'unused', expiresAt: null })
  addSecret()
  const { hanging } = await rotate()
  expect(hanging.apiKeys.map(({ name }) => name)).toEqual(['unused'])
  const { owner, ring } = operator()
  await loadRing(owner, ring)
  await removeSecret({ owner, ring, who: 'operator' }, current)
  await loadRing(api.owner, api.ring)
  expect(await findApiKey(api.sql, digests, key)).toBeNull()
  expect(await problems(secrets.slice(-1))).toEqual([])
  // Who lists the secrets from before alone is told which one is missing.
  const late = operator(secrets.slice(0, -1))
  await expect(loadRing(late.owner, late.ring)).rejects.toThrow(/the database uses the secret .* now/)
})

/** With SQL alone, past every trigger. Gives what was there. */
function rewrite(owner: Sql, table: string, column: string, value: Buffer, where: string): Promise<Buffer> {
  return withWorkspace(owner, '*', async tx => {
    await tx`alter table ${tx(table)} disable trigger user`
    const [row] = await tx<
      { was: Buffer }[]
    >`select ${tx(column)} as was from ${tx(table)} where ${tx.unsafe(where)} limit 1`
    await tx`update ${tx(table)} set ${tx(column)} = ${value} where ${tx.unsafe(where)}`
    await tx`alter table ${tx(table)} enable trigger user`
    return row!.was
  })
}
