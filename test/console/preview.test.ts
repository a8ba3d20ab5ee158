// Documents that are tried out while they are written: problems with their lines, numbers over the whole history, the
// stored version for comparison, and nothing saved.
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import type { PreviewRequest } from '../../src/views/calls/agreement-calls.ts'
import type { AgreementList, Preview } from '../../src/views/shapes/agreements.ts'
import type { Failure } from '../../src/views/shapes/session.ts'
import { bracketsDocument, bracketsTable } from '../support/agreements/brackets.ts'
import { type Browser, emails, makeSeats } from '../support/houses/console.ts'
import { consoleHouse } from '../support/houses/house.ts'

const console = consoleHouse()
beforeAll(async () => {
  await console.tenant.import(bracketsTable)
  await console.tenant.apply(bracketsDocument())
})

async function preview(browser: Browser, text: string, against: string | null = null): Promise<Preview> {
  const {
    status,
    json,
    text: body,
  } = await browser.post('/agreements/preview', { text, against } satisfies PreviewRequest)
  if (status !== 200) throw new Error(`${status} ${body}`)
  return json as Preview
}

describe('a preview', () => {
  test('gives the numbers that the API gives once it is saved', async () => {
    const { as, tenant } = console
    const { problems, entries, blocked, before } = await preview(as.editor, bracketsDocument())
    expect([problems, blocked]).toEqual([[], []])
    const { data } = await tenant.json<{
      data: { adjustmentDate: string; adjustmentPct: string; cumulativePct: string }[]
    }>('/pams/brackets/values')
    expect(
      entries.map(({ adjustmentDate, adjustmentPct, cumulativePct }) => ({
        adjustmentDate: `${adjustmentDate}T00:00:00.000Z`,
        adjustmentPct,
        cumulativePct,
      })),
    ).toEqual(data)
    expect(
      entries.map(({ period, price, factor, dataVersion, controls }) => [period, price, factor, dataVersion, controls]),
    ).toEqual([
      ['2024-Q2', '12.40', '1', 'PRELIMINARY', ['threshold']],
      ['2024-Q3', '13.02', '1.05', 'FINAL', ['periodCap']],
      ['2024-Q4', '13.67', '1.1025', 'PRELIMINARY', ['periodCap', 'carryForward']],
    ])
    expect(before).toEqual(entries)
  })

  test('shows before and after next to each other, under the same slug or another', async () => {
    const { as } = console
    const text = bracketsDocument({ clause: '{ fixed: 0.40 }' })
    const { entries, before } = await preview(as.owner, text)
    expect(entries.map(({ cumulativePct }) => cumulativePct)).toEqual(['2.8735', '6.35', '11.5'])
    expect(before.map(({ cumulativePct }) => cumulativePct)).toEqual(['0', '5', '10.25'])
    const renamed = await preview(as.owner, bracketsDocument({ slug: 'copy' }), 'brackets')
    expect(renamed.before).toEqual(before)
    expect((await preview(as.owner, bracketsDocument({ slug: 'copy' }))).before).toEqual([])
    expect((await preview(as.owner, 'slug: [', 'brackets')).before).toEqual(before)
  })

  test('leaves signed periods and earlier versions out on both sides', async () => {
    const { as, tenant } = await makeSeats(console.api)
    await tenant.import(bracketsTable)
    await tenant.apply(bracketsDocument())
    await tenant.signBoth('brackets', '2024-Q3', { through: true })
    await tenant.apply(bracketsDocument({ clause: '{ fixed: 0.40 }' }))
    const { before } = await preview(as.owner, bracketsDocument())
    expect(before.map(({ cumulativePct }) => cumulativePct)).toEqual(['2.8735', '6.35', '11.5'])
  })

  test('says what will be in force: signed periods stay, the rest is what the API gives once it is saved', async () => {
    const { as, tenant } = await makeSeats(console.api)
    await tenant.import(bracketsTable)
    await tenant.apply(bracketsDocument())
    expect((await preview(as.owner, bracketsDocument({ slug: 'new-one' }))).inForce).toBeNull()
    await tenant.signBoth('brackets', '2024-Q3', { through: true })
    const inForceNow = async () =>
      (
        await tenant.json<{ data: { adjustmentPct: string; cumulativePct: string }[] }>('/pams/brackets/values')
      ).data.map(({ adjustmentPct, cumulativePct }) => [adjustmentPct, cumulativePct])
    const figures = (entries: Preview['entries']) =>
      entries.map(({ adjustmentPct, cumulativePct }) => [adjustmentPct, cumulativePct])
    const other = bracketsDocument({ clause: '{ fixed: 0.40 }' })
    const { inForce, entries } = await preview(as.owner, other)
    expect(inForce!.signed).toBe(2)
    expect(figures(inForce!.before)).toEqual(await inForceNow())
    expect(figures((await preview(as.owner, bracketsDocument())).inForce!.after!)).toEqual(await inForceNow())
    await tenant.apply(other)
    expect(figures(inForce!.after!)).toEqual(await inForceNow())
    expect(figures(inForce!.after!)).not.toEqual(figures(entries))
  })

  test('says which open periods a version affects, whose signatures become void, and the first date that is not signed', async () => {
    const { as, tenant } = await makeSeats(console.api)
    await tenant.import(bracketsTable)
    await tenant.apply(bracketsDocument())
    await tenant.signBoth('brackets', '2024-Q2')
    await tenant.sign('brackets', '2024-Q3', 'buyer')
    const reachOf = async (more = '') =>
      (await preview(as.owner, bracketsDocument({ clause: '{ fixed: 0.40 }', more }))).inForce!.reach
    const [third, fourth] = [
      { period: '2024-Q3', adjustmentDate: '2024-07-01', signedBy: ['buyer'] },
      { period: '2024-Q4', adjustmentDate: '2024-10-01', signedBy: [] },
    ]
    const firstUnsigned = '2024-07-01'
    expect(await reachOf()).toEqual({ effectiveFrom: '2024-01-01', firstUnsigned, periods: [third, fourth] })
    expect(await reachOf('effectiveFrom: 2024-10-01\n')).toEqual({
      effectiveFrom: '2024-10-01',
      firstUnsigned,
      periods: [fourth],
    })
  })

  test('follows what is imported meanwhile', async () => {
    const { as, tenant } = await makeSeats(console.api)
    await tenant.import(bracketsTable)
    await tenant.apply(bracketsDocument({ clause: '{ fixed: 0.40 }' }))
    const last = async () => {
      const { entries, before } = await preview(as.owner, bracketsDocument({ clause: '{ fixed: 0.40 }' }))
      return [entries.at(-1)?.cumulativePct, before.at(-1)?.cumulativePct]
    }
    expect(await last()).toEqual(['11.5', '11.5'])
    await tenant.import('series,period,value,version,published\nCUSTOM/steel,2024-09,140.00,FINAL,2024-10-28\n')
    expect(await last()).toEqual(['15', '15'])
  })

  test('saves nothing', async () => {
    const { as } = console
    await preview(as.owner, bracketsDocument({ slug: 'never-saved' }))
    expect((await as.owner.json<AgreementList>('/agreements')).rows.map(({ slug }) => slug)).toEqual(['brackets'])
  })

  test('shows the clause as the steps it becomes, each with its rounding in words', async () => {
    const { steps, inputs } = await preview(console.as.viewer, bracketsDocument())
    expect(steps.map(({ name }) => name)).toEqual([
      'ratio_steel',
      'ratio_labour',
      'factor',
      'movement',
      'payable',
      'shared',
      'target',
      'step',
      'threshold_met',
      'pct_held',
      'pct',
      'applied',
    ])
    expect(steps.find(({ name }) => name === 'pct')).toEqual({
      name: 'pct',
      expr: 'pct_held',
      rounding: 'rounded 2 dp',
      note: null,
    })
    expect(inputs.map(({ input, name }) => [input, name])).toEqual([
      ['steel', 'Steel billets'],
      ['labour', 'Labour in metal'],
    ])
  })

  test('names every problem with its line, and computes nothing then', async () => {
    const { as } = console
    const bad = await preview(
      as.owner,
      bracketsDocument().replace('lag: 1 month', 'lag: soon').replace('periodPct: 5', 'periodPc: 5'),
    )
    expect(bad.problems).toEqual([
      { path: 'inputs.steel.lag', message: expect.stringContaining('"soon"'), line: 12 },
      { path: 'clause.cap.periodPc', message: expect.stringContaining('did you mean "periodPct"?'), line: 14 },
      { path: 'clause.cap', message: expect.stringContaining('needs periodPct, yearPct or cumulativePct'), line: 14 },
    ])
    expect([bad.entries, bad.steps]).toEqual([[], []])
    const unreadable = await preview(as.owner, 'slug: x\nname: "open\n')
    expect(unreadable.problems[0]).toMatchObject({ path: '', line: expect.any(Number) })
    const unknown = await preview(as.owner, bracketsDocument().replace('CUSTOM/labour', 'CUSTOM/labor'))
    expect(unknown.problems).toEqual([
      { path: 'inputs.labour.series', message: 'unknown series CUSTOM/labor', line: 13 },
    ])
    expect(unknown.entries).toEqual([])
    expect(unknown.steps).not.toEqual([])
    expect((await preview(as.owner, '')).problems).toEqual([{ path: '', message: 'the document is empty', line: null }])
  })

  test('says what cannot be computed and why, next to what can', async () => {
    const { entries, blocked } = await preview(console.as.owner, bracketsDocument({ end: '2025-03-31' }))
    expect(entries).toHaveLength(3)
    expect(blocked).toEqual([{ period: '2025-Q1', reason: expect.stringContaining('2024-12') }])
  })

  test('warns as the linter does, with the line', async () => {
    const { warnings } = await preview(console.as.owner, bracketsDocument({ clause: '{ fixed: 0.40 }' }))
    expect(warnings.find(({ path }) => path === 'clause.rounding')).toMatchObject({
      message: expect.stringContaining('the clause rounds neither the factor nor a percentage'),
      line: 14,
    })
  })

  test('is refused where the text is too long to be one', async () => {
    const { status, json } = await console.as.owner.post('/agreements/preview', {
      text: `# ${'x'.repeat(limits.previewCharacters)}`,
      against: null,
    })
    expect([status, (json as Failure).error]).toEqual([413, expect.stringContaining('200000 characters')])
  })

  test('leaves the numbers out where they are more work than a page waits for, and says so', async () => {
    const sums = Array.from({ length: 180 }, (_, i) => `  - { name: s${i}, expr: "${'1 + '.repeat(200)}1" }\n`).join('')
    const text = `
slug: long
contract: { start: 1990-01-01, frequency: MONTHLY }
steps:
${sums}  - { name: f, expr: "s1" }
result: { kind: FACTOR, step: f }
`
    const { entries, problems, warnings } = await preview(console.as.owner, text)
    expect([entries, problems]).toEqual([[], []])
    expect(warnings.at(-1)).toMatchObject({
      path: 'steps',
      message: expect.stringContaining('too many to compute while you write'),
    })
  })

  test('counts the values of long windows as work, too', async () => {
    const { as, tenant } = await makeSeats(console.api)
    const days = Array.from({ length: 1_500 }, (_, i) => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10))
    await tenant.import(
      `series,period,value\n${days.map((day, i) => `CUSTOM/daily,${day},${100 + (i % 9)}\n`).join('')}`,
    )
    const text = (inputs: number) => `
slug: windows
contract: { start: 2021-02-01, end: 2023-12-31, frequency: MONTHLY }
inputs:
${Array.from({ length: inputs }, (_, i) => `  i${i}: { series: CUSTOM/daily, base: 2020-01-01, window: 365 days }`).join('\n')}
steps: [{ name: f, expr: i0 / i0.base }]
result: { kind: FACTOR, step: f }
`
    expect((await preview(as.owner, text(10))).entries).toHaveLength(34)
    const { entries, warnings } = await preview(as.owner, text(30))
    expect([entries, warnings.at(-1)?.message]).toEqual([[], expect.stringContaining('up to 10950 values')])
  })

  test('reads for a supplier only the series its own formulas read', async () => {
    const { as, tenant } = await makeSeats(console.api)
    await tenant.import(bracketsTable)
    await tenant.import('series,period,value\nCUSTOM/secret,2023-12,100\nCUSTOM/secret,2024-03,200\n')
    await tenant.apply(bracketsDocument({ more: `parties: { supplier: [${emails.supplier}] }\n` }))
    await tenant.apply(bracketsDocument({ slug: 'theirs', more: 'parties: { supplier: [other@supplier.test] }\n' }))
    const peek = bracketsDocument({ slug: 'peek' }).replace('CUSTOM/steel', 'CUSTOM/secret')
    expect((await preview(as.supplier, peek)).problems).toEqual([
      { path: 'inputs.steel.series', message: 'unknown series CUSTOM/secret', line: 12 },
    ])
    expect((await preview(as.buyer, peek)).problems).toEqual([])
    const own = await preview(as.supplier, bracketsDocument({ slug: 'peek' }), 'theirs')
    expect(own.entries).toHaveLength(3)
    expect(own.before).toEqual([])
  })

  test('many at once are all served', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => bracketsDocument({ name: `Try ${i}` }))
    const previews = await Promise.all(texts.map(text => preview(console.as.owner, text)))
    expect(previews.every(({ entries }) => entries.length === 3)).toBe(true)
  })
})

