// Everything that somebody may try to do to the money of an agreement: on its pages, and by commands of an operator.
import { type Party, parties as partyNames } from '../../../src/core/parties.ts'
import { startLabel } from '../../../src/core/prices/price-list.ts'
import type { AdjustmentPage } from '../../../src/views/shapes/agreements.ts'
import type { CorrectionPage, DueCorrections } from '../../../src/views/shapes/true-up.ts'
import {
  type AgreedHouse,
  agreedDocument,
  agreedParties,
  agreedSlug,
  companies,
  keptOf,
  revisedMarch,
  signProposal,
  signThrough,
} from '../houses/agreed-house.ts'
import { type Browser, type ConsoleReply, emails, linesOf } from '../houses/console.ts'
import type { PricedChanges } from '../houses/price-house.ts'

/** What came of an act. */
export interface Done {
  readonly isDone: boolean
  /** Whether whoever tried it may do nothing of the kind. */
  readonly isForbidden: boolean
  readonly said: string
}

/**
 * Whose an act is once both signed a number: `CONTRACT` leaves it to both by `change: BOTH`, without which one side does it alone;
 * `EVER` leaves it to both under any contract.
 */
type ForBoth = 'CONTRACT' | 'EVER'

export interface Act {
  readonly name: string
  /** Null where one side does it alone under any contract. */
  readonly forBoth: ForBoth | null
  readonly onPage?: (browser: Browser, house: AgreedHouse) => Promise<ConsoleReply>
  readonly byCommand?: (house: AgreedHouse) => Promise<readonly string[]>
}

/** Null where there is no such way to do it. */
export async function perform(act: Act, by: Browser | 'operator', house: AgreedHouse): Promise<Done | null> {
  if (by === 'operator') {
    if (act.byCommand === undefined) return null
    const { status, out, err } = await house.command(await act.byCommand(house))
    return { isDone: status === 0, isForbidden: false, said: `${out}${err}` }
  }
  if (act.onPage === undefined) return null
  const reply = await act.onPage(by, house)
  const isFile = reply.headers['content-type'] === 'application/x-ndjson'
  const end = isFile ? linesOf<{ readonly isDone?: boolean }>(reply).at(-1) : undefined
  return {
    isDone: reply.status < 300 && (!isFile || end?.isDone === true),
    isForbidden: reply.status === 403 || reply.status === 404,
    said: reply.text,
  }
}

const page = `/agreements/${agreedSlug}`

type MakeText = (house: AgreedHouse) => string

const changed = (name: string, { contract = '', ...changes }: PricedChanges): readonly [string, MakeText] => [
  name,
  ({ terms }) => agreedDocument({ contract: `${terms}${contract}`, ...changes }),
]

const money = (amount: string, dp = 2) => `{ amount: ${amount}, currency: EUR, unit: piece, round: { dp: ${dp} } }`

/** From a day on; the index counts from the value of a month. */
function restarted(name: string, { from, base, amount }: { from: string; base: string; amount: string }) {
  const restart = { price: money(amount), contract: '  restart: true\n', more: `effectiveFrom: ${from}\n` }
  const [, text] = changed(name, restart)
  return [name, (house: AgreedHouse) => text(house).replace('base: 2023-12', `base: ${base}`)] as const
}

/** Documents that compute, bill or name other parties. */
const otherTerms: readonly (readonly [string, MakeText])[] = [
  changed('another clause', { clause: '{ cap: { periodPct: 1 } }' }),
  restarted('half the price', { from: '2024-05-01', base: '2023-12', amount: '6.20' }),
  restarted('a restart', { from: '2024-05-01', base: '2024-03', amount: '6' }),
  restarted('a restart before what both signed', { from: '2024-02-01', base: '2023-12', amount: '5' }),
  changed('another rounding', { price: money('12.40', 0) }),
  changed('an end before its next date', { end: '2024-06-30' }),
  changed('an earlier end', { end: '2024-09-30' }),
  changed('a later end', { end: '2025-12-31' }),
  changed('a later start', { start: '2024-03-01' }),
  changed('another price date', { contract: '  priceDate: INVOICE\n' }),
  changed('prices shared out by days', { contract: '  prorate: DAYS\n' }),
  changed('another reference', { contract: '  references: [PO-7]\n' }),
  changed('another supplier', { parties: agreedParties('former') }),
  changed('no parties', { parties: '{}' }),
  changed('another way to sign', { parties: agreedParties('own', ', signWith: [passkey]') }),
  changed('another policy of corrections', { more: 'corrections: { when: FINAL }\n' }),
  changed('a least correction', { more: 'corrections: { when: EACH, min: { amount: 1000, below: WAIVE } }\n' }),
  ['another series', house => agreedDocument({ contract: house.terms }).replace('CUSTOM/steel', 'CUSTOM/other')],
]

