// F10: every workspace asks for everything of every other, by every kind of id, slug and cursor. Each holds canaries: words
// and figures that no other workspace has; none of them ever appears outside its workspace, in a body, a header or a log.
import { proposeCorrection, signCorrection } from '../../src/agreements/correct.ts'
import { noteCorrection } from '../../src/agreements/correction-note.ts'
import { Seal } from '../../src/agreements/seal.ts'
import { parseDay } from '../../src/core/time/day.ts'
import { createCompany } from '../../src/storage/people/parties.ts'
import { createMember } from '../../src/storage/people/people.ts'
import type { Reply } from '../support/clients/http-client.ts'
import { type Api, buyer, supplier, type Tenant } from '../support/houses/api.ts'
import { applyList, keepLines, withMoney } from '../support/houses/priced-tenant.ts'

const by = { who: 'eva@editor.test', fromAddress: null }

interface Holder {
  readonly tenant: Tenant
  /** The same with a key that reads money. */
  readonly money: Tenant
  /** Words and figures that only this workspace has. */
  readonly canaries: readonly string[]
  /** What names something of this workspace, by kind. */
  readonly names: Readonly<Record<string, string>>
  readonly cursors: readonly string[]
  /** Of /ext/v1, by the list they belong to. */
  readonly extCursors: Readonly<Record<string, string>>
}

async function settle(api: Api, number: number): Promise<Holder> {
  const canary = `canary${number}x${Math.random().toString(36).slice(2, 12)}`
  const figure = `9${String(number).padStart(3, '0')}${Math.floor(Math.random() * 1e9)}`
  const tenant = await api.tenant({ name: `${canary} workspace` })
  await createMember(api.sql, tenant.id, { email: `${canary}@people.test`, role: 'viewer' })
  const company = { slug: `${canary}-company`, name: `${canary} Incorporated` }
  await createCompany(api.sql, tenant.id, company, { who: 'operator', fromAddress: null })
  const rows = ['a', 'b', 'c'].flatMap(code =>
    ['2023-12', '2024-03'].map(
      period =>
        `CUSTOM/${canary}-${code},${period},${figure}.${period.slice(-1)},2024-04-05,${canary} flag,${canary} name,${canary} unit\n`,
    ),
  )
  await tenant.import(`series,period,value,published,flag,name,unit\n${rows.join('')}`)
  for (const slug of ['one', 'two'])
    await tenant.apply(`slug: ${canary}-${slug}
name: ${canary} agreement
description: ${canary} description
status: ACTIVE
contract: { start: 2024-01-01, end: 2024-06-30, frequency: QUARTERLY }
inputs: { ${canary}: { series: CUSTOM/${canary}-a, weight: 1, base: 2023-12, lag: 1 month } }
clause: {}
parties: { supplier: ${slug === 'one' ? '[sam@supplier.test]' : company.slug} }`)
  const money = await withMoney(tenant)
  const list = `item,price,currency,unit,erp_MATNR\n${canary}-item,${figure}.25,EUR,piece,${canary}\n`
  for (const slug of ['one', 'two']) await applyList(tenant, `${canary}-${slug}`, list)
  await tenant.signBoth(`${canary}-one`, '2024-Q2')
  const line = { agreement: `${canary}-one`, item: `${canary}-item`, quantity: '1', unitPrice: `${figure}.5` }
  const invoices = ['1', '2'].map(number => ({
    ...line,
    invoice: `${canary}-invoice`,
    line: number,
    date: '2024-05-10',
  }))
  await keepLines(tenant, invoices)
  const correction = await correct(tenant, canary, figure)
  const cursorOf = async (list: string) =>
    (await tenant.json<{ pagination: { nextCursor: string } }>(`${list}?limit=1`)).pagination.nextCursor
  const { data } = await tenant.json<{ data: { id: string }[] }>('/pams')
  const { hash } = await tenant.json<{ hash: string }>(`/pams/${canary}-one/adjustment/receipt`)
  return {
    tenant,
    money,
    canaries: [canary, figure],
    names: {
      series: await tenant.seriesId(`CUSTOM/${canary}-a`),
      pam: data[0]!.id,
      slug: `${canary}-one`,
      key: tenant.keyId,
      workspace: tenant.id,
      code: encodeURIComponent(`CUSTOM/${canary}-a`),
      hash,
      item: `${canary}-item`,
      invoice: `${canary}-invoice`,
      correction,
    },
    cursors: [await cursorOf('/series'), await cursorOf('/pams')],
    extCursors: Object.fromEntries(
      await Promise.all(
        extLists.map(async list => {
          const path = `${list}${list.includes('?') ? '&' : '?'}limit=1`
          const { pagination } = await money.extJson<{ pagination: { nextCursor: string } }>(path)
          return [list, pagination.nextCursor] as const
        }),
      ),
    ),
  }
}

