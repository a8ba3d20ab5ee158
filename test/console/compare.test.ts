// One clause under other readings: each computed by hand, with its difference from the document as it is.
import { beforeAll, describe, expect, test } from 'vitest'
import type { AgreementComparison, Preview, ReadingVariant } from '../../src/views/shapes/agreements.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { emails, makeSeats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()
beforeAll(async () => {
  await console.tenant.import(bracketsTable)
  await console.tenant.apply(bracketsDocument())
})

async function compare(text: string): Promise<AgreementComparison> {
  const { status, json, text: body } = await console.as.viewer.post('/agreements/compare', { text })
  if (status !== 200) throw new Error(`${status} ${body}`)
  return json as AgreementComparison
}

async function reading(text: string, id: string): Promise<ReadingVariant> {
  const found = (await compare(text)).readings.find(each => each.id === id)
  if (found === undefined) throw new Error(`there is no reading ${id}`)
  return found
}

const cumulative = ({ entries }: Pick<ReadingVariant, 'entries'>) => entries.map(({ cumulativePct }) => cumulativePct)
const plain = bracketsDocument({ clause: '{ fixed: 0.40, rounding: { percent: { dp: 2 } } }' })

describe('comparing readings', () => {
  test('begins with the document as it is, then every reading with a title and a sentence', async () => {
    const { problems, readings } = await compare(bracketsDocument())
    expect(problems).toEqual([])
    expect(readings.map(({ id }) => id)).toEqual([
      'as-written',
      'basis',
      'preliminary',
      'final',
      'first',
      'latest',
      'pays',
      'cap',
      'carry-forward',
      'lag-more',
      'lag-less',
    ])
    expect(cumulative(readings[0]!)).toEqual(['0', '5', '10.25'])
    expect(readings[0]?.effect).toBeNull()
    expect(readings.every(({ title, words }) => title !== '' && words.endsWith('.'))).toBe(true)
    const { json } = await console.as.viewer.post('/agreements/preview', { text: bracketsDocument(), against: null })
    expect(readings[0]?.entries).toEqual((json as Preview).entries)
  })

  test('chained instead of fixed base: a chain continues from what was applied', async () => {
    const chained = await reading(bracketsDocument(), 'basis')
    // 2024-Q4: 0.40 + 0.35 × 130 / 116 + 0.25 × 104 / 103 = 1.04467…, so +4.47 % on 1.05.
    expect(cumulative(chained)).toEqual(['0', '5', '9.6935'])
    expect(chained.effect).toEqual({ period: '2024-Q4', points: '-0.5565', money: '-0.07' })
    const back = await reading(bracketsDocument({ clause: '{ fixed: 0.40, basis: CHAINED }' }), 'basis')
    expect([back.title, cumulative(back).at(-1)]).toEqual(['Fixed base instead of chained', '11.5'])
  })

  test('preliminary or final: the value with the tag where there is one', async () => {
    const preliminary = await reading(plain, 'preliminary')
    // 2024-Q3 with 114.00: 0.40 + 0.35 × 1.14 + 0.25 × 1.03 = 1.0565; as written 1.0635.
    expect(preliminary.entries[1]).toMatchObject({ period: '2024-Q3', dataVersion: 'PRELIMINARY', price: '13.10' })
    expect(cumulative(await reading(plain, 'final'))[1]).toBe('6.347')
  })

  test('first print or latest: revisions left out', async () => {
    const first = await reading(plain, 'first')
    expect(first.entries[1]?.price).toBe('13.10')
    expect(first.effect).toMatchObject({ period: '2024-Q4' })
    expect((await reading(plain, 'latest')).notApplicable).toBe('The document takes the latest values already.')
    const firstPrints = plain.replaceAll('lag:', 'vintage: FIRST, lag:')
    const latest = await reading(firstPrints, 'latest')
    expect(latest.entries[1]?.price).toBe('13.19')
    expect((await reading(firstPrints, 'first')).notApplicable).toBe('The document takes first prints already.')
  })

  test('cap per period or since the start', async () => {
    const since = await reading(bracketsDocument(), 'cap')
    expect(since.words).toBe('The cap of 5 % holds the whole change since the start, and not each period.')
    expect(cumulative(since)).toEqual(['0', '5', '5'])
    expect(since.effect).toEqual({ period: '2024-Q4', points: '-5.25', money: '-0.65' })
    expect((await reading(plain, 'cap')).notApplicable).toBe('The clause has no cap.')
  })

  test('a lag of one month more or less, with what is then missing', async () => {
    const more = await reading(bracketsDocument(), 'lag-more')
    expect(more.entries).toEqual([])
    expect(more.blocked[0]).toEqual({ period: '2024-Q2', reason: expect.stringContaining('2024-02') })
    expect(more.effect).toBeNull()
    const unlagged = await reading(bracketsDocument().replace(', lag: 1 month', ''), 'lag-less')
    expect(unlagged.notApplicable).toBeNull()
  })

  test('a document written as steps is read differently only where that makes sense', async () => {
    const text = `
slug: steps
contract: { start: 2024-01-01, end: 2024-12-31, frequency: QUARTERLY }
inputs: { steel: { series: CUSTOM/steel, base: 2023-12, lag: 1 month } }
steps: [{ name: factor, expr: steel / steel.base }]
result: { kind: FACTOR, step: factor }
`
    const { readings } = await compare(text)
    const byId = new Map(readings.map(each => [each.id, each]))
    for (const id of ['basis', 'cap']) expect(byId.get(id)?.notApplicable, id).toMatch(/written as steps/)
    expect(byId.get('first')?.effect).toEqual({ period: '2024-Q4', points: '0', money: null })
    expect(byId.get('preliminary')?.entries[1]?.cumulativePct).toBe('14')
  })

  test('a document with problems has them named, and no readings', async () => {
    const { problems, readings } = await compare(bracketsDocument().replace('CUSTOM/steel', 'CUSTOM/steal'))
    expect(problems).toEqual([{ path: 'inputs.steel.series', message: 'unknown series CUSTOM/steal', line: 12 }])
    expect(readings).toEqual([])
    expect((await compare('slug: Bad Slug')).problems.length).toBeGreaterThan(1)
  })

  test('a supplier compares over the series its formulas read, and no others', async () => {
    const { as, tenant } = await makeSeats(console.api)
    await tenant.import(bracketsTable)
    await tenant.import('series,period,value\nCUSTOM/secret,2023-12,100\n')
    await tenant.apply(bracketsDocument({ more: `parties: { supplier: [${emails.supplier}] }\n` }))
    const ask = async (text: string) =>
      (await as.supplier.post('/agreements/compare', { text })).json as AgreementComparison
    expect((await ask(bracketsDocument())).readings).toHaveLength(11)
    const peek = bracketsDocument().replace('CUSTOM/steel', 'CUSTOM/secret')
    expect((await ask(peek)).problems[0]?.message).toBe('unknown series CUSTOM/secret')
  })
})
