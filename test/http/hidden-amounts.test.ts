// Keys without `money`, on every route of v1, /ext/v1 and /sdmx/v2: two workspaces in which the same was done, and which differ only in
// what was billed, declared and paid, give such a key the same answers.
import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { proposeCorrection, signCorrection, waiveCorrection } from '../../src/agreements/correct.ts'
import { noteCorrection } from '../../src/agreements/correction-note.ts'
import { importLines, reverseInvoice } from '../../src/agreements/invoices.ts'
import { importQuantities } from '../../src/agreements/quantities.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { proposeAmendment } from '../../src/agreements/terms/propose.ts'
import { readLine } from '../../src/core/invoices/invoice-line.ts'
import { parseDay } from '../../src/core/time/day.ts'
import type { ExtWire } from '../../src/http/ext/description/schemas.ts'
import { routes as extRoutes } from '../../src/http/ext/routes.ts'
import { routes as sdmxRoutes } from '../../src/http/sdmx/routes.ts'
import { routes as v1Routes } from '../../src/http/v1/routes.ts'
import { Library } from '../../src/read/library.ts'
import { createMember } from '../../src/storage/people/people.ts'
import type { Reply } from '../support/clients/http-client.ts'
import { type Api, buyer, supplier, Tenant } from '../support/houses/api.ts'
import { house } from '../support/houses/house.ts'
import { finalMarch, firstPrints, trueUpDocument } from '../support/houses/true-up-house.ts'
import { onlyLong } from '../support/run/long-form.ts'

type Correction = ExtWire<'Correction'>

const by = { who: 'eva@editor.test', fromAddress: null }
const today = parseDay(new Date().toISOString().slice(0, 10))!
const lastMonth = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)

const policies = {
  'a-noted': '{ when: FINAL }',
  'b-waived-by-policy': '{ when: FINAL, min: { amount: 100, below: WAIVE } }',
  'c-under-minimum': '{ when: FINAL, min: { amount: 100, below: KEEP } }',
  'd-lapsing': '{ when: FINAL, within: { months: 6, of: INVOICE } }',
  'e-waived-by-hand': '{ when: EACH }',
  'f-declared': '{ when: EACH }',
} as const
type Slug = keyof typeof policies

/** How many pieces were billed or declared, and whether the invoice of d-lapsing is an old one. */
interface Billed {
  readonly pieces: Readonly<Record<Slug, string>>
  readonly isOld: boolean
}

const many: Billed = {
  pieces: {
    'a-noted': '100',
    'b-waived-by-policy': '90',
    'c-under-minimum': '80',
    'd-lapsing': '70',
    'e-waived-by-hand': '60',
    'f-declared': '50',
  },
  isOld: false,
}
/** Amounts in the opposite order. */
const few: Billed = {
  pieces: {
    'a-noted': '2',
    'b-waived-by-policy': '3',
    'c-under-minimum': '4',
    'd-lapsing': '123456789',
    'e-waived-by-hand': '1234567',
    'f-declared': '1234567890',
  },
  isOld: true,
}

class World {
  readonly tenant: Tenant
  readonly withMoney: Tenant
  readonly withAll: Tenant
  readonly corrections: Record<string, string> = {}
  /** Of terms, of f-declared. */
  change = ''
  readonly #api: Api
  readonly #seal: Seal
  /** Ids and hashes in the order in which they were first answered. */
  readonly #names = new Map<string, string>()

  private constructor(api: Api, tenant: Tenant, withMoney: Tenant, withAll: Tenant) {
    this.#api = api
    this.#seal = new Seal(api.ring)
    this.tenant = tenant
    this.withMoney = withMoney
    this.withAll = withAll
  }

  static async open(api: Api, billed: Billed): Promise<World> {
    const tenant = await api.tenant({ name: 'Workspace' })
    const key = async (scope: 'money' | 'all') =>
      new Tenant(api, tenant.id, await api.issueKey(tenant.id, null, scope, scope))
    const world = new World(api, tenant, await key('money'), await key('all'))
    await world.#live(billed)
    return world
  }

