import { describe, expect, test } from 'vitest'
import { listVersion } from '../../../test/support/agreements/priced-agreement.ts'
import { type Figures, figuresOf, type SignedPath, signAlong } from '../../../test/support/agreements/signed-path.ts'
import { agree, assessOn, billedLine, groundOn, type TrueUp } from '../../../test/support/agreements/true-up.ts'
import { calculatingText } from '../formula/canonical.ts'
import { checkDocument } from '../formula/check/check.ts'
import { formatMinorUnits } from '../numbers/money.ts'
import { buildBody, hashOf, type ReceiptBody } from '../receipt/receipt.ts'
import { draftByHand } from './correction.ts'
import { buildCorrection, type CorrectionBody } from './correction-body.ts'
import { readCorrection } from './correction-parser.ts'
import { checkCorrection } from './correction-receipt.ts'
import type { RestatedPeriod } from './restate.ts'

const figures: Figures = {
  '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5'],
  '2024-06': ['2024-07-10 F 105.0'],
  '2024-09': ['2024-10-10 F 107.0'],
}

function document(corrections: string | null, clause = '{}', more = ''): string {
  return `slug: brackets
contract: { start: 2024-01-01, frequency: QUARTERLY, price: { amount: 100, currency: EUR, unit: piece, round: { dp: 2 } }${more} }
inputs: { index: { series: CUSTOM/index, weight: 1, base: { value: 100 }, lag: 1 month } }
clause: ${clause}
${corrections === null ? '' : `corrections: ${corrections}\n`}`
}

function sign(text: string, changed: Figures = {}): SignedPath {
  const series = [figuresOf('CUSTOM/index', { ...figures, ...changed })]
  return signAlong({ documents: [text], series, afterDays: 14, until: '2024-10-01' })
}

const line = { quantity: '100', day: '2024-05-10', price: '106' }
const net = ({ draft }: ReturnType<typeof assessOn>) => (draft?.net == null ? null : formatMinorUnits(draft.net, 'EUR'))

