// What a supplier sees of formulas that are written but not in force (T30): nothing of a draft, of its comments, or of
// a series that only a draft names, on any route.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ConsoleRoute } from '../../src/http/console/frame/route.ts'
import type { AgreementList, AgreementPage, Preview } from '../../src/views/shapes/agreements.ts'
import type { SeriesRow } from '../../src/views/shapes/series.ts'
import type { VersionView } from '../../src/views/shapes/versions.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { type Browser, emails, makeSeats, type Seats, tableOfRoutes } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { someOf } from '../support/run/long-form.ts'

const console = consoleHouse()

/** Appears in drafts, their comments and the series only they name. */
const canary = 'draftcanary'
const canaryValue = '98765.4321'

async function ready(): Promise<Seats> {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.import(
    `series,period,value,published,name\nCUSTOM/${canary}-index,2023-12,${canaryValue},2024-01-15,${canary} name\nCUSTOM/${canary}-index,2024-03,${canaryValue},2024-03-28,${canary} name\n`,
  )
  return seats
}

/** A document that only its writers should see. */
const secret = (more = '', status = 'DRAFT') =>
  bracketsDocument({ status, more })
    .replace('# the contract of May 2023', `# ${canary}: we would go up to 20 %`)
    .replace('series: CUSTOM/steel', `series: CUSTOM/${canary}-index`)

/** Another rule with the same inputs. */
const capped = (pct: number) => `{ fixed: 0.40, cap: { periodPct: ${pct} } }`

const versionsOf = async (browser: Browser) =>
  (await browser.json<readonly VersionView[]>('/agreements/brackets/versions')).map(({ version }) => version)
const codesOf = async (browser: Browser) =>
  (await browser.json<readonly SeriesRow[]>('/series')).map(({ code }) => code).sort()

describe('versions that govern or once did', () => {
  test('are what a supplier sees: not the drafts before the first that was in force', async () => {
    const { tenant, as } = await ready()
    await tenant.apply(secret())
    await tenant.apply(bracketsDocument({ status: 'DRAFT', clause: capped(4), more: `# ${canary}\n` }))
    await tenant.apply(bracketsDocument())
    expect(await versionsOf(as.buyer)).toEqual([3, 2, 1])
    expect(await versionsOf(as.supplier)).toEqual([3])
    expect(await codesOf(as.buyer)).toEqual([`${canary}-index`, 'labour', 'steel'])
    expect(await codesOf(as.supplier)).toEqual(['labour', 'steel'])
    const [only] = await as.supplier.json<readonly VersionView[]>('/agreements/brackets/versions')
    expect([only!.changes, only!.effects]).toEqual([[], []])
  })

  test('stay visible when a later one replaces them, or begins later', async () => {
    const { tenant, as } = await ready()
    await tenant.apply(bracketsDocument())
    await tenant.apply(bracketsDocument({ clause: capped(4) }))
    await tenant.apply(bracketsDocument({ clause: capped(3), more: 'effectiveFrom: 2024-09-01\n' }))
    expect(await versionsOf(as.supplier)).toEqual([3, 2, 1])
  })

  test('include one that was written as a draft and governs the dates before a later one', async () => {
    const { tenant, as } = await ready()
    await tenant.apply(bracketsDocument({ status: 'DRAFT' }))
    await tenant.apply(bracketsDocument({ clause: capped(3), more: 'effectiveFrom: 2024-09-01\n' }))
    expect(await versionsOf(as.supplier)).toEqual([2, 1])
  })

  test('stay visible as they last stood while the formula is a draft again, and are not signed meanwhile', async () => {
    const { tenant, as } = await ready()
    await tenant.apply(bracketsDocument())
    const before = await as.supplier.json<AgreementPage>('/agreements/brackets')
    await tenant.apply(secret())
    const [row] = (await as.supplier.json<AgreementList>('/agreements')).rows
    expect(row).toMatchObject({ slug: 'brackets', status: 'SUSPENDED', version: 1 })
    const page = await as.supplier.json<AgreementPage>('/agreements/brackets')
    expect(page.entries.map(({ hash }) => hash)).toEqual(before.entries.map(({ hash }) => hash))
    expect(page.documentText).toContain('# the contract of May 2023')
    expect(await versionsOf(as.supplier)).toEqual([1])
    expect(await codesOf(as.supplier)).toEqual(['labour', 'steel'])
    expect(await as.supplier.json('/sign-offs')).toMatchObject({ mine: { rows: [] } })
    expect((await as.buyer.json<AgreementPage>('/agreements/brackets')).agreement).toMatchObject({
      status: 'DRAFT',
      version: 2,
    })
    const text = bracketsDocument()
    const preview = (await as.supplier.post('/agreements/preview', { text, against: 'brackets' })).json as Preview
    expect([preview.before, preview.inForce]).toEqual([[], null])
  })
})

