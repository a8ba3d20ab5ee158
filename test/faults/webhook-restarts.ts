// F31: what delivers webhooks is killed and started again while two workspaces publish without pause and receivers fail now and then.
// Every event arrives at least once under the id of its change, verified, and none of one workspace at the other's receiver.
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { createWebhook, type IssuedWebhook, type WebhookContext } from '../../src/storage/webhooks/webhooks.ts'
import type { Tenant } from '../support/houses/api.ts'
import type { LongRun } from '../support/run/long-form.ts'
import { answer, type Received, Receiver } from '../webhooks/receiver.ts'
import { Chance } from './chance.ts'

/** Something that delivers, until it is killed. */
interface Delivers {
  kill(how: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export interface WebhookWorld {
  readonly tenants: readonly Tenant[]
  readonly ground: WebhookContext
  start(): Promise<Delivers>
  /** Between two kills, and between two publications. */
  readonly aliveMs: readonly [least: number, most: number]
  readonly publishMs: number
  /** Called while the rest is delivered: claims of the killed end after half a minute. */
  whileWaiting(): Promise<void>
}

export interface WebhookRestartReport {
  readonly failures: readonly string[]
  readonly events: number
  readonly received: number
  readonly twice: number
  /** How often each way of ending. */
  readonly ends: Readonly<Record<'SIGKILL' | 'SIGTERM', number>>
}

interface Side {
  readonly tenant: Tenant
  readonly path: string
  readonly webhook: IssuedWebhook
}

export async function restartWebhooks(world: WebhookWorld, run: LongRun): Promise<WebhookRestartReport> {
  const receiver = await Receiver.open()
  const chance = new Chance(run.seed)
  receiver.answering = failingOnce(chance)
  const sides: Side[] = []
  for (const [i, tenant] of world.tenants.entries()) {
    const path = `/side-${i}`
    const given = { workspaceId: tenant.id, url: receiver.url(path), events: ['observations'] as const, by }
    sides.push({ tenant, path, webhook: await createWebhook(world.ground, given) })
  }
  const ending = new AbortController()
  const publishing = sides.map(({ tenant }) => publish(tenant, world.publishMs, ending.signal))
  const ends = { SIGKILL: 0, SIGTERM: 0 }
  let running = await world.start()
  try {
    for (let round = 0; round < run.rounds; round++) {
      // It is killed while it delivers.
      const before = receiver.received.length
      for (let waits = 0; waits < mostWaits && receiver.received.length === before; waits++) await world.whileWaiting()
      if (receiver.received.length === before) throw new Error(`nothing was delivered before restart ${round + 1}`)
      await sleep(chance.int(...world.aliveMs))
      const how = chance.int(0, 1) === 0 ? 'SIGKILL' : 'SIGTERM'
      await running.kill(how)
      ends[how]++
      running = await world.start()
      run.say(`restart ${round + 1} by ${how}: ${receiver.received.length} received`)
    }
    ending.abort()
    await Promise.all(publishing)
    const expected = await Promise.all(sides.map(({ tenant }) => readIds(tenant)))
    const isAllThere = () => sides.every(({ path }, i) => missing(receiver, path, expected[i]!).length === 0)
    // As long as something arrives, it is waited for the rest.
    for (let waits = 0, before = 0; waits < mostWaits && !isAllThere(); waits++) {
      await world.whileWaiting()
      if (receiver.received.length > before) waits = 0
      before = receiver.received.length
    }
    return { ...report(receiver, sides, expected), ends }
  } finally {
    ending.abort()
    await Promise.all(publishing)
    await running.kill('SIGTERM')
    await receiver.close()
  }
}

const by = { who: 'operator', fromAddress: null }
const mostWaits = 200
/** Series of which something is published at once: an event each. */
const together = 10

/** Every fifth is refused or cut off, the first time. */
function failingOnce(chance: Chance): Receiver['answering'] {
  const failed = new Set<string>()
  return (res, { id, path }) => {
    const key = `${path} ${id}`
    const way = failed.has(key) ? 9 : chance.int(0, 9)
    if (way < 2) failed.add(key)
    if (way === 0) answer(500)(res, {} as Received)
    else if (way === 1) res.socket!.destroy()
    else answer(204)(res, {} as Received)
  }
}

async function publish(tenant: Tenant, pauseMs: number, signal: AbortSignal): Promise<void> {
  for (let i = 0; !signal.aborted; i++) {
    const period = `${1900 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`
    const rows = Array.from({ length: together }, (_, series) => `CUSTOM/s${series},${period},${i}.5,2024-02-01\n`)
    await tenant.importUnheard(`series,period,value,published\n${rows.join('')}`)
    await sleep(pauseMs)
  }
}

interface ChangePage {
  readonly data: readonly { readonly id: string }[]
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string }
}

async function readIds(tenant: Tenant): Promise<readonly string[]> {
  const ids: string[] = []
  for (let query = 'from=start'; ; ) {
    const { data, pagination } = await tenant.extJson<ChangePage>(`/changes?kinds=observations&${query}`)
    ids.push(...data.map(({ id }) => id))
    if (!pagination.hasMore) return ids
    query = `cursor=${pagination.nextCursor}`
  }
}

function missing(receiver: Receiver, path: string, expected: readonly string[]): readonly string[] {
  const got = new Set(receiver.at(path).map(({ id }) => id))
  return expected.filter(id => !got.has(id))
}

function report(
  receiver: Receiver,
  sides: readonly Side[],
  expected: readonly (readonly string[])[],
): Omit<WebhookRestartReport, 'ends'> {
  const failures: string[] = []
  let twice = 0
  for (const [i, { path, tenant, webhook }] of sides.entries()) {
    const got = receiver.at(path)
    const own = new Set(expected[i])
    const lost = missing(receiver, path, expected[i]!)
    if (lost.length > 0) failures.push(`${lost.length} of ${own.size} events of ${path} never arrived: ${lost[0]}`)
    const slug = tenant.api.slugOf(tenant.id)
    const strange = got.filter(({ id, event }) => !own.has(id) || event.data.workspace !== slug)
    if (strange.length > 0) failures.push(`${strange.length} events at ${path} are not of its workspace`)
    const library = new Webhook(webhook.secret)
    const unsigned = got.filter(each => !isSigned(library, each))
    if (unsigned.length > 0) failures.push(`${unsigned.length} messages at ${path} are not signed`)
    twice += got.length - new Set(got.map(({ id }) => id)).size
  }
  const events = expected.reduce((sum, ids) => sum + ids.length, 0)
  return { failures, events, received: receiver.received.length, twice }
}

/** Some are older than the library accepts by then. */
function isSigned(library: Webhook, { id, body, headers }: Received): boolean {
  const at = new Date(Number.parseInt(`${headers['webhook-timestamp']}`, 10) * 1000)
  return `${headers['webhook-signature']}`.split(' ').includes(library.sign(id, at, body))
}