describe('what a revision does in money', () => {
  const path = sign(document('{ when: EACH }'))

  test('is the difference of two rounded amounts, of the lines in the periods that moved', () => {
    const lines = [
      billedLine('brackets', line),
      billedLine('brackets', { ...line, line: '2', quantity: '-3' }),
      billedLine('brackets', { ...line, line: '3', day: '2024-07-01' }),
      billedLine('brackets', { ...line, line: '4', day: '2024-03-31' }),
    ]
    const { draft } = assessOn({ path, lines }, '2024-09-01')
    expect(draft!.lines.map(each => [each.line!.line, formatMinorUnits(each.amount, 'EUR')])).toEqual([
      ['1', '-250.00'],
      ['2', '7.50'],
    ])
  })

  test('is nothing if every price stays the same: moved, without effect', () => {
    const rounded = document('{ when: EACH }').replace('{ dp: 2 }', '{ multiple: 5 }')
    const assessed = assessOn({ path: sign(rounded), lines: [billedLine('brackets', line)] }, '2024-09-01')
    expect(assessed.moved.map(({ hasEffect }) => hasEffect)).toEqual([false])
    expect(assessed.whyNot).toBe('nothing is due')
  })

  test('leaves out a line that crosses an adjustment date until it is split, unless it is prorated by days', () => {
    const lines = [billedLine('brackets', { ...line, day: '2024-06-01', to: '2024-07-30' })]
    expect(assessOn({ path, lines }, '2024-09-01').draft).toMatchObject({ net: null, lines: [] })
    const shared = sign(document('{ when: EACH }', '{}', ', prorate: DAYS'))
    // 30 of 60 days at 103.50 in place of 106.00
    expect(net(assessOn({ path: shared, lines }, '2024-09-01'))).toBe('-125.00')
  })

  test('is nothing for a line that came after the correction: its price is settled', () => {
    const first = assessOn({ path, lines: [billedLine('brackets', line)] }, '2024-09-01')
    const lines = [billedLine('brackets', line), billedLine('brackets', { ...line, line: '2' })]
    expect(assessOn({ path, lines }, '2024-09-02', agree(first.draft!)).moved).toEqual([])
  })

  test('moves prices in other periods whose base it is, the start included', () => {
    const csv = 'item,price,currency,base,round\nA,100,EUR,2024-Q2,2\nB,100,EUR,,2\n'
    const lists = [listVersion(csv)]
    const lines = ['2024-02-01', '2024-05-01', '2024-08-01'].map((day, i) =>
      billedLine('A', { line: `${i}`, quantity: '1', day, price: '1' }),
    )
    const { draft } = assessOn({ path, lines, lists }, '2024-09-01')
    // 100 ÷ 1.06 = 94.34 and ÷ 1.035 = 96.62; in Q2 it is 100; 100 × 1.05 ÷ 1.06 = 99.06 and ÷ 1.035 = 101.45
    expect(draft!.lines.map(({ amount }) => formatMinorUnits(amount, 'EUR'))).toEqual(['2.28', '0.00', '2.39'])
  })

  test('is shown and not proposed where the contract says nothing, and proposed by hand', () => {
    const silent: TrueUp = { path: sign(document(null)), lines: [billedLine('brackets', line)] }
    const assessed = assessOn(silent, '2024-09-01')
    expect([assessed.draft, assessed.moved[0]!.state]).toEqual([null, 'NO_POLICY'])
    expect(assessed.whyNot).toContain('propose by hand, with a reason')
    expect(formatMinorUnits(assessed.open.due, 'EUR')).toBe('-250.00')
    expect(formatMinorUnits(draftByHand(groundOn(silent, '2024-09-01'))!.net!, 'EUR')).toBe('-250.00')
    const never = assessOn({ ...silent, path: sign(document('{ when: NONE }')) }, '2024-09-01')
    expect([never.draft, never.moved[0]!.state, formatMinorUnits(never.open.due, 'EUR')]).toEqual([
      null,
      'NONE',
      '0.00',
    ])
  })

  test('says why a period cannot be restated', () => {
    const withdrawn = sign(document('{ when: EACH }'), { '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F -'] })
    expect(assessOn({ path: withdrawn }, '2024-09-01').whyNot).toBe(
      'nothing is due: 2024-Q2 cannot be restated: index (CUSTOM/index) has no value for 2024-03',
    )
  })

  test('corrects a correction by the rest, and with FINAL only once', () => {
    const twice = { '2024-03': ['2024-04-10 P 106.0', '2024-08-13 F 103.5', '2024-10-01 F 104.0'] }
    const lines = [billedLine('brackets', line)]
    for (const [when, rest] of [
      ['EACH', '50.00'],
      ['FINAL', null],
    ] as const) {
      const trueUp = { path: sign(document(`{ when: ${when} }`), twice), lines }
      const first = assessOn(trueUp, '2024-09-01')
      expect(net(first)).toBe('-250.00')
      expect(net(assessOn(trueUp, '2024-10-02', agree(first.draft!)))).toBe(rest)
    }
  })
})

