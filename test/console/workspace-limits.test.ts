// What operators of the installation set for every workspace: seen and changed only by them, within the bounds of the
// command line, recorded in the workspace, and in force at once.
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { listWorkspacesFor, setLimitsAs } from '../../src/storage/people/operator-workspaces.ts'
import { addOperator, removeOperator } from '../../src/storage/people/operators.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import type { InstallationWorkspace, LimitKey } from '../../src/views/shapes/installation.ts'
import type { ActivityPage } from '../../src/views/shapes/settings.ts'
import { type Browser, join, makeSeats, openConsole, type Seats, signIn } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

/** A workspace that the operator is not a member of. */
let others: Seats
let operator: Browser
let operatorId: string
const email = 'otto@operator.test'
const byOperator = { who: email, fromAddress: null }

const console = ownHouse(openConsole)
beforeAll(async () => {
  others = await makeSeats(console.api, 'other-')
  operatorId = await join(console.api, console.tenant.id, email, 'viewer')
  await addOperator(console.api.owner, email, { workspaceId: null, by: 'operator' })
  operator = await signIn(console.api, email, console.slug)
})

const path = (slug = others.slug) => `/installation/workspaces/${slug}`
const set = (changes: unknown, slug?: string) => operator.send('PATCH', path(slug), changes)

async function listed(slug = others.slug): Promise<InstallationWorkspace> {
  const { status, json, text } = await operator.ask('/installation/workspaces')
  if (status !== 200) throw new Error(`${status} ${text}`)
  return (json as InstallationWorkspace[]).find(each => each.slug === slug)!
}

async function limitOf(key: LimitKey, slug?: string) {
  return (await listed(slug)).limits.find(each => each.key === key)!
}

async function activities() {
  const { rows } = await others.as.owner.json<ActivityPage>('/activity')
  return rows.map(({ who, what, subject, fromAddress }) => [who, what, subject, fromAddress])
}

describe('the workspaces of the installation', () => {
  test('are all listed, with the limits and usage of each', async () => {
    expect((await listed(console.slug)).slug).toBe(console.slug)
    const { limits: held, ...workspace } = await listed()
    expect(workspace).toMatchObject({ id: others.tenant.id, slug: others.slug, name: expect.any(String) })
    expect(held.map(({ key, used, isDefault }) => [key, used, isDefault])).toEqual([
      ['rateLimit', null, false],
      ['workspaceRateLimit', null, true],
      ['agreements', 0, true],
      ['series', 0, true],
      ['keys', 1, true],
      ['vintages', 0, true],
      ['people', 5, true],
      ['uploads', null, true],
      ['prices', 0, true],
      ['lines', 0, true],
    ])
    const { agreements: byDefault } = limits.quotas
    const counted = { key: 'agreements', most: byDefault, byDefault, isDefault: true, used: 0 }
    expect(await limitOf('agreements')).toEqual({ ...counted, least: 0, highest: limits.highestQuota })
  })

  test('are for operators only: not for owners, keys or former operators', async () => {
    const asked = async (browser: Browser, headers: Record<string, string> = {}) => [
      (await browser.ask('/installation/workspaces', { headers })).status,
      (await browser.send('PATCH', path(), { people: 1 }, { headers })).status,
    ]
    expect(await asked(others.as.owner)).toEqual([403, 403])
    expect(await asked(console.as.viewer)).toEqual([403, 403])
    expect(await asked(console.browser())).toEqual([401, 401])
    expect(await asked(console.browser(), { authorization: `Bearer ${others.tenant.key}` })).toEqual([401, 401])
    const former = 'fred@operator.test'
    await join(console.api, console.tenant.id, former, 'owner')
    await addOperator(console.api.owner, former, { workspaceId: null, by: 'operator' })
    const browser = await signIn(console.api, former, console.slug)
    expect((await browser.ask('/installation/workspaces')).status).toBe(200)
    await removeOperator(console.api.owner, former, 'operator')
    expect(await asked(browser)).toEqual([403, 403])
    expect((await limitOf('people')).isDefault).toBe(true)
  })
})

