// Calendars of releases that wait for a decision: shown with what they would change to everybody whose workspace has a series of the
// provider, and decided by operators alone.
import { beforeAll, expect, test } from 'vitest'
import type { Release } from '../../src/core/calendar/release.ts'
import { addOperator } from '../../src/storage/people/operators.ts'
import { loadCalendarNow, publishReleases } from '../../src/storage/series/calendar.ts'
import { listQuarantinedCalendars, quarantineCalendar } from '../../src/storage/series/calendar-state.ts'
import type { InstallationPage } from '../../src/views/shapes/installation.ts'
import type { QuarantinePage } from '../../src/views/shapes/series.ts'
import { type Browser, join, openConsole, signIn } from '../support/houses/console.ts'
import { ownHouse } from '../support/houses/house.ts'

const console = ownHouse(openConsole)
const email = 'otto@operator.test'
let operator: Browser

const month = (number: number): Release => ({
  provider: 'BLS',
  release: 'PPI',
  title: `Producer prices ${number}`,
  period: `2031-0${number}`,
  at: `2031-0${number + 1}-12`,
  zone: 'America/New_York',
  status: 'DATE_ONLY',
  sourceId: `ppi-${number}`,
})
const dates = [1, 2, 3, 4, 5, 6, 7].map(month)

const hold = (entries: readonly Release[], fingerprint: string) =>
  quarantineCalendar(console.api.sql, {
    provider: 'BLS',
    foundAt: '2026-11-01T00:00:00.000000Z',
    reason: 'the calendar has 1 dates ahead',
    fingerprint,
    entries: JSON.stringify(entries),
  })
const shown = async (browser: Browser) => (await browser.json<QuarantinePage>('/quarantine')).calendars
const everywhere = async () => ((await operator.ask('/installation')).json as InstallationPage).calendars
const decide = (browser: Browser, id: string, decision: string) =>
  browser.send('POST', `/installation/calendars/${id}`, { decision })

beforeAll(async () => {
  const { api, tenant, slug } = console
  await join(api, tenant.id, email, 'viewer')
  await addOperator(api.owner, email, { workspaceId: null, by: 'operator' })
  operator = await signIn(api, email, slug)
  await publishReleases(api.sql, dates)
  await hold([{ ...dates[0]!, at: '2031-02-20' }], 'one')
})

test('one is shown with what it would change, to those whose workspace has a series of its provider', async () => {
  const { tenant, as } = console
  const row = {
    provider: 'BLS',
    reason: 'the calendar has 1 dates ahead',
    added: 0,
    moved: 1,
    withdrawn: 6,
    sample: dates.slice(1, 6).map(({ at, title }) => ({ at, title })),
  }
  expect(await everywhere()).toMatchObject([row])
  expect(await shown(as.viewer)).toEqual([])
  await tenant.importValues('BLS/WPU1', { '2026-01': '100' })
  await expect.poll(() => shown(as.viewer)).toMatchObject([row])
  expect((await as.supplier.get('/quarantine')).status).toBe(403)
})

test('one is decided by no member, and rejected by an operator it stays as it was', async () => {
  const { id } = (await listQuarantinedCalendars(console.api.sql))[0]!
  for (const role of ['owner', 'editor', 'viewer', 'supplier'] as const)
    expect((await decide(console.as[role], id, 'release')).status).toBe(403)
  expect((await decide(operator, id, 'keep')).status).toBe(422)
  expect((await decide(operator, id, 'reject')).status).toBe(204)
  expect(await everywhere()).toEqual([])
  expect((await loadCalendarNow(console.api.sql, 'BLS')).map(({ status }) => status)).toEqual(
    dates.map(() => 'DATE_ONLY'),
  )
  expect((await decide(operator, id, 'release')).status).toBe(404)
})

test('one that is released is the calendar from then on', async () => {
  await hold([dates[0]!], 'two')
  const { id } = (await listQuarantinedCalendars(console.api.sql))[0]!
  expect((await decide(operator, id, 'release')).status).toBe(204)
  const now = await loadCalendarNow(console.api.sql, 'BLS')
  expect(now.filter(({ status }) => status === 'POSTPONED')).toHaveLength(6)
})
