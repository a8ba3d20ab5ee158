// Many agreements from one table and a template of the clause: what each row becomes, with its numbers; all of them or none.
import { describe, expect, test } from 'vitest'
import type { AgreementList, AgreementPage } from '../../src/views/shapes/agreements.ts'
import type { ImportEnd, TableResult } from '../../src/views/shapes/imports.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { type Browser, linesOf, makeSeats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'
import { roundsOf } from '../support/run/long-form.ts'

const console = consoleHouse()

async function ready(document = bracketsDocument()) {
  const seats = await makeSeats(console.api)
  await seats.tenant.import(bracketsTable)
  await seats.tenant.apply(document)
  return seats
}

async function send<End = TableResult>(as: Browser, content: string, query: Readonly<Record<string, string>> = {}) {
  const asked = { file: 'contracts.csv', mode: 'preview', kind: 'agreements', agreement: 'brackets', ...query }
  const reply = await as.upload(`/import?${new URLSearchParams(asked)}`, content)
  expect(reply.status, reply.text).toBe(200)
  return linesOf<End>(reply).at(-1)!
}

const slugsOf = (as: Browser) => as.json<readonly string[]>('/slugs')

describe('a table of agreements', () => {
  test('is recognised by its columns, and asks for the template', async () => {
    const { as } = await ready()
    const reply = await as.editor.upload(
      '/import?file=a.csv&mode=preview',
      'Bezeichnung;Lieferant;Preis;Währung;Vertragsbeginn\nRohre;Nord;12,40;EUR;01.01.2024\n',
    )
    expect(linesOf<ImportEnd>(reply).at(-1)).toMatchObject({
      stage: 'look',
      kind: 'agreements',
      layout: { columns: ['name', 'supplier', 'price', 'currency', 'start'], decimal: 'COMMA', dateOrder: 'DMY' },
    })
  })

  test('shows what each row becomes with its numbers, and stores all of them as drafts', async () => {
    const { as } = await ready()
    const csv = `name,supplier,price,currency,unit,start,end,inputs.steel.weight,inputs.labour.weight
Tubes of steel,sam@supplier.test,100.00,USD,m,2024-01-01,2024-12-31,,
Rods,,7.5,EUR,piece,2024-01-01,,0.45,0.15
`
    const planned = await send(as.editor, csv)
    expect(planned).toMatchObject({ counts: { added: 2 }, problemCount: 0, isDone: false })
    expect(planned.agreements).toEqual([
      {
        line: 2,
        slug: 'tubes-of-steel',
        name: 'Tubes of steel',
        supplier: 'sam@supplier.test',
        start: '2024-01-01',
        price: '100.00',
        currency: 'USD',
        unit: 'm',
        item: null,
        first: { period: '2024-Q2', adjustmentPct: '0', price: '100.00' },
        newest: { period: '2024-Q4', adjustmentPct: '5', price: '110.25' },
        blocked: 0,
        reason: null,
      },
      expect.objectContaining({ line: 3, slug: 'rods', price: '7.5', unit: 'piece' }),
    ])
    expect(await slugsOf(as.editor)).toEqual(['brackets'])
    expect(await send(as.editor, csv, { mode: 'import' })).toMatchObject({ isDone: true, counts: { added: 2 } })
    expect([...(await slugsOf(as.editor))].sort()).toEqual(['brackets', 'rods', 'tubes-of-steel'])
    const page = await as.editor.json<AgreementPage>('/agreements/tubes-of-steel')
    expect(page.agreement).toMatchObject({ status: 'DRAFT', name: 'Tubes of steel' })
    expect(page.documentText).toContain('amount: 100.00')
    expect((await as.editor.json<AgreementPage>('/agreements/rods')).documentText).toContain('weight: 0.45')
  })

  test('is refused as a whole with every problem by line and column', async () => {
    const { as } = await ready()
    const csv = `name,slug,supplier,price,currency,start
Tubes,,,100,EUR,2024-01-01
Rods,rods,nobody-known,100,EUR,2024-02-30
Rods again,bolts,,1x,EURO,2024-01-01
`
    const { problems, problemCount } = await send(as.editor, csv, { mode: 'import' })
    const told = problems.map(({ line, message }) => `${line} ${message}`)
    expect(problemCount).toBe(told.length)
    for (const words of [/^3 supplier: there is no party "nobody-known"/, /^3 start: /, /^4 price: /, /^4 currency: /])
      expect(
        told.some(message => words.test(message)),
        `${words} in ${told.join('\n')}`,
      ).toBe(true)
    expect(await slugsOf(as.editor)).toEqual(['brackets'])
    const twins = await send(as.editor, 'name,price,start\nTubes,1,2024-01-01\ntubes,2,2024-01-01\n')
    expect(twins.problems).toEqual([{ line: 3, message: 'name: line 2 is called tubes as well' }])
    const taken = await send(as.editor, 'name,price,start\nBrackets,1,2024-01-01\n')
    expect(taken.problems).toEqual([{ line: 2, message: 'name: there is an agreement "brackets" already' }])
  })

  test('gives each the item that its row names, as a price list of its own, in the same moment or not at all', async () => {
    const { as, tenant } = await ready()
    const csv = `name,item,price,currency,start
Tubes,T-40,100.00,EUR,2024-01-01
Rods,,7.50,EUR,2024-01-01
`
    const planned = await send(as.editor, csv)
    expect(planned.agreements!.map(({ slug, item }) => [slug, item])).toEqual([
      ['tubes', 'T-40'],
      ['rods', null],
    ])
    expect(planned.changes[0]).toMatchObject({ name: 'Tubes', about: ['tubes', 'sam@supplier.test', 'T-40'] })
    expect(await send(as.editor, csv, { mode: 'import' })).toMatchObject({ isDone: true })
    const kept = await console.api.owner<{ slug: string; from: string; rows: string; together: boolean }[]>`
      select a.slug, l.from_period as from, l.list_rows as rows, l.recorded_at = s.recorded_at as together
      from price_list l join agreement a on a.workspace_id = l.workspace_id and a.id = l.agreement_id
      join agreement_state s on s.workspace_id = l.workspace_id and s.agreement_id = l.agreement_id
      where l.workspace_id = ${tenant.id}`
    expect(kept).toMatchObject([{ slug: 'tubes', from: 'start', together: true }])
    expect(JSON.parse(kept[0]!.rows)).toMatchObject([{ item: 'T-40', price: '100.00', currency: 'EUR' }])
    // The same list again, as a person would apply it, says nothing new.
    const again = { kind: 'prices', agreement: 'tubes' }
    const same = await send(as.editor, 'item,price,currency\nT-40,100.00,EUR\n', again)
    expect(same).toMatchObject({ problemCount: 0, list: { outcome: 'unchanged' } })

    const long = 'x'.repeat(61)
    const wrong = `name,item,price,currency,start
Bolts,${long},1x,EUR,2024-01-01
Tubes,${long},1,EUR,2024-01-01
Nuts,N-1,1,EUR,2024-01-01
`
    const { problems } = await send(as.editor, wrong, { mode: 'import' })
    expect(problems.map(({ line, message }) => `${line} ${message}`)).toEqual([
      expect.stringMatching(/^2 price: /),
      '2 item: has at most 60 characters, got 61',
      '3 name: there is an agreement "tubes" already',
      '3 item: has at most 60 characters, got 61',
    ])
    expect([...(await slugsOf(as.editor))].sort()).toEqual(['brackets', 'rods', 'tubes'])
    await tenant.apply(bracketsDocument({ slug: 'unpriced' }).replace(/ {2}price: .*\n/, ''))
    const unpriced = await send(as.editor, 'name,item,price,start\nNuts,N-1,,2024-02-30\n', { agreement: 'unpriced' })
    expect(unpriced.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^start: /),
      'item: has no price: neither the row nor the template says one',
    ])
  })

  test('makes them active by choice, without the contract’s own words of the template', async () => {
    const { as } = await ready()
    const csv = 'name,price,start\nTubes,10,2024-01-01\n'
    await send(as.editor, csv, { mode: 'import', status: 'ACTIVE' })
    expect((await as.editor.json<AgreementPage>('/agreements/tubes')).agreement.status).toBe('ACTIVE')
    const words = { sentences: ['Force majeure applies.'], links: [] }
    await as.editor.post('/agreements', { text: bracketsDocument({ slug: 'worded' }), basedOn: 0, words })
    const other = 'name,price,start\nRods,10,2024-01-01\n'
    const made = await send(as.editor, other, { mode: 'import', status: 'ACTIVE', agreement: 'worded' })
    expect(made).toMatchObject({ isDone: true })
    expect((await as.editor.json<AgreementPage>('/agreements/rods')).hasWords).toBe(false)
  })

  test('of many rows is one entry of the log for each, at once', async () => {
    const { as, tenant } = await ready(bracketsDocument({ clause: '{ fixed: 0.40 }' }))
    const many = roundsOf('every-page', 'agreements made from one table', 40, 500)
    const rows = Array.from({ length: many }, (_, i) => `Part ${i},${i + 1}.50,2024-01-01`)
    const made = await send(as.editor, `name,price,start\n${rows.join('\n')}\n`, { mode: 'import' })
    expect(made).toMatchObject({ isDone: true, counts: { added: many } })
    expect((await slugsOf(as.editor)).length).toBe(many + 1)
    const [count] = await console.api.owner<{ moments: number; states: number }[]>`
      select count(distinct recorded_at)::int as moments, count(*)::int as states from agreement_state
      where workspace_id = ${tenant.id} and name like 'Part %'`
    expect(count).toEqual({ moments: 1, states: many })
    const list = await as.editor.json<AgreementList>(`/agreements?q=Part%20${many - 1}`)
    expect(list.rows.map(({ slug }) => slug)).toEqual([`part-${many - 1}`])
  })
})