const changesByOneSide: MakeText = () => agreedDocument({ contract: '' })

/** Documents whose prices are the same. */
const otherDescriptions: readonly (readonly [string, MakeText])[] = [
  [
    'another name',
    ({ terms }) => agreedDocument({ contract: terms }).replace(`name: ${agreedSlug}`, 'name: Other brackets'),
  ],
  ...(['DRAFT', 'SUSPENDED', 'EXPIRED', 'ARCHIVED', 'ACTIVE'] as const).map(status =>
    changed(`the status ${status}`, { status }),
  ),
]

/** An amendment is signed by both under any contract. */
function documentActs(name: string, text: MakeText, forBoth: ForBoth | null): readonly Act[] {
  return [
    {
      name: `a document with ${name}`,
      forBoth,
      onPage: async (browser, house) => {
        const { versions } = await keptOf(house)
        return browser.post('/agreements', { text: text(house), basedOn: versions.at(-1)!.version })
      },
      byCommand: async house => ['agreement', 'apply', await house.file('document.yaml', text(house))],
    },
    {
      name: `an amendment with ${name}`,
      forBoth: forBoth === null ? null : 'EVER',
      onPage: (browser, house) => browser.post(`${page}/amendments`, { text: text(house), reason: 'because' }),
    },
  ]
}

interface FileAct {
  readonly name: string
  readonly forBoth?: ForBoth | null
  readonly kind: string
  readonly table: (house: AgreedHouse) => string
  readonly query?: Readonly<Record<string, string>>
  readonly command?: (path: string) => readonly string[]
}

function fileAct({ name, forBoth = null, kind, table, query = {}, command }: FileAct): Act {
  return {
    name,
    forBoth,
    onPage: (browser, house) => {
      const asked = new URLSearchParams({ file: 'a.csv', mode: 'import', kind, ...query })
      return browser.upload(`/import?${asked}`, table(house))
    },
    ...(command !== undefined && {
      byCommand: async (house: AgreedHouse) => command(await house.file(`${kind}.csv`, table(house))),
    }),
  }
}

/** Before the first open period it changes what both signed: that is left to both under any contract. */
const listFrom = (from: string | null, price: number) =>
  fileAct({
    name: `a price list from ${from ?? 'the first open period'}`,
    kind: 'prices',
    forBoth: from === startLabel || from === '2024-Q2' ? 'EVER' : 'CONTRACT',
    table: ({ item }) => `item,price,currency,unit\n${item === agreedSlug ? 'B' : item},${price},EUR,piece\n`,
    query: { agreement: agreedSlug, ...(from !== null && { from }) },
    command: path => ['prices', 'apply', agreedSlug, path, ...(from === null ? [] : ['--from', from])],
  })

const quantityOf = (period: string, forBoth: ForBoth | null) =>
  fileAct({
    name: `a quantity of ${period}`,
    forBoth,
    kind: 'quantities',
    table: ({ item }) => `agreement,item,period,quantity\n${agreedSlug},${item},${period},7\n`,
    command: path => ['quantity', 'import', path],
  })

const linesIn = (date: string, invoice: string) =>
  fileAct({
    name: `a line of ${date}`,
    kind: 'invoices',
    table: ({ item }) =>
      `invoice,line,agreement,item,quantity,unit,amount,currency,date\n${invoice},1,${agreedSlug},${item},3,box,1,EUR,${date}\n`,
    command: path => ['invoice', 'import', path],
  })

const speaker = { buyer: emails.buyer, supplier: emails.supplier } as const
const nobody = 'none'

const newestChange = async (house: AgreedHouse) => (await keptOf(house)).changes.at(-1)
const newestCorrection = async ({ api, tenant }: AgreedHouse) => {
  const [row] = await api.owner<{ id: string }[]>`
    select id from correction where workspace_id = ${tenant.id} order by seq desc limit 1`
  return row?.id ?? nobody
}