test('a supplier reads of a draft as of a suspension, also in the history of a number', async () => {
  const { tenant, as } = await ready()
  await tenant.apply(bracketsDocument())
  await tenant.apply(secret())
  await tenant.apply(bracketsDocument())
  const words = async (browser: Browser) => (await browser.get('/agreements/brackets/periods/2024-Q2/history')).text
  expect(await words(as.supplier)).toContain('suspended → active')
  expect((await words(as.supplier)).toLowerCase()).not.toContain('draft')
  expect(await words(as.buyer)).toContain('draft → active')
})

test('a formula that names no supplier is seen by nobody of that role', async () => {
  const { tenant, as } = await ready()
  await tenant.apply(bracketsDocument({ more: `parties: { buyer: [${emails.buyer}] }\n` }))
  await tenant.apply(bracketsDocument({ slug: 'mine' }))
  const slugs = async (browser: Browser) =>
    (await browser.json<AgreementList>('/agreements')).rows.map(({ slug }) => slug)
  expect(await slugs(as.supplier)).toEqual(['mine'])
  expect(await slugs(as.viewer)).toEqual(['brackets', 'mine'])
  for (const path of ['', '/versions', '/periods/2024-Q2', '/periods/2024-Q2/receipt'])
    expect((await as.supplier.get(`/agreements/brackets${path}`)).status, path).toBe(404)
})

describe('every route', () => {
  let seats: Seats
  let routes: readonly ConsoleRoute[]
  let series: readonly string[]
  beforeAll(async () => {
    seats = await ready()
    const { tenant } = seats
    await tenant.apply(secret())
    await tenant.apply(bracketsDocument())
    await tenant.apply(secret().replace('slug: brackets', `slug: only-${canary}`))
    await tenant.apply(bracketsDocument({ slug: 'again' }))
    await tenant.apply(secret().replace('slug: brackets', 'slug: again'))
    const rows = await seats.as.buyer.json<readonly SeriesRow[]>('/series')
    series = rows.map(({ id }) => id)
    routes = tableOfRoutes(console.api)
  })

  /** Every address that a route has here. */
  function addressesOf({ path }: ConsoleRoute): readonly string[] {
    const choices: Readonly<Record<string, readonly string[]>> = {
      ':slug': ['brackets', 'again', `only-${canary}`],
      ':period': ['2024-Q2', '2024-Q3', '2024-Q4'],
      ':id': series,
    }
    let addresses = [path]
    for (const [name, values] of Object.entries(choices))
      addresses = addresses.flatMap(each =>
        each.includes(name) ? values.map(value => each.replace(name, value)) : [each],
      )
    return addresses.map(each => (each === '/series/sparks' ? `${each}?ids=${series.join(',')}` : each))
  }

  const bodies: Readonly<Record<string, object>> = {
    '/agreements/preview': { text: secret('', 'ACTIVE'), against: 'brackets' },
    '/agreements/compare': { text: secret('', 'ACTIVE') },
  }

  test('shows a supplier nothing of a draft, its comments or its series; a buyer sees them', async () => {
    const seen = { supplier: 0, buyer: 0 }
    let asked = 0
    for (const role of ['supplier', 'buyer'] as const)
      for (const [turn, route] of routes.entries()) {
        if (route.takes === 'file' || route.path === '/chain/verify') continue
        for (const address of someOf('every-route', 'addresses of every route about a draft', addressesOf(route), {
          oneIn: role === 'supplier' ? 2 : 3,
          from: turn,
          isNeverNone: true,
        })) {
          const browser = seats.as[role]
          const reply =
            route.method === 'GET'
              ? await browser.get(address)
              : await browser.send(route.method, `/w/${seats.slug}${address}`, bodies[route.path] ?? {})
          asked++
          // What a preview says about the text that was just sent is not news to its sender.
          const text = route.path in bodies ? reply.text.replaceAll(`CUSTOM/${canary}-index`, '') : reply.text
          const isTold = text.includes(canary) || text.includes(canaryValue)
          if (isTold) seen[role]++
          if (role === 'supplier') expect([address, isTold && text]).toEqual([address, false])
        }
      }
    expect(asked).toBeGreaterThan(80)
    expect(seen.buyer).toBeGreaterThan(8)
  })
})
