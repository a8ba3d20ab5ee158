// The audit stream over a real server and its database: what people and commands do is told in order, once at least, and with nothing
// in it that is a secret or a figure.
import { describe, expect, test } from 'vitest'
import { noteActs, numberActs } from '../../src/storage/audit/audit-acts.ts'
import { loadAuditHealth } from '../../src/storage/audit/audit-places.ts'
import { openApplication, withWorkspace } from '../../src/storage/postgres/database.ts'
import { noteActivity } from '../../src/storage/workspaces/activity.ts'
import { password } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { steelDocument, steelTable } from '../support/houses/sample.ts'
import { workspaceActs } from './acts-of-routes.ts'
import { type OcsfEvent, RememberedLines, streamTo, tellAll } from './audit-ground.ts'
import { ocsfProblems } from './ocsf-schema.ts'

const house = consoleHouse()

/** Begins with what happens from now on: other files of the process have a past. */
async function watch(name: string) {
  const told = new RememberedLines()
  const streaming = streamTo(house.api.sql, name, told)
  await tellAll(streaming)
  told.texts.length = 0
  return {
    told,
    streaming,
    async all(): Promise<readonly OcsfEvent[]> {
      await tellAll(streaming)
      return told.events
    },
  }
}

const codes = (events: readonly OcsfEvent[]) => events.map(({ metadata }) => metadata.event_code)