describe('a limit that an operator sets', () => {
  test('applies at once, is recorded in the workspace and returns to its default', async () => {
    const { status, json } = await set({ keys: 1, workspaceRateLimit: 500 })
    expect([status, json]).toEqual([200, await listed()])
    const key = () => others.as.owner.post('/keys', { name: 'erp', expiresAt: null })
    expect(await key()).toMatchObject({ status: 409, json: { error: expect.stringContaining('at most 1 live keys') } })
    expect(await limitOf('keys')).toMatchObject({ most: 1, isDefault: false, used: 1 })
    expect(await limitOf('workspaceRateLimit')).toMatchObject({ most: 500, isDefault: false, byDefault: 10_000_000 })
    expect(await activities()).toEqual([
      [email, 'max-keys set to 1', others.slug, '127.0.0.1'],
      [email, 'workspace-rate-limit set to 500', others.slug, '127.0.0.1'],
    ])
    expect((await limitOf('keys', console.slug)).isDefault).toBe(true)

    expect((await set({ keys: null, workspaceRateLimit: 500 })).status).toBe(200)
    expect((await key()).status).toBe(201)
    expect(await limitOf('keys')).toMatchObject({ most: limits.quotas.keys, isDefault: true, used: 2 })
    expect((await activities()).find(([who]) => who === email)![1]).toBe('max-keys set to default')
    expect((await activities()).filter(([who]) => who === email)).toHaveLength(3)
  })

  test('of requests of a key has a default as well', async () => {
    expect((await set({ rateLimit: null })).status).toBe(200)
    const most = limits.requestsPerMinute
    expect(await limitOf('rateLimit')).toMatchObject({ most, byDefault: most, isDefault: true })
  })

  test.each([
    [{ agreements: -1 }, 'max-formulas must be a whole number from 0 to 1000000000000, got -1'],
    [{ vintages: 1_000_000_000_001 }, /^max-vintages must be a whole number from 0 to 1000000000000, got /],
    [{ rateLimit: 0 }, 'rate-limit must be a whole number from 1 to 1000000, got 0'],
    [{ workspaceRateLimit: 10_000_001 }, /^workspace-rate-limit must be a whole number from 1 to 10000000, got /],
    [{ people: 1.5 }, 'people must be a whole number or null'],
    [{ people: '7' }, 'people must be a whole number or null'],
    [{ name: 'Theirs' }, 'name is not known here'],
    [{ people: 7, id: 'wsp_x' }, 'id is not known here'],
    [{}, 'nothing to change: name a limit'],
    [[], /^the request must be an object/],
  ])('is refused in a sentence where it is %j, and nothing is set', async (changes, sentence) => {
    const before = await listed()
    const noted = await activities()
    const changesToo = Array.isArray(changes) || Object.keys(changes).length === 0 ? changes : { series: 9, ...changes }
    const { status, json } = await set(changesToo)
    const { error } = json as { error: string }
    expect(status).toBe(422)
    if (typeof sentence === 'string') expect(error).toBe(sentence)
    else expect(error).toMatch(sentence)
    expect(await listed()).toEqual(before)
    expect(await activities()).toEqual(noted)
  })

  test('is refused where there is no such workspace', async () => {
    const { status, json } = await set({ people: 7 }, 'nowhere')
    expect([status, json]).toEqual([404, { error: 'there is no workspace "nowhere"' }])
  })
})

