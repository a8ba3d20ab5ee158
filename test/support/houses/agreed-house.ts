// A contract whose terms both sides change, with everybody of both sides and everything that is kept about its money; and every
// price and amount of the periods that both signed.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { Seal } from '../../../src/agreements/seal.ts'
import { readLine } from '../../../src/core/invoices/invoice-line.ts'
import { type Party, parties as partyNames } from '../../../src/core/parties.ts'
import { startLabel } from '../../../src/core/prices/price-list.ts'
import { parseDay } from '../../../src/core/time/day.ts'
import { Library } from '../../../src/read/library.ts'
import { type AgreementHistory, loadAgreementHistory } from '../../../src/storage/agreements/agreements.ts'
import { loadQuantities } from '../../../src/storage/agreements/quantities.ts'
import { setUnits } from '../../../src/storage/agreements/units.ts'
import { changeMember } from '../../../src/storage/people/member-changes.ts'
import { withWorkspace } from '../../../src/storage/postgres/database.ts'
import { setPriceTolerance } from '../../../src/storage/workspaces/workspaces.ts'
import type { AdjustmentPage } from '../../../src/views/shapes/agreements.ts'
import { urlOf } from '../run/postgres.ts'
import { type Api, ownFolder, type Tenant } from './api.ts'
import { type Outcome, runCommand } from './command-house.ts'
import { type Browser, type ConsoleReply, emails, join, makeSeats, signIn } from './console.ts'
import { type PricedChanges, pricedDocument, steelPrices } from './price-house.ts'
import { applyListUnheard, declareQuantities, keepLinesUnheard } from './priced-tenant.ts'

/** What has been signed when the acts begin. */
export const stages = ['nothing', 'one side', 'both sides', 'both sides and halves'] as const
export type Stage = (typeof stages)[number]

export const people = ['owner', 'editor', 'buyer', 'supplier', 'viewer', 'administrator', 'former supplier'] as const
export type Person = (typeof people)[number]

export const agreedSlug = 'steel-brackets'
export const companies = { own: 'fennel-forge', former: 'pepper-haulage' } as const
const administrator = 'fay@fennel.test'
const former = 'pia@pepper.test'
const today = () => parseDay(new Date().toISOString().slice(0, 10))!

/** The contract as it stands, or with something else in it. */
export function agreedDocument({ contract, more = '', ...changes }: PricedChanges = {}): string {
  return pricedDocument({
    parties: agreedParties('own'),
    contract: contract ?? changedByBoth,
    more: more.includes('corrections:') ? more : `corrections: { when: EACH }\n${more}`,
    ...changes,
  })
}

export const agreedParties = (supplier: keyof typeof companies, more = '') =>
  `{ buyer: [${emails.buyer}], supplier: ${companies[supplier]}${more} }`

export interface AgreedHouse {
  readonly api: Api
  readonly tenant: Tenant
  /** Its slug. */
  readonly workspace: string
  /** What the contract says of who changes it: `contract.change: BOTH`, or nothing. */
  readonly terms: string
  /** The key of what is sold. */
  readonly item: string
  readonly browsers: Readonly<Record<Person, Browser>>
  idOf(person: Person): Promise<string>
  /** What an operator's command ends with. */
  command(words: readonly string[]): Promise<Outcome>
  /** The path of a new file. */
  file(name: string, content: string): Promise<string>
}

export const changedByBoth = '  change: BOTH\n'

export async function openAgreedHouse(api: Api, stage: Stage, terms = changedByBoth): Promise<AgreedHouse> {
  const { tenant, as, slug } = await makeSeats(api)
  const browsers = { ...as, administrator: as.supplier, 'former supplier': as.supplier }
  for (const [company, person, email] of [
    [companies.former, 'former supplier', former],
    [companies.own, 'administrator', administrator],
  ] as const) {
    await good(as.editor.post('/parties', { slug: company, name: company }))
    const id = await join(api, tenant.id, email, 'supplier')
    await good(as.owner.patch(`/people/${id}`, { party: company }))
    browsers[person] = await signIn(api, email, slug)
  }
  const staff = await as.owner.json<readonly { id: string; email: string }[]>('/people')
  const supplierId = staff.find(({ email }) => email === emails.supplier)!.id
  // The administrator would let them in by a link; who has joined already is put in by the operator.
  await changeMember(api.sql, tenant.id, supplierId, { company: companies.own }, { who: 'operator', fromAddress: null })
  for (const browser of Object.values(browsers)) await browser.confirm()

  const folder = await mkdtemp(joinPath(tmpdir(), 'assize-agreed-'))
  const env = { DATABASE_URL: urlOf(api.target), ASSIZE_SECRET: api.secret, ...ownFolder() }
  const hasList = stage !== 'both sides and halves'
  const house: AgreedHouse = {
    api,
    tenant,
    workspace: slug,
    terms,
    browsers,
    item: hasList ? 'A' : agreedSlug,
    async idOf(person) {
      const [row] = await api.owner<{ id: string }[]>`select id from person where email = ${emailOf(person)}`
      return row!.id
    },
    // A command about the workspace itself names it first.
    command: words => runCommand(words[0] === 'workspace' ? words : [...words, '--workspace', slug], env),
    async file(name, content) {
      const path = joinPath(folder, name)
      await writeFile(path, content)
      return path
    },
  }
  await furnish(house, hasList)
  await signUpTo(house, stage)
  return house
}