describe('the body of a correction', () => {
  function build(level: string, clause: string) {
    const text = document(`{ when: EACH, level: ${level} }`, clause)
    const path = sign(text)
    const documents = new Map([[1, calculatingText(checkDocument(text).document)]])
    const parties = { buyer: null, supplier: null }
    const surroundings = {
      issuer: null,
      agreement: 'brackets',
      name: 'Brackets',
      parties,
      documents,
      dataVersionAsked: null,
    }
    const originOf = () => ({ uploadedBy: null, file: null, sha256: null, recorded: null })
    const receiptOf = (adjustment: RestatedPeriod['adjustment']) =>
      buildBody(adjustment!, path.versions, { ...surroundings, originOf })
    const signedReceipts = path.adjustments.map(receiptOf)
    const hashes = signedReceipts.map(hashOf)
    const signed = path.signed.map((each, i) => ({ ...each, hash: hashes[i]! }))
    const ground = groundOn({ path: { ...path, signed }, lines: [billedLine('brackets', line)] }, '2024-10-30')
    const { draft } = assessOn({ path: { ...path, signed }, lines: [billedLine('brackets', line)] }, '2024-10-30')
    const body = buildCorrection(draft!, {
      issuer: null,
      name: 'Brackets',
      parties,
      companies: null,
      reason: null,
      restated: ground.restated,
      receiptHash: ({ adjustment }) => hashOf(receiptOf(adjustment)),
      originOf,
    })
    const restated = draft!.periods.map(({ restated: { adjustment } }) => receiptOf(adjustment))
    return { body, receipts: [...signedReceipts, ...restated] as readonly ReceiptBody[] }
  }

  test('names figures, receipts, prices, lines and the net, and gives the same hash every time', () => {
    const { body } = build('HEAL', '{}')
    expect(body).toMatchObject({
      format: 'assize-correction/1',
      level: 'HEAL',
      net: '-250.00',
      currency: 'EUR',
      waived: false,
      carried: null,
      parts: ['-250.00'],
    })
    expect(body.causes).toMatchObject([
      { period: '2024-03', before: { value: '106.0' }, after: { value: '103.5', version: 'FINAL' } },
    ])
    expect(body.periods).toMatchObject([
      {
        period: '2024-Q2',
        factorBefore: '1.06',
        factorAfter: '1.035',
        priceBefore: '106.00',
        priceAfter: '103.50',
        amount: '-250.00',
      },
    ])
    expect(body.lines).toMatchObject([{ invoice: '4711', item: 'brackets', quantity: '100', amount: '-250.00' }])
    expect(hashOf(build('HEAL', '{}').body)).toBe(hashOf(body))
  })

  test('stores with REBASE the state that unsigned periods continue from', () => {
    const { body } = build('REBASE', '{ basis: CHAINED, floor: { periodPct: 0 } }')
    expect(body.periods.map(({ period }) => period)).toEqual(['2024-Q2', '2024-Q3', '2024-Q4'])
    expect((body.carried as { factor: string }).factor).toBe('1.07')
  })

  test('follows from the receipts it names, and not once anything in it is changed', () => {
    const { body, receipts } = build('REBASE', '{ basis: CHAINED, cap: { periodPct: 4 } }')
    const check = (changed: CorrectionBody, kept = receipts) => checkCorrection({ body: changed, receipts: kept })
    expect(check(body)).toEqual([])
    expect(check(body, [])).toHaveLength(2 * body.periods.length)
    const [period, price, billed] = [body.periods[0]!, body.prices[0]!, body.lines[0]!]
    const rest = { periods: body.periods.slice(1), prices: body.prices.slice(1) }
    const changes: readonly CorrectionBody[] = [
      { ...body, net: '-1.00' },
      { ...body, parts: ['-100.00', '-50.00'] },
      { ...body, periods: [{ ...period, factorAfter: '1.03' }, ...rest.periods] },
      { ...body, periods: [{ ...period, amount: '0.00' }, ...rest.periods] },
      { ...body, prices: [{ ...price, after: '1.00' }, ...rest.prices] },
      { ...body, prices: [{ ...price, movementAfter: '1.01' }, ...rest.prices] },
      { ...body, lines: [{ ...billed, quantity: '99' }] },
      { ...body, prices: rest.prices },
      { ...body, lines: [{ ...billed, amount: '-1.00' }] },
    ]
    for (const changed of changes) expect(check(changed)).not.toEqual([])
  })

  test('is read strictly from its text', () => {
    const { body, receipts } = build('REBASE', '{ basis: CHAINED, cap: { periodPct: 4 } }')
    const written = { hash: hashOf(body), body, receipts, signatures: [], seal: null }
    const read = readCorrection(JSON.stringify(written))
    expect(checkCorrection(read)).toEqual([])
    expect(hashOf(read.body)).toBe(written.hash)
    const [billed] = body.lines
    const changes: readonly (readonly [object, string])[] = [
      [{ ...body, more: 1 }, 'body must be a mapping without "more"'],
      [{ ...body, net: '1,00' }, 'body.net must be an exact number'],
      [{ ...body, level: 'SOME' }, 'body.level must be one of HEAL, REBASE'],
      [{ ...body, lines: [{ ...billed, shares: [] }] }, 'body.lines[0].shares must be'],
      [
        { ...body, lines: [{ ...billed, shares: [{ ...billed!.shares[0], per: '0' }] }] },
        'per must be a number above 0',
      ],
      [{ ...body, format: 'assize-receipt/2' }, 'body.format must be one of assize-correction/1'],
    ]
    for (const [changed, message] of changes)
      expect(() => readCorrection(JSON.stringify({ ...written, body: changed }))).toThrow(message)
    expect(() => readCorrection('{')).toThrow('the correction')
  })
})