const proposalActs: readonly Act[] = partyNames.flatMap((party): Act[] => {
  const as = ['--party', party, '--as', speaker[party]]
  return [
    {
      forBoth: null,
      name: `a signature of a correction as ${party}`,
      onPage: async (browser, house) => signProposal(browser, party, 'corrections', await newestCorrection(house)),
      byCommand: async house => ['correction', 'sign', await newestCorrection(house), ...as],
    },
    {
      forBoth: null,
      name: `a signature of a change as ${party}`,
      onPage: async (browser, house) =>
        signProposal(browser, party, 'terms-changes', (await newestChange(house))?.id ?? nobody),
      byCommand: async house => ['splice', 'sign', (await newestChange(house))?.id ?? nobody, ...as],
    },
    ...['2024-Q2', '2024-Q3', '2024-Q4'].map(
      (period): Act => ({
        forBoth: null,
        name: `a signature of ${period} as ${party}`,
        onPage: browser => signThrough(browser, party, period),
        byCommand: async () => ['agreement', 'sign', agreedSlug, '--period', period, ...as],
      }),
    ),
    {
      forBoth: null,
      name: `a refusal of a change as ${party}`,
      onPage: async (browser, house) =>
        browser.post(`/terms-changes/${(await newestChange(house))?.id ?? nobody}/refuse`, {
          hash: null,
          reason: 'no',
        }),
      byCommand: async house => {
        return ['splice', 'refuse', (await newestChange(house))?.id ?? nobody, ...as, '--reason', 'no']
      },
    },
    {
      forBoth: null,
      name: `a refusal of a correction as ${party}`,
      onPage: async (browser, house) => {
        const id = await newestCorrection(house)
        const shown = await browser.get(`/corrections/${id}`)
        const hash = (shown.json as Partial<CorrectionPage>).correction?.hash ?? '0'.repeat(64)
        return browser.post(`/corrections/${id}/refuse`, { hash, reason: 'no' })
      },
      byCommand: async house => ['correction', 'refuse', await newestCorrection(house), ...as, '--reason', 'no'],
    },
    {
      forBoth: null,
      name: `a waiver as ${party}`,
      onPage: async (browser, house) => browser.post(`/corrections/${await newestCorrection(house)}/waive`),
      byCommand: async house => ['correction', 'waive', await newestCorrection(house), ...as],
    },
  ]
})

const periodPath = (period: string) => `${page}/periods/${period}`

/** On the number that stands there, said on the page; every answer and withdrawal is about the newest objection. */
async function speak(browser: Browser, period: string, what: 'object' | 'answer' | 'withdraw'): Promise<ConsoleReply> {
  const shown = await browser.get(periodPath(period))
  if (shown.status !== 200) return shown
  const { entry, objections } = shown.json as AdjustmentPage
  const path = `${periodPath(period)}/objections`
  if (what === 'object')
    return browser.post(path, { hash: entry.hash, about: { kind: 'number' }, reason: 'no', reading: null })
  const id = objections.list[0]?.id ?? nobody
  return browser.post(`${path}/${id}/${what === 'answer' ? 'answers' : 'withdraw'}`, { words: 'words' })
}

/** By an operator, for a side. */
function speakingActs(period: string): readonly Act[] {
  const newest = async (house: AgreedHouse) => (await keptOf(house)).objections.at(-1)?.id ?? nobody
  const said = { object: ['--period', period, '--reason', 'no'], answer: ['--words', 'words'], withdraw: [] }
  return (['object', 'answer', 'withdraw'] as const).flatMap(what => [
    { forBoth: null, name: `to ${what} in ${period}`, onPage: browser => speak(browser, period, what) },
    ...partyNames.map(
      (party): Act => ({
        forBoth: null,
        name: `to ${what} in ${period} as ${party}`,
        byCommand: async house => {
          const about = what === 'object' ? [] : ['--objection', await newest(house)]
          return ['agreement', what, agreedSlug, '--party', party, '--as', speaker[party], ...about, ...said[what]]
        },
      }),
    ),
  ])
}

/** What is due, by those who are offered it, else as nobody was shown it. */
async function proposeDue(browser: Browser, party: Party | null): Promise<ConsoleReply> {
  const { json } = await browser.get('/revisions/due')
  const [row] = (json as Partial<DueCorrections> | undefined)?.rows ?? []
  const [slug, hash] = [row?.slug ?? agreedSlug, row?.hash ?? '0'.repeat(64)]
  return browser.post('/revisions/propose', { agreements: [{ slug, hash, party }] })
}

