// Calendar feeds: what is in them for whom, that they end with their person, and that the secret in their address is nowhere else.
import ical, { type VEvent } from 'node-ical'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Release } from '../../src/core/calendar/release.ts'
import { parseInstant } from '../../src/core/time/instant.ts'
import { findZone } from '../../src/core/time/local-time.ts'
import { eventsOf, openCalendar } from '../../src/providers/formats/icalendar.ts'
import { feedBounds } from '../../src/storage/people/feed-bounds.ts'
import { withWorkspace } from '../../src/storage/postgres/database.ts'
import { saveAlarms } from '../../src/storage/series/alarms.ts'
import { publishReleases, saveSeriesReleases } from '../../src/storage/series/calendar.ts'
import type { FeedRow, IssuedFeed } from '../../src/views/shapes/settings.ts'
import { eventually } from '../support/houses/api.ts'
import { type Browser, join, signIn } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const house = consoleHouse()
/** Nobody else's releases. */
const own = `feeds-${process.pid}`

const now = new Date()
const monthsAhead = (count: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1))
const dayOf = (date: Date) => date.toISOString().slice(0, 10)
/** The first of the next month, and the month before the present one, which it reads. */
const nextDate = dayOf(monthsAhead(1))
const read = dayOf(monthsAhead(0)).slice(0, 7)
const later = dayOf(monthsAhead(1)).slice(0, 7)
const lastKnown = dayOf(monthsAhead(-1)).slice(0, 7)

const document = (slug: string, series: string, supplier: string) => `
slug: ${slug}
name: Agreement ${slug}
status: ACTIVE
contract: { start: 2024-01-01, frequency: MONTHLY }
inputs: { index: { series: ${series}, weight: 1, base: 2023-12, lag: 1 month } }
clause: { fixed: 0 }
parties: { supplier: [${supplier}] }
`

const release = (name: string, period: string, at: string, more: Partial<Release> = {}): Release => ({
  provider: 'FRED',
  release: `${name}-${own}`,
  title: `${name} prices`,
  zone: 'America/Chicago',
  status: 'DATE_ONLY',
  period,
  at,
  sourceId: `${name} ${period}`,
  ...more,
})
const releases = [
  release('steel', read, `${nextDate.slice(0, 8)}12`),
  release('steel', later, `${dayOf(monthsAhead(2)).slice(0, 8)}12`),
  release('copper', read, `${nextDate.slice(0, 8)}14`, { status: 'CANCELLED' }),
]

beforeAll(async () => {
  const { tenant, api } = house
  for (const [name, supplier] of [
    ['steel', 'sam@supplier.test'],
    ['copper', 'another@supplier.test'],
  ] as const) {
    await tenant.importValues(`FRED/${name}`, { '2023-12': '100', [lastKnown]: '101' })
    const seriesId = await tenant.seriesId(`FRED/${name}`)
    await saveSeriesReleases(api.sql, tenant.id, [{ seriesId, release: `${name}-${own}` }])
    await tenant.apply(document(name, `FRED/${name}`, supplier))
  }
  await publishReleases(api.sql, releases)
})

async function create(browser: Browser, body: object = {}): Promise<IssuedFeed & { readonly path: string }> {
  const { status, json, text } = await browser.post('/feeds', { name: 'My prices', ...body })
  expect([status, text]).toEqual([201, text])
  const issued = json as IssuedFeed
  return { ...issued, path: new URL(issued.address).pathname }
}

const fetchFeed = (path: string, headers = {}) => house.api.ask(path, { headers })

/** In two readers, which must agree. */
async function eventsAt(path: string) {
  const { status, text } = await fetchFeed(path)
  expect(status).toBe(200)
  const opened = openCalendar(text)
  if ('fault' in opened) throw new Error(opened.fault)
  const events = eventsOf(opened.calendar, findZone('UTC')!)
  const elsewhere = Object.values(ical.sync.parseICS(text)).filter((each): each is VEvent => each?.type === 'VEVENT')
  const told = (all: readonly { uid: string | null; summary: unknown; status?: string | null }[]) =>
    all.map(({ uid, summary, status: state }) => `${uid} ${summary} ${state}`).sort()
  expect(told(elsewhere)).toEqual(told(events))
  return events
}