function emailOf(person: Person): string {
  if (person === 'administrator') return administrator
  return person === 'former supplier' ? former : emails[person]
}

async function furnish({ api, tenant, item, terms }: AgreedHouse, hasList: boolean): Promise<void> {
  await tenant.importUnheard(steelPrices)
  await tenant.importUnheard(
    'series,period,value,published\n' +
      ['2023-12', '2024-03', '2024-06', '2024-09'].map(period => `CUSTOM/other,${period},200,2024-01-15\n`).join(''),
  )
  await tenant.applyUnheard(agreedDocument({ contract: terms, parties: agreedParties('former') }))
  await tenant.applyUnheard(agreedDocument({ contract: terms }))
  if (hasList) await applyListUnheard(tenant, agreedSlug, 'item,price,currency,unit\nA,12.40,EUR,piece\n')
  await setUnits(api.sql, tenant.id, [{ unit: 'box', other: 'piece', factor: '10' }], emails.editor, async () => {})
  await setPriceTolerance(api.owner, tenant.id, '1')
  await declareQuantities(
    tenant,
    ['2024-Q2', '2024-Q3'].map(period => ({ agreement: agreedSlug, period, quantity: '100' })),
  )
  const line = { agreement: agreedSlug, item, line: '1', unit: 'piece', currency: 'EUR' }
  await keepLinesUnheard(tenant, [
    { ...line, invoice: '4711', quantity: '100', amount: '1269.00', date: '2024-05-10' },
    { ...line, invoice: '4712', quantity: '10', unit: 'box', amount: '1302.00', date: '2024-08-10' },
  ])
}

async function signUpTo(house: AgreedHouse, stage: Stage): Promise<void> {
  const { buyer, supplier, editor } = house.browsers
  const signed: Readonly<Record<Stage, readonly (readonly [Browser, Party, string])[]>> = {
    nothing: [],
    'one side': [[buyer, 'buyer', '2024-Q2']],
    'both sides': [
      [buyer, 'buyer', '2024-Q2'],
      [supplier, 'supplier', '2024-Q2'],
    ],
    'both sides and halves': [
      [buyer, 'buyer', '2024-Q3'],
      [supplier, 'supplier', '2024-Q2'],
    ],
  }
  for (const [browser, party, period] of signed[stage]) await good(signThrough(browser, party, period))
  await house.tenant.importUnheard(revisedMarch('103.10', '10'))
  if (stage !== 'both sides and halves') return
  const proposed = await good(editor.post(`/agreements/${agreedSlug}/corrections`, { reason: null }))
  await good(signProposal(buyer, 'buyer', 'corrections', (proposed.json as { id: string }).id))
  const path = await house.file('first.csv', 'item,price,currency,unit\nB,9,EUR,piece\n')
  const { status, out } = await house.command(['prices', 'apply', agreedSlug, path, '--from', startLabel, '--json'])
  if (status !== 0) throw new Error(out)
  const { changes } = await keptOf(house)
  await good(signProposal(supplier, 'supplier', 'terms-changes', changes.at(-1)!.id))
}

export const revisedMarch = (value: string, minute: string) =>
  `series,period,value,version,published\nCUSTOM/steel,2024-03,${value},REVISED,2024-08-13T10:${minute}:00Z\n`

async function good(asked: Promise<ConsoleReply>): Promise<ConsoleReply> {
  const reply = await asked
  if (reply.status >= 300) throw new Error(`${reply.status} ${reply.text}`)
  return reply
}

/** Signs what the page shows, or what it would show to the other side. */
export async function signThrough(browser: Browser, party: Party, period: string): Promise<ConsoleReply> {
  const path = `/agreements/${agreedSlug}/periods/${period}`
  const shown = await browser.get(path)
  if (shown.status !== 200) return shown
  const { entry, signing } = shown.json as AdjustmentPage
  const due = signing.periods.length > 0 ? signing.periods : [{ period, hash: entry.hash }]
  return browser.post(`${path}/sign`, { party, periods: due.map(each => ({ period: each.period, hash: each.hash })) })
}