/** A revision of what was signed, and a correction that both have signed and that is billed. Its id. */
async function correct(tenant: Tenant, canary: string, figure: string): Promise<string> {
  const { api, id: workspaceId } = tenant
  const seal = new Seal(api.ring)
  await tenant.import(
    `series,period,value,version,published\nCUSTOM/${canary}-a,2024-03,${figure}.9,REVISED,2024-08-13\n`,
  )
  const request = { workspaceId, agreement: `${canary}-one`, reason: `${canary} reason`, by }
  const { id, hash } = (await proposeCorrection(api.sql, seal, request)).correction
  for (const [party, email] of [
    ['buyer', buyer],
    ['supplier', supplier],
  ] as const)
    await signCorrection(api.sql, seal, {
      workspaceId,
      id,
      party,
      email,
      hash,
      proof: { means: 'OPERATOR' } as const,
      fromAddress: null,
    })
  const document = { number: `${canary}-note`, date: parseDay('2024-09-01')!, write: () => canary }
  await noteCorrection(api.sql, seal, { workspaceId, id, by, ...document })
  return id
}

const extLists = [
  '/series',
  '/adjustments',
  '/changes',
  '/vintages',
  '/prices?date=2024-05-10',
  '/invoices',
  '/radar',
] as const

/** What /ext/v1 takes names in. */
const extRoutesOf = (name: string) => [
  `/adjustments?ids=${name}`,
  `/values?series=${name}`,
  `/pams/${name}/prices`,
  `/invoices?pam=${name}`,
  `/invoices/${name}/${name}`,
  `/invoices/${name}/${name.replace(/-(?:one|item)$/, '-invoice')}`,
  `/radar?pam=${name}`,
  `/pams/${name}/ledger`,
  `/pams/${name}/settled`,
  `/pams/${name}/settled?period=2024-Q2`,
  `/pams/${name}/corrections`,
  `/corrections/${name}`,
  `/corrections/${name}/receipt`,
]

const routesOf = (name: string) => [
  `/series/${name}/values`,
  `/series/${name}/vintages`,
  `/pams/${name}`,
  `/pams/${name}/values`,
  `/pams/${name}/adjustment`,
  `/pams/${name}/adjustment?view=calculation&period=2024-Q2`,
  `/pams/${name}/adjustment/receipt`,
]

interface Asked {
  readonly path: string
  readonly reply: Reply
}

/** What begins like this name and names nothing. */
const unusedLike = (name: string) => `${name.slice(0, 4)}00000000000000000000000000`

const wholeOf = ({ status, rawHeaders, text }: Reply) => `${status}\n${rawHeaders.join('\n')}\n${text}`

class Matrix {
  readonly #holders: readonly Holder[]
  /** Answers about names that nobody has: the names of several things and workspaces begin alike. */
  readonly #never = new Map<string, Promise<Asked[]>>()
  readonly failures: string[] = []
  asked = 0

  constructor(holders: readonly Holder[]) {
    this.#holders = holders
  }