describe('ten years of months', () => {
  test('are previewed whole each time a number changes', async () => {
    const { as, tenant } = await makeSeats(console.api)
    const months = Array.from(
      { length: 144 },
      (_, i) => `${2014 + Math.floor(i / 12)}-${String((i % 12) + 1).padStart(2, '0')}`,
    )
    const rows = ['a', 'b', 'c'].flatMap((code, s) =>
      months.map((period, i) => `CUSTOM/${code},${period},${100 + i + ((i * (s + 2)) % 5)}\n`),
    )
    await tenant.import(`series,period,value\n${rows.join('')}`)
    const text = (cap: number) => `
slug: months
contract: { start: 2015-01-01, end: 2025-12-31, frequency: MONTHLY, price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } } }
inputs:
  a: { series: CUSTOM/a, weight: 0.35, base: 2014-06, lag: 2 months, window: 3 months }
  b: { series: CUSTOM/b, weight: 0.25, base: 2014-06, lag: 2 months }
  c: { series: CUSTOM/c, weight: 0.15, base: 2014-06, lag: 2 months }
clause: { fixed: 0.25, threshold: { pct: 1, test: EXCEEDS, pays: ALL }, cap: { periodPct: ${cap} }, rounding: { percent: { dp: 2 } } }
`
    for (const cap of [1, 2]) expect((await preview(as.owner, text(cap))).entries).toHaveLength(131)
  })
})