/** Who is in the workspace, and of which company: those stand for a side whose company or address is named. */
const peopleActs: readonly Act[] = [
  ...(['supplier', 'former supplier'] as const).flatMap((person): Act[] => [
    ...[companies.own, companies.former, null].map(
      (company): Act => ({
        forBoth: null,
        name: `the ${person} put into ${company ?? 'no company'}`,
        onPage: async (browser, house) => browser.patch(`/people/${await house.idOf(person)}`, { party: company }),
      }),
    ),
  ]),
  {
    forBoth: null,
    name: 'the buyer made a viewer',
    onPage: async (browser, house) => browser.patch(`/people/${await house.idOf('buyer')}`, { role: 'viewer' }),
  },
  {
    forBoth: null,
    name: 'the buyer put into the company of the supplier',
    onPage: async (browser, house) =>
      browser.patch(`/people/${await house.idOf('buyer')}`, { role: 'supplier', party: companies.own }),
  },
  {
    forBoth: null,
    name: 'a colleague of the supplier invited',
    onPage: browser =>
      browser.post('/people', { email: 'new@fennel.test', name: 'New', role: 'supplier', party: companies.own }),
    byCommand: async () => ['user', 'create', 'other@fennel.test', '--role', 'supplier', '--party', companies.own],
  },
  {
    forBoth: null,
    name: 'the supplier removed',
    onPage: async (browser, house) => browser.delete(`/people/${await house.idOf('supplier')}`),
    byCommand: async () => ['user', 'remove', emails.supplier],
  },
]

const splice = {
  old: 'CUSTOM/steel',
  successor: 'CUSTOM/other',
  method: 'OVERLAP',
  ground: { kind: 'BY_HAND', sentence: 'The office stopped it.' },
}

let minutes = 10
const nextRevision = () => revisedMarch(`${90 + (++minutes % 40)}.50`, `${minutes % 60}`)

export const oneSidedActs: readonly Act[] = [
  ...otherTerms.flatMap(([name, text]) => documentActs(name, text, 'CONTRACT')),
  // Where one side changes the contract alone, this is what it says.
  ...documentActs('changes by one side', changesByOneSide, 'EVER'),
  ...[null, startLabel, '2024-Q2', '2024-Q3', '2024-Q4'].map((from, i) => listFrom(from, i + 1)),
  quantityOf('2024-Q2', 'CONTRACT'),
  quantityOf('2024-Q3', null),
  {
    name: 'a splice',
    forBoth: 'EVER',
    onPage: browser => browser.post(`${page}/splices`, splice),
    byCommand: async () => {
      const ends = ['--from', splice.old, '--to', splice.successor, '--method', splice.method]
      return ['splice', 'propose', agreedSlug, ...ends, '--reason', 'stopped']
    },
  },
  fileAct({
    name: 'another factor of units',
    kind: 'units',
    table: () => 'unit,other,factor\nbox,piece,20\n',
    command: () => ['unit', 'set', 'box', 'piece', '30'],
  }),
  fileAct({
    name: 'a factor the other way round',
    kind: 'units',
    table: () => 'unit,other,factor\npiece,box,0.02\n',
    command: () => ['unit', 'set', 'piece', 'box', '0.025'],
  }),
  fileAct({
    name: 'the factor of a pair that had none',
    kind: 'units',
    table: () => 'unit,other,factor\ncrate,box,4\n',
    command: () => ['unit', 'set', 'crate', 'piece', '7'],
  }),
  ...['0', '90', 'default'].map(
    (pct): Act => ({
      name: `the tolerance ${pct}`,
      forBoth: null,
      byCommand: async ({ workspace }) => ['workspace', 'set', workspace, '--price-tolerance', pct],
    }),
  ),
  linesIn('2024-05-12', '5001'),
  linesIn('2024-11-12', '5002'),
  fileAct({
    name: 'a revised figure',
    kind: 'observations',
    table: nextRevision,
    command: path => ['import', path],
  }),
  { forBoth: null, name: 'a reversed invoice', byCommand: async () => ['invoice', 'reverse', '4712'] },
  {
    forBoth: null,
    name: 'a proposed correction',
    onPage: browser => browser.post(`${page}/corrections`, { reason: null }),
    byCommand: async () => ['correction', 'propose', agreedSlug],
  },
  {
    forBoth: null,
    name: 'a correction by hand',
    onPage: browser => browser.post(`${page}/corrections`, { reason: 'by hand' }),
    byCommand: async () => ['correction', 'propose', agreedSlug, '--by-hand', '--reason', 'by hand'],
  },
  ...[null, ...partyNames].map(
    (party): Act => ({
      forBoth: null,
      name: `what is due proposed${party === null ? '' : `, signed as ${party}`}`,
      onPage: browser => proposeDue(browser, party),
    }),
  ),
  {
    forBoth: null,
    name: 'a note',
    onPage: async (browser, house) =>
      browser.post(`/corrections/${await newestCorrection(house)}/note`, { number: 'N-1', date: '2024-09-01' }),
  },
  ...proposalActs,
  ...['2024-Q2', '2024-Q3'].flatMap(speakingActs),
  ...otherDescriptions.flatMap(([name, text]) => documentActs(name, text, null)),
  ...peopleActs,
]