  /** What a workspace sees of its own: all of it, and nothing of another. */
  async own(holder: Holder): Promise<void> {
    const paths = [
      '/series',
      '/pams',
      ...routesOf(holder.names.series!).slice(0, 2),
      ...routesOf(holder.names.pam!).slice(2),
    ]
    for (const path of paths) {
      const reply = await holder.tenant.get(path)
      this.#look(holder, path, reply)
      if (reply.status !== 200 || !holder.canaries.some(canary => reply.text.includes(canary)))
        if (!path.endsWith('/values') || reply.status !== 200)
          this.failures.push(`${path}: its own answer is ${reply.status}`)
    }
  }

  /** The same of /ext/v1, as JSON and as CSV: everything from the beginning is its own. */
  async ownExt(holder: Holder): Promise<void> {
    const { series, code, slug, correction } = holder.names
    const paths = [
      '/series',
      '/adjustments',
      '/changes?from=start',
      '/vintages?from=start',
      `/series?code=${code}`,
      `/values?series=${series}`,
      `/adjustments?ids=${slug}`,
      '/prices?date=2024-05-10',
      `/pams/${slug}/prices`,
      '/invoices',
      `/invoices?pam=${slug}`,
      `/invoices/${slug}/${holder.names.invoice}`,
      '/radar',
      `/radar?pam=${slug}`,
      `/pams/${slug}/ledger`,
      `/pams/${slug}/corrections`,
      `/corrections/${correction}`,
      `/corrections/${correction}/receipt`,
      `/pams/${slug}/settled?period=2024-Q2`,
    ]
    for (const path of paths)
      for (const accept of ['application/json', 'text/csv']) {
        const reply = await holder.money.ext(path, { headers: { accept } })
        this.#look(holder, path, reply)
        if (reply.status !== 200 || !holder.canaries.some(canary => reply.text.includes(canary)))
          this.failures.push(`${path} as ${accept}: its own answer is ${reply.status}`)
      }
  }