type Proposals = 'corrections' | 'terms-changes'

export async function signProposal(browser: Browser, party: Party, of: Proposals, id: string): Promise<ConsoleReply> {
  const shown = await browser.get(`/${of}/${id}`)
  if (shown.status !== 200) return shown
  const { correction, change } = shown.json as Record<string, { readonly hash: string } | undefined>
  return browser.post(`/${of}/${id}/sign`, { party, hash: (correction ?? change)!.hash })
}

export async function keptOf({ api, tenant }: AgreedHouse): Promise<AgreementHistory> {
  return (await withWorkspace(api.sql, tenant.id, tx => loadAgreementHistory(tx, tenant.id, agreedSlug)))!
}

/** Every version of what the agreement says, and how much was bought: what an act that took effect has changed. */
export async function termsOf(house: AgreedHouse): Promise<readonly string[]> {
  const { api, tenant } = house
  const { id, versions, states, lists } = await keptOf(house)
  const bought = await withWorkspace(api.sql, tenant.id, tx => loadQuantities(tx, tenant.id, [id]))
  return [
    ...versions.map(({ version, documentText }) => `formula ${version}: ${documentText}`),
    ...states.map(({ name, status, parties, billing }) => JSON.stringify({ name, status, parties, billing })),
    ...lists.map(({ version, fromDate }) => `list ${version} from ${fromDate}`),
    ...bought.map(({ item, period, quantity }) => `${item} ${period} ${quantity}`),
  ]
}

/** Those that both have signed, by themselves. */
export async function agreedCorrections({ api, tenant }: AgreedHouse): Promise<number> {
  const [row] = await api.owner<{ count: number }[]>`
    select count(*)::int as count from (
      select correction_id from correction_signature where workspace_id = ${tenant.id}
      group by correction_id having count(distinct party) = 2) both_signed`
  return row!.count
}

/** Of which both signed the same number, and `start` once there is one. */
export async function agreedPeriods(house: AgreedHouse): Promise<ReadonlySet<string>> {
  const { signOffs } = await keptOf(house)
  const given = Map.groupBy(signOffs, ({ period, receiptHash }) => `${period} ${receiptHash}`)
  const agreed = [...given.values()].flatMap(each =>
    new Set(each.map(({ party }) => party)).size === partyNames.length ? each[0]!.period : [],
  )
  return new Set(agreed.length === 0 ? [] : [startLabel, ...agreed])
}

/** Every price of these periods, what lines of their days should cost, what was settled for them, and how much was bought. */
export async function moneyOf(house: AgreedHouse, periods: ReadonlySet<string>): Promise<readonly string[]> {
  if (periods.size === 0) return []
  const { api, tenant } = house
  const library = new Library(api.sql, 64 * 1024 * 1024, { seals: new Seal(api.ring).rows, report: () => {} })
  const time = { knownAt: null, until: today() }
  const rows = (await library.prices.rows(tenant.id, agreedSlug, time)).filter(({ row }) => periods.has(row.period))
  const lines = rows.flatMap(({ row: { item, validFrom, validTo } }) =>
    [validFrom, validTo].flatMap(date => ['piece', 'box'].map(unit => ({ item, date, unit }))),
  )
  const asked = lines.map((each, i) =>
    readLine(i + 1, { ...each, invoice: 'probe', line: `${i}`, agreement: agreedSlug, quantity: '1', amount: '12.70' }),
  )
  const { data } = await library.prices.check(tenant.id, asked, time)
  const { presentedLedger } = (await library.trueUps.find(tenant.id, agreedSlug, time))!
  const settled = presentedLedger.entries.filter(({ period }) => periods.has(period ?? ''))
  const { id } = await keptOf(house)
  const bought = await withWorkspace(api.sql, tenant.id, tx => loadQuantities(tx, tenant.id, [id]))
  return [
    ...rows.map(({ row: { item, period, price, factor, status, receiptHash } }) =>
      [item, period, price, factor, status, receiptHash].join(' '),
    ),
    ...data.map(({ outcome, amount }, i) => `${lines[i]!.date} ${lines[i]!.unit} ${outcome} ${amount}`),
    ...settled.map(each => JSON.stringify([each.event, each.subject, each.period, each.item, each.legs])),
    ...bought.flatMap(({ item, period, quantity }) => (periods.has(period) ? `${item} ${period} ${quantity}` : [])),
  ]
}
