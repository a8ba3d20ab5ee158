// Everything that somebody may try to do to the money of an agreement: on its pages, and by commands of an operator.
import { parties as partyNames } from '../../../src/core/parties.ts'
import { startLabel } from '../../../src/core/prices/price-list.ts'
import type { AdjustmentPage } from '../../../src/views/shapes/agreements.ts'
import type { CorrectionPage } from '../../../src/views/shapes/true-up.ts'
import {
  type AgreedHouse,
  agreedDocument,
  agreedParties,
  agreedSlug,
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
  readonly said: string
}

export interface Act {
  readonly name: string
  /** Whether it is left to both once both signed a number. */
  readonly isForBoth?: boolean
  readonly onPage?: (browser: Browser, house: AgreedHouse) => Promise<ConsoleReply>
  readonly byCommand?: (house: AgreedHouse) => Promise<readonly string[]>
}

/** Null where there is no such way to do it. */
export async function perform(act: Act, by: Browser | 'operator', house: AgreedHouse): Promise<Done | null> {
  if (by === 'operator') {
    if (act.byCommand === undefined) return null
    const { status, out, err } = await house.command(await act.byCommand(house))
    return { isDone: status === 0, said: `${out}${err}` }
  }
  if (act.onPage === undefined) return null
  const reply = await act.onPage(by, house)
  const isFile = reply.headers['content-type'] === 'application/x-ndjson'
  const end = isFile ? linesOf<{ readonly isDone?: boolean }>(reply).at(-1) : undefined
  return { isDone: reply.status < 300 && (!isFile || end?.isDone === true), said: reply.text }
}

const page = `/agreements/${agreedSlug}`
const both = '  change: BOTH\n'

const restarted = () =>
  agreedDocument({
    price: '{ amount: 6, currency: EUR, unit: piece, round: { dp: 2 } }',
    contract: `${both}  restart: true\n`,
    more: 'effectiveFrom: 2024-05-01\n',
  }).replace('base: 2023-12', 'base: 2024-03')

const changed = (name: string, changes: PricedChanges) => [name, () => agreedDocument(changes)] as const

/** Documents that compute, bill or name other parties. */
const otherTerms = [
  changed('another clause', { clause: '{ cap: { periodPct: 1 } }' }),
  changed('another price', { price: '{ amount: 6.20, currency: EUR, unit: piece, round: { dp: 2 } }' }),
  changed('another rounding', { price: '{ amount: 12.40, currency: EUR, unit: piece, round: { dp: 0 } }' }),
  changed('an earlier end', { end: '2024-05-31' }),
  changed('a later start', { start: '2024-03-01' }),
  changed('another price date', { contract: `${both}  priceDate: INVOICE\n` }),
  changed('changes by one side', { contract: '' }),
  changed('another supplier', { parties: agreedParties('former') }),
  changed('no parties', { parties: '{}' }),
  changed('another way to sign', { parties: agreedParties('own', ', signWith: PASSKEY') }),
  changed('another policy of corrections', { more: 'corrections: { when: FINAL }\n' }),
  changed('a least correction', { more: 'corrections: { when: EACH, min: { amount: 1000 } }\n' }),
  ['a restart', restarted],
  ['another series', () => agreedDocument().replace('CUSTOM/steel', 'CUSTOM/other')],
] as const

/** Documents whose prices are the same. */
const otherDescriptions = [
  ['another name', () => agreedDocument().replace(`name: ${agreedSlug}`, 'name: Other brackets')],
  ...(['DRAFT', 'SUSPENDED', 'EXPIRED', 'ARCHIVED', 'ACTIVE'] as const).map(status =>
    changed(`the status ${status}`, { status }),
  ),
] as const

function documentActs(name: string, text: () => string, isForBoth: boolean): Act[] {
  return [
    {
      name: `a document with ${name}`,
      isForBoth,
      onPage: async (browser, house) => {
        const { formulas } = await keptOf(house)
        return browser.post('/agreements', { text: text(), basedOn: formulas.at(-1)!.version })
      },
      byCommand: async house => ['agreement', 'apply', await house.file('document.yaml', text())],
    },
    {
      name: `an amendment with ${name}`,
      isForBoth,
      onPage: browser => browser.post(`${page}/amendments`, { text: text(), reason: 'because' }),
    },
  ]
}

interface FileAct {
  readonly name: string
  readonly isForBoth?: boolean
  readonly kind: string
  readonly table: (house: AgreedHouse) => string
  readonly query?: Readonly<Record<string, string>>
  readonly command?: (path: string) => readonly string[]
}