describe('a feed', () => {
  test('has the releases that are waited for and the dates of adjustments, in two readers alike', async () => {
    const { path, address } = await create(house.as.buyer)
    expect(address).toMatch(/\/feeds\/asz_feed_[0-9A-Za-z]{32}\.ics$/)
    const events = await eventually(
      () => eventsAt(path),
      all => all.some(({ summary }) => summary?.startsWith('FRED: steel prices') === true),
    )
    const told = events.map(({ summary, start, status }) => [summary, start, status])
    expect(told).toContainEqual([`FRED: steel prices, ${read}`, releases[0]!.at, 'CONFIRMED'])
    expect(told).toContainEqual([`Cancelled: FRED: copper prices, ${read}`, releases[2]!.at, 'CANCELLED'])
    expect(told).toContainEqual([`Adjustment: Agreement steel, ${nextDate.slice(0, 7)}`, nextDate, 'CONFIRMED'])
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length)
  })

  test('shows releases or dates alone, or some agreements, where that is asked for', async () => {
    const kindsOf = async (body: object) => {
      const events = await eventsAt((await create(house.as.buyer, body)).path)
      return [...new Set(events.map(({ summary }) => summary!.replace(/, \d{4}-\d\d$/, '')))].sort()
    }
    expect(await kindsOf({ shows: 'DATES', agreements: ['steel'] })).toEqual(['Adjustment: Agreement steel'])
    expect(await kindsOf({ shows: 'RELEASES', agreements: ['copper'] })).toContain('Cancelled: FRED: copper prices')
    expect((await house.as.buyer.post('/feeds', { name: 'x', agreements: ['nothing'] })).status).toBe(404)
    expect((await house.as.supplier.post('/feeds', { name: 'x', agreements: ['copper'] })).status).toBe(404)
  })

  test('of a supplier has its own agreements alone', async () => {
    const events = await eventsAt((await create(house.as.supplier)).path)
    const text = JSON.stringify(events)
    expect(text).toContain('Agreement steel')
    expect(text).not.toContain('copper')
  })

  test('has the same bytes and tag while nothing changes, and a moved date changes one event', async () => {
    const { path } = await create(house.as.owner)
    const first = await fetchFeed(path)
    expect((await fetchFeed(path)).text).toBe(first.text)
    expect((await fetchFeed(path, { 'if-none-match': first.headers.etag })).status).toBe(304)
    const before = await eventsAt(path)
    await publishReleases(house.api.sql, [{ ...releases[1]!, at: `${releases[1]!.at.slice(0, 8)}19` }])
    const after = await eventually(
      () => eventsAt(path),
      events => JSON.stringify(events) !== JSON.stringify(before),
    )
    const isKnown = (event: object) => before.some(each => JSON.stringify(each) === JSON.stringify(event))
    const changed = after.filter(event => !isKnown(event))
    expect(changed).toMatchObject([
      { summary: `FRED: steel prices, ${later}`, start: `${releases[1]!.at.slice(0, 8)}19` },
    ])
    const held = before.find(({ uid }) => uid === changed[0]!.uid)!
    expect(changed[0]!.sequence).toBeGreaterThanOrEqual(held.sequence)
    expect(after).toHaveLength(before.length)
  })

  test('says of a figure that is late that it is, once an alarm is recorded', async () => {
    const { path } = await create(house.as.buyer, { shows: 'RELEASES', agreements: ['steel'] })
    const { tenant, api } = house
    const alarm = { period: read, cause: 'ANSWERED_WITHOUT', expectedAt: null } as const
    const raised = [{ ...alarm, seriesId: await tenant.seriesId('FRED/steel') }]
    const at = parseInstant(new Date().toISOString())!
    await withWorkspace(api.sql, tenant.id, tx => saveAlarms(tx, tenant.id, { raised, cleared: [], restated: [] }, at))
    const late = (await eventsAt(path)).flatMap(({ summary }) => (summary!.startsWith('Late') ? [summary] : []))
    expect(late).toEqual([`Late: FRED: steel prices, ${read}`])
    expect((await fetchFeed(path)).text).toContain(`DESCRIPTION:Late: it had not come by ${at.slice(0, 10)}.`)
  })

  test('is kept by nobody who shares it, and its address is in no log and no message', async () => {
    const { path } = await create(house.as.viewer)
    const { headers } = await fetchFeed(path)
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
    })
    const wrong = path.replace('.ics', 'x.ics')
    for (const each of [wrong, path.replace('.ics', ''), path.replace('/feeds/', '/feeds/a/')])
      expect((await fetchFeed(each)).text).not.toContain('asz_feed_')
    await house.api.ask(path, { method: 'POST' })
    const token = path.slice('/feeds/'.length, -'.ics'.length)
    expect(house.api.log.join('\n')).not.toContain(token)
    const rows = await house.api.owner`select to_jsonb(f) from feed f`
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

describe('a feed is gone', () => {
  const statusAt = async (path: string) => (await fetchFeed(path)).status
  const nothing = async (path: string) => {
    const { status, text } = await fetchFeed(path)
    return [status, text]
  }

  test('where its token is wrong or its ending is missing, with the same words as for any address', async () => {
    const { path } = await create(house.as.buyer)
    const [status, words] = await nothing('/feeds/asz_feed_00000000000000000000000000000000.ics')
    expect(status).toBe(404)
    for (const each of [path.replace('.ics', ''), '/feeds/.ics', '/feeds/x.ics'])
      expect(await nothing(each)).toEqual([404, words])
  })

  test('after it was revoked, by whom it belongs to and by nobody else', async () => {
    const { id, path } = await create(house.as.buyer, { name: 'Gone soon' })
    const rows = await house.as.buyer.json<readonly FeedRow[]>('/feeds')
    expect(rows[0]).toMatchObject({ id, name: 'Gone soon', shows: 'ALL', agreements: null, revokedAt: null })
    expect((await house.as.owner.json<readonly FeedRow[]>('/feeds')).map(each => each.id)).not.toContain(id)
    expect((await house.as.owner.delete(`/feeds/${id}`)).status).toBe(404)
    expect(await statusAt(path)).toBe(200)
    expect((await house.as.buyer.delete(`/feeds/${id}`)).status).toBe(204)
    expect(await statusAt(path)).toBe(404)
    expect((await house.as.buyer.delete(`/feeds/${id}`)).status).toBe(204)
  })

  test('when the place of its person ends, also after they are invited again', async () => {
    const { api, tenant, slug } = house
    const email = `gone-${slug}@buyer.test`
    const personId = await join(api, tenant.id, email, 'buyer')
    const { path } = await create(await signIn(api, email, slug))
    expect(await statusAt(path)).toBe(200)
    expect((await house.as.owner.delete(`/people/${personId}`)).status).toBe(204)
    expect(await statusAt(path)).toBe(404)
    await join(api, tenant.id, email, 'buyer')
    expect(await statusAt(path)).toBe(404)
  })

  test('when its row was changed with SQL alone', async () => {
    const { id, path } = await create(house.as.supplier)
    await house.api.owner`update feed set person_id = null where id = ${id}`
    expect(await statusAt(path)).toBe(404)
  })

  test('for the rest of the hour after it was fetched often', async () => {
    const { path } = await create(house.as.viewer)
    for (let turn = 0; turn < feedBounds.anHour; turn++)
      if ((await statusAt(path)) !== 200) throw new Error(`request ${turn} was refused`)
    const { status, headers } = await fetchFeed(path)
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_000)
  })
})