  /** Names, cursors and searches of another workspace in /ext/v1. */
  async acrossExt(holder: Holder, other: Holder): Promise<void> {
    for (const [kind, name] of Object.entries(other.names)) {
      const never = await this.#once(holder, extRoutesOf(unusedLike(name)), paths => this.#askExt(holder, paths))
      const theirs = await this.#askExt(holder, extRoutesOf(name))
      theirs.forEach(({ path, reply }, i) => {
        this.#look(holder, path, reply)
        if (reply.status !== 404 || reply.text !== never[i]!.reply.text)
          this.failures.push(`${kind} ${path}: ${reply.status} ${reply.text}`)
      })
    }
    for (const list of extLists)
      for (const cursor of Object.values(other.extCursors))
        for (const { path, reply } of await this.#askExt(holder, [
          `${list}${list.includes('?') ? '&' : '?'}limit=1&cursor=${cursor}`,
        ])) {
          this.#look(holder, path, reply)
          if (reply.status !== 400) this.failures.push(`${path}: ${reply.status}`)
        }
    for (const { path, reply } of await this.#askExt(holder, [
      `/series?code=${other.names.code}`,
      `/series?q=${other.canaries[0]}`,
      `/prices?from=2024-01-01&item=${other.names.item}`,
    ])) {
      this.#look(holder, path, reply)
      if (reply.status !== 200 || !reply.text.startsWith('{"data":[]'))
        this.failures.push(`${path}: ${reply.status} ${reply.text}`)
    }
  }

  /** A check that names agreement, item and reference of another workspace: as for names that nobody has. */
  async checkAcross(holder: Holder, other: Holder): Promise<void> {
    const { slug, pam: agreement, item } = other.names
    const lines = (agreement: string, id: string, key: string) =>
      [{ agreement }, { agreement: id }, { contractRef: agreement }, { item: key }, { agreement, item: key }].map(
        (names, i) => ({ invoice: '1', line: `${i}`, quantity: '1', unitPrice: '1', date: '2024-05-10', ...names }),
      )
    const ask = (sent: object[]) =>
      holder.money.ext('/check', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ lines: sent }),
      })
    const theirs = await ask(lines(slug!, agreement!, item!))
    const never = await ask(lines('never', 'never-id', 'never-item'))
    const blank = (text: string, names: readonly string[]) =>
      names.reduce((left, name) => left.replaceAll(name, '?'), text)
    const unnamed = blank(theirs.text, [item!, slug!, agreement!])
    this.asked++
    if (theirs.status !== 200 || unnamed !== blank(never.text, ['never-item', 'never-id', 'never']))
      this.failures.push(`check: ${theirs.status} ${unnamed}`)
    this.#look(holder, 'check', { ...theirs, text: unnamed })
  }

  /** What a workspace sees of another: nothing, with the same bytes as for something that does not exist. */
  async across(holder: Holder, other: Holder): Promise<void> {
    for (const [kind, name] of Object.entries(other.names)) {
      const never = await this.#once(holder, routesOf(unusedLike(name)), paths => this.#ask(holder, paths))
      const theirs = await this.#ask(holder, routesOf(name))
      theirs.forEach(({ path, reply }, i) => {
        this.#look(holder, path, reply)
        if (reply.status !== 404 || reply.text !== never[i]!.reply.text)
          this.failures.push(`${kind} ${path}: ${reply.status} ${reply.text}`)
      })
    }
    for (const cursor of other.cursors)
      for (const { path, reply } of await this.#ask(holder, [`/series?cursor=${cursor}`, `/pams?cursor=${cursor}`])) {
        this.#look(holder, path, reply)
        if (reply.status !== 400) this.failures.push(`${path}: ${reply.status}`)
      }
  }

  #once(
    { tenant }: Holder,
    paths: readonly string[],
    ask: (paths: readonly string[]) => Promise<Asked[]>,
  ): Promise<Asked[]> {
    const name = [tenant.id, ...paths].join(' ')
    const asked = this.#never.get(name) ?? ask(paths)
    this.#never.set(name, asked)
    return asked
  }

  async #ask(holder: Holder, paths: readonly string[]): Promise<Asked[]> {
    return Promise.all(paths.map(async path => ({ path, reply: await holder.tenant.get(path) })))
  }

  async #askExt(holder: Holder, paths: readonly string[]): Promise<Asked[]> {
    return Promise.all(paths.map(async path => ({ path, reply: await holder.money.ext(path) })))
  }

  #look(holder: Holder, path: string, reply: Reply): void {
    this.asked++
    const whole = wholeOf(reply)
    for (const other of this.#holders)
      if (other !== holder && other.canaries.some(canary => whole.includes(canary)))
        this.failures.push(`${path}: a canary of another workspace in ${whole}`)
  }

  /** Names and figures must not be in a log; requested ids may be. */
  logs(log: readonly string[]): void {
    for (const line of log)
      for (const { canaries, names } of this.#holders)
        for (const canary of canaries) {
          const withoutPath = line.replace(/"path":"[^"]*"/, '')
          if (withoutPath.includes(canary)) this.failures.push(`a canary in the log: ${line} (${names.workspace})`)
        }
  }
}

export async function crossTenants(
  api: Api,
  workspaces: number,
): Promise<{ asked: number; failures: readonly string[] }> {
  const holders: Holder[] = []
  for (let i = 0; i < workspaces; i++) holders.push(await settle(api, i))
  const matrix = new Matrix(holders)
  for (const holder of holders) {
    await matrix.own(holder)
    await matrix.ownExt(holder)
  }
  for (const holder of holders)
    for (const other of holders.filter(each => each !== holder)) {
      await matrix.across(holder, other)
      await matrix.acrossExt(holder, other)
      await matrix.checkAcross(holder, other)
    }
  matrix.logs(api.log)
  return { asked: matrix.asked, failures: matrix.failures }
}