function fileAct({ name, isForBoth = false, kind, table, query = {}, command }: FileAct): Act {
  return {
    ...{ name, isForBoth },
    onPage: (browser, house) => {
      const asked = new URLSearchParams({ file: 'a.csv', mode: 'import', kind, ...query })
      return browser.upload(`/import?${asked}`, table(house))
    },
    ...(command !== undefined && {
      byCommand: async (house: AgreedHouse) => command(await house.file(`${kind}.csv`, table(house))),
    }),
  }
}

const listFrom = (from: string | null) =>
  fileAct({
    ...{ name: `a price list from ${from ?? 'the first open period'}`, isForBoth: true, kind: 'prices' },
    table: ({ item }) => `item,price,currency,unit\n${item === agreedSlug ? 'B' : item},1,EUR,piece\n`,
    query: { agreement: agreedSlug, ...(from !== null && { from }) },
    command: path => ['prices', 'apply', agreedSlug, path, ...(from === null ? [] : ['--from', from])],
  })

const quantityOf = (period: string, isForBoth: boolean) =>
  fileAct({
    ...{ name: `a quantity of ${period}`, isForBoth, kind: 'quantities' },
    table: ({ item }) => `agreement,item,period,quantity\n${agreedSlug},${item},${period},7\n`,
    command: path => ['quantity', 'import', path],
  })

const linesIn = (date: string, invoice: string) =>
  fileAct({
    ...{ name: `a line of ${date}`, kind: 'invoices' },
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
      name: `a signature of a correction as ${party}`,
      onPage: async (browser, house) => signProposal(browser, party, 'corrections', await newestCorrection(house)),
      byCommand: async house => ['correction', 'sign', await newestCorrection(house), ...as],
    },
    {
      name: `a signature of a change as ${party}`,
      onPage: async (browser, house) =>
        signProposal(browser, party, 'terms-changes', (await newestChange(house))?.id ?? nobody),
      byCommand: async house => ['splice', 'sign', (await newestChange(house))?.id ?? nobody, ...as],
    },
    ...['2024-Q2', '2024-Q3', '2024-Q4'].map(
      (period): Act => ({
        name: `a signature of ${period} as ${party}`,
        onPage: browser => signThrough(browser, party, period),
        byCommand: async () => ['agreement', 'sign', agreedSlug, '--period', period, ...as],
      }),
    ),
    {
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

const splice = {
  ...{ old: 'CUSTOM/steel', successor: 'CUSTOM/other', method: 'OVERLAP' },
  ground: { kind: 'BY_HAND', sentence: 'The office stopped it.' },
}

let minutes = 10
const nextRevision = () => revisedMarch(`${90 + (++minutes % 40)}.50`, `${minutes % 60}`)

export const oneSidedActs: readonly Act[] = [
  ...otherTerms.flatMap(([name, text]) => documentActs(name, text, true)),
  ...[null, startLabel, '2024-Q2', '2024-Q3', '2024-Q4'].map(listFrom),
  quantityOf('2024-Q2', true),
  quantityOf('2024-Q3', false),
  {
    name: 'a splice',
    isForBoth: true,
    onPage: browser => browser.post(`${page}/splices`, splice),
    byCommand: async () => {
      const ends = ['--from', splice.old, '--to', splice.successor, '--method', splice.method]
      return ['splice', 'propose', agreedSlug, ...ends, '--reason', 'stopped']
    },
  },
  fileAct({
    ...{ name: 'another factor of units', kind: 'units', table: () => 'unit,other,factor\nbox,piece,20\n' },
    command: () => ['unit', 'set', 'box', 'piece', '30'],
  }),
  linesIn('2024-05-12', '5001'),
  linesIn('2024-11-12', '5002'),
  fileAct({
    ...{ name: 'a revised figure', kind: 'observations', table: nextRevision },
    command: path => ['import', path],
  }),
  { name: 'a reversed invoice', byCommand: async () => ['invoice', 'reverse', '4712'] },
  {
    name: 'a proposed correction',
    onPage: browser => browser.post(`${page}/corrections`, { reason: null }),
    byCommand: async () => ['correction', 'propose', agreedSlug],
  },
  {
    name: 'a correction by hand',
    onPage: browser => browser.post(`${page}/corrections`, { reason: 'by hand' }),
    byCommand: async () => ['correction', 'propose', agreedSlug, '--by-hand', '--reason', 'by hand'],
  },
  {
    name: 'a note',
    onPage: async (browser, house) =>
      browser.post(`/corrections/${await newestCorrection(house)}/note`, { number: 'N-1', date: '2024-09-01' }),
  },
  ...proposalActs,
  ...['2024-Q2', '2024-Q3'].flatMap(period =>
    (['object', 'answer', 'withdraw'] as const).map(
      (what): Act => ({ name: `to ${what} in ${period}`, onPage: browser => speak(browser, period, what) }),
    ),
  ),
  ...otherDescriptions.flatMap(([name, text]) => documentActs(name, text, false)),
]
