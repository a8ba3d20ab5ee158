// Odd receipts computed again: figures written with zeros that a rounding does not keep, and left-out parts.
import { expect, test } from 'vitest'
import { judge } from '../../../test/support/agreements/judged.ts'
import { oneIndexReceipts, receiptsOf } from '../../../test/support/agreements/worked-receipts.ts'
import { hashOf, type ReceiptBody } from './receipt.ts'

async function differenceIn(body: ReceiptBody) {
  return (await judge({ hash: hashOf(body), body, signatures: [], seal: null })).difference
}

test('a price and a line that are rounded to a multiple written with zeros at its end are the same numbers', async () => {
  const document = `
slug: zeros
contract: { start: 2020-01-01, end: 2021-12-31, frequency: ANNUAL, price: { amount: 100, currency: EUR, round: { multiple: 0.50 } } }
inputs: { index: { series: CUSTOM/index } }
steps: [{ name: factor, expr: index / 100, show: { multiple: 0.010 } }]
result: { kind: FACTOR, step: factor }`
  const body = receiptsOf(document, 'series,period,value\nCUSTOM/index,2021,104.3\n').get('2021')!
  expect([body.result.price, body.steps[0]!.shown]).toEqual(['104.50', '1.040'])
  expect(await differenceIn(body)).toBeNull()
  expect(await differenceIn({ ...body, result: { ...body.result, price: '104.0' } })).toMatchObject({ line: 'price' })
})

test('a price from a contract without one is refused in words', async () => {
  const body = receiptsOf(
    'slug: bare\ncontract: { start: 2020-01-01, end: 2021-12-31, frequency: ANNUAL }\ninputs: { index: { series: CUSTOM/index } }\nsteps: [{ name: f, expr: index / 100 }]\nresult: { kind: FACTOR, step: f }',
    'series,period,value\nCUSTOM/index,2021,104\n',
  ).get('2021')!
  await expect(differenceIn({ ...body, rules: { ...body.rules, kind: 'PRICE' } })).rejects.toThrow(
    'PRICE needs contract.price',
  )
})

test('a state that lacks a line of its version is told as a difference or holds, and stops nothing', async () => {
  const body = oneIndexReceipts('{}', ['104', '108']).get('2022')!
  const { last, ...rest } = body.carriedIn as { last: { steps: Record<string, string> } }
  for (const name of Object.keys(last.steps)) {
    const { [name]: _gone, ...steps } = last.steps
    const carriedIn = { ...rest, last: { ...last, steps } } as ReceiptBody['carriedIn']
    await expect(differenceIn({ ...body, carriedIn })).resolves.toBeNull()
  }
})