describe('an operator who is removed in the middle of a request', () => {
  const refused = { error: 'only operators of this installation may do this, and you are not one of them' }

  async function makeOperator(address: string): Promise<Browser> {
    await join(console.api, console.tenant.id, address, 'viewer')
    await addOperator(console.api.owner, address, { workspaceId: null, by: 'operator' })
    return signIn(console.api, address, console.slug)
  }

  test('is refused in a sentence and sets nothing, though the setting had begun', async () => {
    const former = await makeOperator('gil@operator.test')
    const noted = await activities()
    const setting = await console.api.owner.begin(async tx => {
      await tx`select 1 from workspace where id = ${others.tenant.id} for update`
      const asked = former.send('PATCH', path(), { series: 5 })
      await waitForLock()
      await removeOperator(console.api.owner, 'gil@operator.test', 'operator')
      return { asked }
    })
    const { status, json } = await setting.asked
    expect([status, json]).toEqual([403, refused])
    expect((await limitOf('series')).isDefault).toBe(true)
    expect(await activities()).toEqual(noted)
  })

  test.each([
    ['PATCH', () => path(), '{"series": 5}'],
    ['POST', () => '/installation/quarantine/x', '{"decision": "release"}'],
  ])('is refused a %s whose body comes later than the removal', async (method, address, body) => {
    const email = `slow-${method.toLowerCase()}@operator.test`
    const former = await makeOperator(email)
    const socket = connect(console.api.client.port, '127.0.0.1')
    const answer = once(socket, 'data')
    const headers = { host: former.host, cookie: former.cookie, ...former.origin, 'content-type': 'application/json' }
    const lines = Object.entries({ ...headers, 'content-length': body.length }).map(pair => pair.join(': '))
    socket.write(`${method} /console${address()} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`)
    // Others that come after it are answered: the server has read it by then.
    for (let i = 0; i < 3; i++) await limitOf('series')
    await removeOperator(console.api.owner, email, 'operator')
    socket.write(body.slice(5))
    const text = String((await answer)[0])
    expect(text).toMatch(/^HTTP\/1\.1 403 /)
    expect(text).toContain('operators of')
    socket.destroy()
    expect((await limitOf('series')).isDefault).toBe(true)
  })

  /** Until a transaction waits for what another one has locked. */
  async function waitForLock(): Promise<void> {
    for (;;) {
      const [found] = await console.api.owner`
        select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%set_limits_as_operator%'`
      if (found !== undefined) return
      await sleep(10)
    }
  }
})

describe('the database itself', () => {
  test('lists and sets for the account of an operator only', async () => {
    const { sql } = console.api
    const personId = await join(console.api, others.tenant.id, 'mia@owner.test', 'owner')
    const given = { slug: others.slug, changes: { people: 1 }, by: byOperator }
    await expect(listWorkspacesFor(sql, personId)).rejects.toThrow('only operators of this installation may do this')
    await expect(setLimitsAs(sql, personId, given)).rejects.toThrow('only operators of this installation may do this')
    const directly = withWorkspace(sql, others.tenant.id, tx => tx`update workspace set max_people = 1`)
    await expect(directly).rejects.toThrow('permission denied')
    expect((await limitOf('people')).isDefault).toBe(true)
  })

  test('leaves the workspace as it was, and everything that is not a limit', async () => {
    const [before] = await console.api.owner`select * from workspace where id = ${others.tenant.id}`
    const changes = { id: 'wsp_x', slug: 'stolen', name: 'Stolen', max_people: 77 }
    const seen = await withWorkspace(console.api.sql, console.tenant.id, async tx => {
      await tx`select * from set_limits_as_operator(${operatorId}, ${others.slug}, ${tx.json(changes)})`
      await tx`select * from workspaces_for_operator(${operatorId})`
      return tx`select slug from workspace`
    })
    expect(seen).toEqual([{ slug: console.slug }])
    const [after] = await console.api.owner`select * from workspace where id = ${others.tenant.id}`
    expect(after).toEqual({ ...before, max_people: 77 })
  })

  test('keeps to the bounds for everybody', async () => {
    const beyond = { max_people: limits.highestQuota + 1 }
    const { sql } = console.api
    await expect(
      sql`select * from set_limits_as_operator(${operatorId}, ${others.slug}, ${sql.json(beyond)})`,
    ).rejects.toThrow('workspace_highest_quota')
  })
})