describe('what people do', () => {
  test('is told in order, each as a line of its class, with who did it and from where', async () => {
    const { all, told } = await watch('test: people')
    const browser = house.browser()
    expect((await browser.signIn('olga@owner.test', 'a wrong password')).status).toBe(401)
    expect((await browser.signIn('not an address', 'secret-in-the-wrong-field')).status).toBeGreaterThan(399)
    expect((await browser.signIn('olga@owner.test', password)).status).toBe(200)
    const issued = await browser.post('/keys', { name: 'for the ERP', expiresAt: null })
    const { key, id } = issued.json as { key: string; id: string }
    expect((await browser.post('/people', { email: 'new@people.test', name: '', role: 'viewer' })).status).toBe(201)
    expect((await browser.patch('/workspace', { name: 'Renamed' })).status).toBeLessThan(300)
    expect((await browser.delete(`/keys/${id}`)).status).toBeLessThan(300)
    expect((await browser.send('POST', '/sign-out', {})).status).toBe(204)
    const events = await all()
    expect(codes(events)).toEqual([
      'sign-in.refused',
      'sign-in.refused',
      'sign-in',
      'key.create',
      'person.invite',
      'workspace.change',
      'key.revoke',
      'sign-out',
    ])
    expect(events.flatMap(ocsfProblems)).toEqual([])
    expect(events[0]).toMatchObject({
      class_uid: 3002,
      activity_id: 1,
      status_id: 2,
      src_endpoint: { ip: '127.0.0.1' },
    })
    expect(events[1]).toMatchObject({ status_id: 2, actor: { user: { name: 'unknown' } } })
    expect(events[2]).toMatchObject({ class_uid: 3002, status_id: 1, actor: { user: { name: 'olga@owner.test' } } })
    expect(events[3]).toMatchObject({ class_uid: 3004, entity: { type: 'API key', name: `for the ERP (${id})` } })
    expect(events[3]!.metadata.tenant_uid).toBe(house.tenant.id)
    const numbers = events.map(({ metadata }) => metadata.sequence)
    expect(numbers).toEqual(numbers.map((_, i) => numbers[0]! + i))
    // Neither the key nor a password is in any line.
    const text = told.texts.join('\n')
    for (const secret of [
      key,
      password,
      'a wrong password',
      'secret-in-the-wrong-field',
      'not an address',
      browser.cookie,
    ])
      if (secret !== null) expect(text).not.toContain(secret)
  })

  test('is told by each route as the table of acts says', async () => {
    const { all, told } = await watch('test: routes')
    const { owner } = house.as
    const secrets: string[] = []
    /** What is asked tells at least one of its acts, and no other. */
    const does = async (name: keyof typeof workspaceActs, path: string, body: object = {}) => {
      const reply = await owner.send(name.split(' ')[0]!, `/w/${house.slug}${path}`, body)
      expect(reply.status, `${name}: ${reply.text}`).toBeLessThan(300)
      const before = told.texts.length
      const fresh = codes((await all()).slice(before))
      expect(fresh, name).not.toEqual([])
      expect(workspaceActs[name], name).toEqual(expect.arrayContaining(fresh))
      return reply.json as { id: string; key?: string; secret?: string; address?: string; person?: { id: string } }
    }
    const key = await does('POST /keys', '/keys', { name: 'erp', expiresAt: null })
    const next = await does('POST /keys/:id/rotate', `/keys/${key.id}/rotate`, { overlapHours: 1 })
    await does('DELETE /keys/:id', `/keys/${next.id}`)
    const feed = await does('POST /feeds', '/feeds', { name: 'calendar' })
    await does('DELETE /feeds/:id', `/feeds/${feed.id}`)
    const url = 'https://127.0.0.1:44443/in'
    const webhook = await does('POST /webhooks', '/webhooks', { url, events: ['observations'] })
    const rotated = await does('POST /webhooks/:id/rotate', `/webhooks/${webhook.id}/rotate`, { overlapHours: 0 })
    await does('POST /webhooks/:id/disable', `/webhooks/${webhook.id}/disable`)
    await does('POST /webhooks/:id/enable', `/webhooks/${webhook.id}/enable`, { from: 'now' })
    await does('POST /parties', '/parties', { slug: 'acme', name: 'Acme' })
    await does('PATCH /parties/:slug', '/parties/acme', { name: 'Acme Steel' })
    const { person } = await does('POST /people', '/people', { email: 'p@people.test', name: '', role: 'viewer' })
    await does('PATCH /people/:id', `/people/${person!.id}`, { role: 'editor' })
    await does('POST /people/:id/link', `/people/${person!.id}/link`)
    await does('DELETE /people/:id', `/people/${person!.id}`)
    secrets.push(key.key!, next.key!, webhook.secret!, rotated.secret!, feed.address!)
    for (const secret of secrets) expect(told.texts.join('\n')).not.toContain(secret)
  })

  test('tells no price, value or weight that somebody brought in', async () => {
    const { all, told } = await watch('test: figures')
    const planted = ['98765.4321', '0.7318', '7.654321']
    const table = steelTable.replaceAll('110.50', planted[0]!)
    expect((await house.as.owner.upload('/series/upload?file=a.csv&mode=import', table)).status).toBe(200)
    const document = steelDocument({ slug: 'planted', weight: planted[1]! })
    expect((await house.as.owner.post('/agreements', { text: document, basedOn: 0 })).status).toBeLessThan(300)
    const units = `unit,other,factor\nbox,kg,${planted[2]}\n`
    const brought = await house.as.owner.upload('/import?file=u.csv&mode=import&kind=units', units)
    expect([brought.status, brought.text]).toEqual([200, expect.anything()])
    expect(codes(await all())).toEqual(expect.arrayContaining(['series.import', 'agreement.create', 'unit.set']))
    for (const figure of planted) expect(told.texts.join('\n')).not.toContain(figure)
  })

  test('is not told where it did not happen', async () => {
    const { all } = await watch('test: rolled back')
    const noting = withWorkspace(house.api.sql, house.tenant.id, async tx => {
      const by = { who: 'olga@owner.test', fromAddress: null }
      await noteActivity(tx, house.tenant.id, { ...by, act: 'key.create', what: 'key created', subject: 'never' })
      throw new Error('nothing of it')
    })
    await expect(noting).rejects.toThrow('nothing of it')
    expect(await all()).toEqual([])
  })
})