  async #live({ pieces, isOld }: Billed): Promise<void> {
    const { tenant } = this
    const { sql } = this.#api
    await createMember(sql, tenant.id, { email: buyer, role: 'buyer' })
    await createMember(sql, tenant.id, { email: supplier, role: 'supplier' })
    await tenant.import(firstPrints)
    const slugs = Object.keys(policies) as Slug[]
    for (const slug of slugs) {
      await tenant.apply(trueUpDocument({ slug, corrections: policies[slug] }))
      await tenant.signBoth(slug, '2024-Q2')
      if (slug === 'f-declared') await this.#declare(slug, pieces[slug])
      else await this.#bill(slug, `${slug}-1`, pieces[slug], lastMonth)
    }
    await tenant.import(finalMarch)
    for (const slug of slugs) if (slug !== 'c-under-minimum') await this.#propose(slug)
    for (const slug of ['a-noted', 'b-waived-by-policy'] as const) await this.#signBoth(this.corrections[slug]!)
    await noteCorrection(sql, this.#seal, {
      workspaceId: tenant.id,
      id: this.corrections['a-noted']!,
      number: 'CN-1',
      date: parseDay('2024-09-01')!,
      by,
      write: () => `amount ${pieces['a-noted']}`,
    })
    const id = this.corrections['e-waived-by-hand']!
    const waiver = await waiveCorrection(sql, this.#seal, { workspaceId: tenant.id, id, by, signer: null })
    this.corrections.waiver = waiver.id
    const text = trueUpDocument({
      slug: 'f-declared',
      clause: '{ cap: { periodPct: 1 } }',
      corrections: policies['f-declared'],
    })
    const amendment = { agreement: 'f-declared', text, reason: 'A cap of 1 % was agreed.' }
    const proposer = { who: buyer, fromAddress: null }
    this.change = (await proposeAmendment(sql, { workspaceId: tenant.id, by: proposer, ...amendment })).id
    if (!isOld) return
    // What was billed recently is undone: the time limit of what remains is over.
    await reverseInvoice(sql, tenant.id, { number: 'd-lapsing-1', supplier: null, by })
    await this.#bill('d-lapsing', 'd-lapsing-2', pieces['d-lapsing'], '2024-06-01')
  }

  /** A new one each time, as for each command. */
  get #library(): Library {
    return new Library(this.#api.sql, 64 * 1024 * 1024, { seals: this.#seal.rows, report: () => {} })
  }

  async #bill(agreement: string, invoice: string, quantity: string, date: string): Promise<void> {
    const service = { serviceFrom: '2024-05-10', serviceTo: '2024-05-10' }
    const line = readLine(2, { invoice, line: '1', date, ...service, quantity, unitPrice: '106.00', agreement })
    const request = { workspaceId: this.tenant.id, lines: [line], today, by, source: 'x' }
    expect(await importLines(this.#api.sql, this.#library, request)).toMatchObject({ added: 1 })
  }

  async #declare(agreement: string, quantity: string): Promise<void> {
    const rows = [{ line: 2, agreement, item: agreement, period: '2024-Q2', quantity }]
    await importQuantities(this.#api.sql, this.#library, {
      workspaceId: this.tenant.id,
      rows,
      today,
      by,
      source: 'x',
    })
  }

  async #propose(agreement: string): Promise<void> {
    const request = { workspaceId: this.tenant.id, agreement, reason: null, by }
    this.corrections[agreement] = (await proposeCorrection(this.#api.sql, this.#seal, request)).correction.id
  }

  async #signBoth(id: string): Promise<void> {
    const how = {
      workspaceId: this.tenant.id,
      id,
      hash: null,
      proof: { means: 'OPERATOR' },
      fromAddress: null,
    } as const
    await signCorrection(this.#api.sql, this.#seal, { ...how, party: 'buyer', email: buyer })
    await signCorrection(this.#api.sql, this.#seal, { ...how, party: 'supplier', email: supplier })
  }

  /** An address with the identifiers of this workspace. */
  async addressOf(prefix: string, path: string, slug: string): Promise<string> {
    const series = await this.tenant.seriesId('CUSTOM/metal')
    const correction = this.corrections[slug] ?? this.corrections.waiver!
    const flow = '{agencyId}/{resourceId}/{version}/{key}'
    if (path.includes('{artefactType}')) return `${prefix}/structure/codelist/ASSIZE/CL_AGREEMENT/1.0`
    if (path.includes(flow))
      return `${prefix}/${path.split('/')[1]}/dataflow/ASSIZE/AGREEMENTS/1.0/${slug in policies ? slug : '*'}`
    const named = path.replace('{seriesId}', series).replace('{pamId}', slug).replace('{correctionId}', correction)
    return `${prefix}${named.replace('{spliceId}', this.change).replace('{supplierKey}/{number}', `${supplier}/${slug}-1`)}`
  }

  /** Every page, each as far as it does not differ by chance: ids and hashes by when they first came, cursors by their length. */
  async walk(who: Tenant, address: string, query: string): Promise<readonly string[]> {
    const pages: string[] = []
    let next: string | null = null
    do {
      const asked: string = next === null ? query : `${query.replace(/&?from=start/, '')}&cursor=${next}`
      const reply = await this.#api.ask(`${address}?${asked}`, { headers: who.authorization })
      pages.push(this.#plain(reply))
      // Of the pages after the first one in the long form alone.
      if (next === null || onlyLong('every-route', 'HEAD of pages after the first, with a key without money'))
        pages.push(
          this.#plain(await this.#api.ask(`${address}?${asked}`, { method: 'HEAD', headers: who.authorization })),
        )
      next = nextOf(reply)
    } while (next !== null && pages.length < 200)
    return pages
  }

  #plain({ status, headers, text }: Reply): string {
    const { etag, 'x-request-id': _, date: __, ratelimit: ___, ...rest } = headers
    // A tag is no more than a hash of what was answered; that of one series follows from its own figures.
    if (etag?.length === 29 && text !== '')
      expect(etag).toBe(`"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`)
    const whole = `${status} ${JSON.stringify(rest)} ${text}`
    return (
      whole
        .replaceAll(
          /"nextCursor":"([^"]+)"|cursor=([\w-]+)/g,
          (__all, a = '', b = '') => `cursor of ${`${a}${b}`.length}`,
        )
        .replaceAll(this.#api.slugOf(this.tenant.id), 'workspace')
        .replaceAll(/\b[a-z]{2,4}_[0-9a-z]{26}\b|\b[0-9a-f]{64}\b/g, found => this.#nameOf(found))
        .replaceAll(new RegExp(`${new Date().getUTCFullYear()}-\\d\\d-\\d\\dT[\\d:.]+Z`, 'g'), 'instant')
        .replaceAll(/"value":"[\w-]{86}"/g, 'seal')
        // The names of SDMX messages contain the instant that they show.
        .replaceAll(/\b([A-Z]+)-\d{20}\b/g, '$1')
    )
  }

  #nameOf(found: string): string {
    const kind = found.length === 64 ? 'hash' : found.split('_')[0]!
    const known = this.#names.get(found) ?? `${kind} ${this.#names.size}`
    this.#names.set(found, known)
    return known
  }

  /** Every hash that was answered. */
  get hashes(): readonly string[] {
    return [...this.#names.keys()].filter(each => each.length === 64)
  }
}

function nextOf({ status, headers, text }: Reply): string | null {
  if (status !== 200) return null
  if (`${headers['content-type']}`.startsWith('text/csv')) return /cursor=([\w-]+)/.exec(`${headers.link}`)?.[1] ?? null
  if (!`${headers['content-type']}`.includes('json')) return null
  const { pagination } = JSON.parse(text) as {
    pagination?: { readonly hasMore: boolean; readonly nextCursor: string | null }
  }
  return pagination?.hasMore === true ? pagination.nextCursor : null
}

/** Of each route, what it is asked with. One that is not here fails the test: somebody has to say how it is asked. */
const v1Asked: Readonly<Record<string, readonly string[]>> = {
  '/series': ['', 'limit=1'],
  '/series/{seriesId}/values': ['', 'limit=1'],
  '/series/{seriesId}/vintages': ['', 'limit=1'],
  '/pams': ['', 'limit=1'],
  '/pams/{pamId}': [''],
  '/pams/{pamId}/values': [''],
  '/pams/{pamId}/adjustment': ['', 'period=2024-Q2', 'period=2024-Q2&view=calculation'],
  '/pams/{pamId}/adjustment/calculation': ['period=2024-Q2'],
  '/pams/{pamId}/adjustment/receipt': ['period=2024-Q2'],
}
const span = 'since=2024-01-01'
const extAsked: Readonly<Record<string, readonly string[]>> = {
  '/changes': [
    'from=start',
    'from=start&limit=1',
    'from=start&limit=3&format=csv',
    'from=start&kinds=correction&limit=1',
  ],
  '/vintages': ['from=start', 'from=start&limit=1'],
  '/adjustments': ['', 'limit=1', 'period=2024-Q2', 'period=2024-Q2&format=csv&limit=1', 'status=SIGNED'],
  '/values': ['series=CUSTOM/metal', 'series=CUSTOM/metal&format=csv'],
  '/prices': [
    '',
    'period=2024-Q2&limit=1',
    'period=2024-Q2&format=csv',
    'from=2024-01-01&changedSince=2024-01-01',
    'from=2024-01-01&format=sap-csv',
    'from=2024-01-01&format=bc&changedSince=2024-01-01',
  ],
  '/left-out': ['from=2024-01-01&for=sap-csv', 'from=2024-01-01&for=bc&limit=1', 'date=2024-05-01&format=csv'],
  '/pams/{pamId}/prices': ['', 'limit=1', 'format=csv', 'item=nothing'],
  '/pams/{pamId}/readings': ['', 'period=2024-Q2'],
  '/invoices': ['', 'limit=1', 'format=csv'],
  '/invoices/{supplierKey}/{number}': ['', 'format=csv'],
  '/check': ['', 'format=csv'],
  '/pams/{pamId}/corrections': ['', 'limit=1', 'format=csv'],
  '/corrections/{correctionId}': [''],
  '/corrections/{correctionId}/receipt': [''],
  '/pams/{pamId}/settled': ['', 'period=2024-Q2'],
  '/series': ['', 'limit=1', 'format=csv'],
  '/radar': [span, `${span}&limit=1`, `${span}&limit=2&format=csv`, `${span}&pam=c-under-minimum`],
  '/pams/{pamId}/ledger': [''],
  '/due': ['', 'within=400d&limit=1', 'format=csv'],
  '/series/{seriesId}/next': ['', 'format=csv'],
  '/splices': ['', 'format=csv'],
  '/splices/{spliceId}': [''],
  '/releases': ['', 'format=csv'],
  '/index-events': ['', 'format=csv'],
}
/** Of agreements, by their slug. */
const sdmxAsked: Readonly<Record<string, readonly string[]>> = {
  '/structure/{artefactType}/{agencyId}/{resourceId}/{version}/{itemId}': [
    'references=all',
    'references=all&format=xml',
  ],
  '/data/{context}/{agencyId}/{resourceId}/{version}/{key}': ['', 'format=csv', 'format=xml'],
  '/availability/{context}/{agencyId}/{resourceId}/{version}/{key}/{componentId}': ['', 'format=xml'],
}
const asked = [
  ...v1Routes.map(route => ({ prefix: '/v1', route, queries: v1Asked[route.path] })),
  ...extRoutes.map(route => ({ prefix: '/ext/v1', route, queries: extAsked[route.path] })),
  ...sdmxRoutes.map(route => ({ prefix: '/sdmx/v2', route, queries: sdmxAsked[route.path] })),
]

const { api } = house()
let worlds: readonly [World, World]
beforeAll(async () => {
  worlds = [await World.open(api, many), await World.open(api, few)]
})

async function answers(
  who: (world: World) => Tenant,
  { prefix, route, queries }: (typeof asked)[number],
  slugs = route.path.includes('{') ? [...Object.keys(policies), 'waiver'] : [''],
) {
  const told: [readonly string[], readonly string[]][] = []
  for (const slug of slugs)
    for (const query of queries!) {
      const [a, b] = await Promise.all(
        worlds.map(async world => world.walk(who(world), await world.addressOf(prefix, route.path, slug), query)),
      )
      told.push([a!, b!])
    }
  return told
}

describe('a key without money', () => {
  for (const each of asked)
    test(`learns nothing about amounts from ${each.prefix}${each.route.path}`, async () => {
      for (const [a, b] of await answers(world => world.tenant, each)) expect(a).toEqual(b)
    })

  test('gets the workbook that anybody gets', async () => {
    const asked = [
      {},
      worlds[0].tenant.authorization,
      worlds[1].tenant.authorization,
      worlds[0].withMoney.authorization,
    ]
    const workbooks = await Promise.all(asked.map(headers => api.ask('/ext/v1/excel/assize.xlsx', { headers })))
    expect(new Set(workbooks.map(({ status, body }) => `${status} ${body.toString('base64')}`)).size).toBe(1)
  })

  test('sees no hash over an amount', async () => {
    for (const world of worlds) {
      const hidden: string[] = []
      for (const id of Object.values(world.corrections)) {
        const { hash, notes } = await world.withMoney.extJson<Correction>(`/corrections/${id}`)
        hidden.push(hash!, ...notes.map(({ fileHash }) => fileHash!))
      }
      expect(hidden).toHaveLength(Object.keys(world.corrections).length + 1)
      expect(world.hashes.length).toBeGreaterThan(0)
      expect(world.hashes.filter(each => hidden.includes(each))).toEqual([])
    }
  })

  test('sees the largest moves of the radar first, and what the contract says only where no amount decides it', async () => {
    const { data } = await worlds[0].tenant.extJson<ExtWire<'RadarList'>>(`/radar?${span}`)
    const told = data.map(({ agreement, amount, policy }) => [agreement, amount, policy])
    expect(told).toEqual([
      ['a-noted', null, 'NONE'],
      ['b-waived-by-policy', null, 'NONE'],
      ['c-under-minimum', null, null],
      ['d-lapsing', null, null],
      ['e-waived-by-hand', null, 'DUE'],
      ['f-declared', null, 'DUE'],
    ])
  })
})

describe('a key with money', () => {
  test('sees in both workspaces what differs between them', async () => {
    for (const who of [(world: World) => world.withMoney, (world: World) => world.withAll])
      for (const path of ['/radar', '/corrections/{correctionId}', '/corrections/{correctionId}/receipt', '/changes']) {
        const found = asked.find(({ prefix, route }) => prefix === '/ext/v1' && route.path === path)!
        const first = { ...found, queries: found.queries!.slice(0, 1) }
        for (const [a, b] of await answers(who, first, ['a-noted'])) expect(a, path).not.toEqual(b)
      }
  })

  test('sees the hash that both parties sign, and that of the written note', async () => {
    const { tenant, withMoney, corrections } = worlds[0]
    const id = corrections['a-noted']!
    const shown = await withMoney.extJson<Correction>(`/corrections/${id}`)
    const receipt = await withMoney.extJson<ExtWire<'CorrectionReceipt'>>(`/corrections/${id}/receipt`)
    expect(shown).toMatchObject({ hash: receipt.hash, waived: false, currency: 'EUR', net: '-250.00' })
    expect(shown.notes[0]!.fileHash).toBe(createHash('sha256').update('amount 100').digest('hex'))
    expect(await tenant.extJson<Correction>(`/corrections/${id}`)).toEqual({
      ...shown,
      hash: null,
      net: null,
      lines: [],
      parts: [],
      waived: null,
      periods: shown.periods.map(each => ({ ...each, amount: null })),
      notes: [{ ...shown.notes[0], amount: null, fileHash: null }],
    })
  })

  test('sees the largest amounts of the radar first', async () => {
    const order = async (world: World) =>
      (await world.withMoney.extJson<ExtWire<'RadarList'>>(`/radar?${span}`)).data.map(each => each.agreement[0])
    expect((await order(worlds[0])).join('')).toBe('abcdef')
    expect((await order(worlds[1])).join('')).toBe('fdecba')
  })
})
