import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Seal } from '../../src/agreements/seal.ts'
import { hashOf, type Receipt, type ReceiptBody } from '../../src/core/receipt.ts'
import { examples } from '../../src/http/v1/examples.ts'
import { waterfallOf } from '../../web/pages/adjustment/waterfall.ts'
import { viewReceipt } from '../../web/pages/verify/receipt-view.ts'
import { judge, parseReceipt, tellApart, writeLine } from '../../web/pages/verify/verdict.ts'

const { body } = examples.Receipt as unknown as Receipt
const hash = hashOf(body)
const seal = new Seal(randomBytes(32))
const receipt = { hash, body, issuedAt: '2024-08-20T09:14:02.511000Z', signature: seal.sign(hash) }

const read = (json: unknown) => parseReceipt(JSON.stringify(json))
const judged = (json: unknown) => judge(read(json))
const altered = (change: Partial<ReceiptBody>) => ({ ...body, ...change })

describe('a receipt in the browser', () => {
  it('is the same where every line, the hash and the signature are', async () => {
    expect(await judged(receipt)).toMatchObject({
      isSame: true,
      difference: null,
      isHashSame: true,
      seal: 'good',
      hash,
    })
  })

  it('may be without a signature', async () => {
    expect(await judged({ hash, body })).toMatchObject({ isSame: true, seal: 'none' })
  })

  it('differs at the first line that does not follow from its figures', async () => {
    const observations = body.observations.map((each, i) => (i === 1 ? { ...each, value: '349.874' } : each))
    const verdict = await judged({ ...receipt, body: altered({ observations }) })
    expect(verdict.isSame).toBe(false)
    expect(verdict.difference!.line).toBe('step ratio_steel')
    expect(tellApart(verdict.difference!)).toEqual(['1.06491162656623…', '1.09624416823068…'])
  })

  it('differs where only the reported number was changed', async () => {
    const verdict = await judged({ ...receipt, body: altered({ result: { ...body.result, adjustmentPct: '3.5' } }) })
    expect(verdict.difference).toEqual({ line: 'adjustmentPct', written: '3.5', recomputed: '2.5' })
    expect(['adjustmentPct', 'step pct', 'series'].map(writeLine)).toEqual(['the adjustment, %', 'line pct', 'series'])
  })

  it('fails under another hash, and under a signature of another key or another hash', async () => {
    expect(await judged({ ...receipt, hash: 'f'.repeat(64) })).toMatchObject({ isSame: false, isHashSame: false })
    const foreign = { ...receipt.signature, publicKey: new Seal(randomBytes(32)).publicKey }
    expect(await judged({ ...receipt, signature: foreign })).toMatchObject({ isSame: false, seal: 'bad' })
    const older = seal.sign('0'.repeat(64))
    expect(await judged({ ...receipt, signature: older })).toMatchObject({ isSame: false, seal: 'bad' })
    for (const publicKey of ['', 'a', '!!', 'AAAA'])
      expect(await judged({ ...receipt, signature: { ...older, publicKey } })).toMatchObject({ seal: 'bad' })
  })

  it('is refused in words where it is none', () => {
    expect(() => parseReceipt('not json')).toThrow('it is not a receipt: it is not JSON')
    expect(() => parseReceipt('7')).toThrow('it is not a receipt')
    expect(() => parseReceipt('{}')).toThrow('it has no body')
    expect(() => read({ body: {}, signature: {} })).toThrow('signature must have algorithm')
  })

  it('is refused with the place where a part of it is missing', async () => {
    await expect(judged({ hash, body: { ...body, format: 'other' } })).rejects.toThrow('body.format')
    await expect(judged({ hash, body: { ...body, observations: [] } })).rejects.toThrow('do not suffice')
  })
})

describe('the view of a receipt', () => {
  const view = viewReceipt(body)

  it('has the numbers put into every line', () => {
    expect(view.steps[0]).toMatchObject({
      name: 'ratio_steel',
      expr: 'steel / steel.base',
      numbers: '339.874 / 319.157',
    })
    expect(view.steps).toHaveLength(body.steps.length)
  })

  it('adds up from its components and controls to the adjustment', () => {
    expect(waterfallOf(view)).not.toBeNull()
    expect(view).toMatchObject({ adjustmentPct: '2.5', price: '12.71', currency: 'USD', unit: 'piece' })
  })
})