const act = (subject: string) => ({
  tenant: 'installation',
  act: 'refresh.run' as const,
  who: 'operator',
  fromAddress: null,
  said: 'said',
  subject,
})

describe('order and loss', () => {
  test('an act that is over before another begins has the smaller number, though a longer one began before both', async () => {
    const { all } = await watch('test: order')
    let finish = () => {}
    const begun = Promise.withResolvers<void>()
    const long = house.api.sql.begin(async tx => {
      await noteActs(tx, [act('long')])
      begun.resolve()
      await new Promise<void>(resolve => {
        finish = resolve
      })
    })
    await begun.promise
    await noteActs(house.api.sql, [act('first')])
    await numberActs(house.api.sql, 1_000)
    await noteActs(house.api.sql, [act('second')])
    expect((await all()).map(each => each.metadata.sequence).length).toBe(2)
    finish()
    await long
    const names = (await all()).map(each => (each as unknown as { resources: { name: string }[] }).resources[0]!.name)
    expect(names).toEqual(['first', 'second', 'long'])
  })

  test('a process that is killed in the middle is replaced: nothing is lost, and the order stays', async () => {
    await (await watch('test: kill')).streaming.end()
    const told = new RememberedLines()
    const dying = openApplication(house.api.target, { connections: 1, name: 'killed' })
    const first = streamTo(dying, 'test: kill', told, 1)
    await noteActs(house.api.sql, [act('a'), act('b')])
    // The lines are out, and nobody hears of it.
    told.onTold = () => dying.end({ timeout: 0 })
    await expect(first.turn(new AbortController().signal)).rejects.toThrow()
    told.onTold = async () => {}
    await noteActs(house.api.sql, [act('c')])
    await waitUntil(async () => (await loadAuditHealth(house.api.sql, 'test: kill')).waiting === 3)
    const second = streamTo(house.api.sql, 'test: kill', told, 1)
    await waitUntil(async () => (await second.turn(new AbortController().signal)) === 3)
    const numbers = told.events.map(({ metadata }) => metadata.sequence)
    const [a, b, c] = numbers.slice(-3)
    expect(numbers).toEqual([a, b, a, b, c])
    expect([b! - a!, c! - b!]).toEqual([1, 1])
    expect((await loadAuditHealth(house.api.sql, 'test: kill')).waiting).toBe(0)
  })

  test('one process writes at a time, and lets another go on when it ends', async () => {
    const [one, two] = [new RememberedLines(), new RememberedLines()]
    const [first, second] = [streamTo(house.api.sql, 'test: two', one), streamTo(house.api.sql, 'test: two', two)]
    await tellAll(first)
    await noteActs(house.api.sql, [act('shared')])
    expect(await second.turn(new AbortController().signal)).toBeNull()
    expect(await first.turn(new AbortController().signal)).toBe(1)
    await first.end()
    await noteActs(house.api.sql, [act('next')])
    expect(await second.turn(new AbortController().signal)).toBe(1)
    expect(two.events[0]!.metadata.sequence).toBe(one.events.at(-1)!.metadata.sequence + 1)
  })

  test('a reader that is away loses nothing, and monitoring sees how much waits and for how long', async () => {
    const { told, all } = await watch('test: away')
    told.onTold = async () => {
      told.texts.length = 0
      throw new Error('away')
    }
    await noteActs(house.api.sql, [act('waits'), act('too')])
    await expect(all()).rejects.toThrow('away')
    expect(await loadAuditHealth(house.api.sql, 'test: away')).toMatchObject({ waiting: 2 })
    expect((await loadAuditHealth(house.api.sql, 'test: away')).oldestSeconds).toBeGreaterThan(0)
    told.onTold = async () => {}
    expect((await all()).length).toBe(2)
    expect(await loadAuditHealth(house.api.sql, 'test: away')).toEqual({
      waiting: 0,
      oldestSeconds: 0,
      failingSeconds: 0,
    })
  })
})

async function waitUntil(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 5))
}
