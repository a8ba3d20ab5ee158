// docs/RECEIPT.md and its pages are a promise to whoever writes another verifier: the worked example is recomputed from the page, and
// every field is named.
import { createPublicKey, verify } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { amendmentBodySchema } from '../../src/core/index-changes/amendment.ts'
import { spliceBodySchema } from '../../src/core/index-changes/splice-schema.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import { receipt as receiptShape } from '../../src/core/receipt/receipt-schema.ts'
import { canonicalJson, type Json } from '../../src/core/text/canonical-json.ts'
import { sha256 } from '../../src/core/text/sha256.ts'
import { correctionReceipt } from '../../src/core/true-up/correction-schema.ts'
import { judge } from '../support/agreements/judged.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const pages = readdirSync(new URL('../../docs/receipt', import.meta.url)).map(name => read(`docs/receipt/${name}`))
const whole = [read('docs/RECEIPT.md'), ...pages].join('\n')
const example = read('docs/receipt/example.md')
const block = (name: string) => new RegExp(`\n\`\`\`\\w+ ${name}\n([\\s\\S]*?)\n\`\`\``).exec(example)![1]!
const receipt = JSON.parse(read('test/golden/samples/example.json')) as Receipt

describe('the worked example of a receipt', () => {
  test('has the document, the body and the hash that its own bytes give', () => {
    const body = block('body')
    expect(body).toBe(canonicalJson(receipt.body as unknown as Json))
    expect(sha256(body)).toBe(block('hash'))
    expect(receipt.hash).toBe(block('hash'))
    expect(JSON.parse(block('document'))).toEqual(JSON.parse((JSON.parse(body) as Receipt['body']).documents['1']!))
    for (const [, bytes, name] of example.matchAll(/, (\d+) bytes:\n\n```text (\w+)/g))
      expect(Buffer.byteLength(block(name!)), name).toBe(Number.parseInt(bytes!, 10))
  })

  test('has a seal over the sealed hash under the key it prints', () => {
    expect(sha256(block('beside'))).toBe(block('sealed'))
    const [key, keyHex] = block('key').split('\n') as [string, string]
    const [value, valueHex] = block('seal').split('\n') as [string, string]
    expect([key, value]).toEqual([receipt.seal!.publicKey, receipt.seal!.value])
    expect(Buffer.from(key, 'base64url').toString('hex')).toBe(keyHex)
    expect(Buffer.from(value, 'base64url').toString('hex')).toBe(valueHex)
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' })
    expect(verify(null, Buffer.from(block('sealed')), publicKey, Buffer.from(value, 'base64url'))).toBe(true)
  })

  test('shows every line with its expression and its value, and the result', () => {
    const rows = [...example.matchAll(/^\| `(\w+)` \| `([^`]+)` \| .+ \| `([^`]+)` \|$/gm)].map(([, ...cells]) => cells)
    expect(rows).toEqual(receipt.body.steps.map(({ name, expr, value }) => [name, expr, value]))
    const { adjustmentPct, cumulativePct, price, factor, components } = receipt.body.result
    for (const figure of [
      factor,
      adjustmentPct,
      cumulativePct,
      price,
      components[0]!.change,
      components[0]!.contribution,
    ])
      expect(example).toContain(`\`${figure}\``)
  })

  test('holds, and says so and what is wrong with a damaged one as printed', async () => {
    expect((await judge(receipt)).problems).toEqual([])
    expect(read('test/golden/samples/example.lines')).toBe(`exit 0\n${block('lines')}\n`)
    const body = { ...receipt.body, result: { ...receipt.body.result, price: '12.61' } }
    const { difference, problems } = await judge({ ...receipt, body })
    expect(block('damaged').split('\n')).toEqual([
      ...problems.slice(0, -1).map(each => `refused: ${each}`),
      `different: ${difference!.line}: the receipt says ${difference!.written}, recomputed ${difference!.recomputed}`,
    ])
    expect(problems.length).toBe(3)
  })
})

test('the README prints the SHA-256 of the second verifier that packages carry', () => {
  expect(read('README.md')).toContain(`\`${sha256(read('verifier/assize_verify.py'))}\``)
})

interface AnySchema {
  readonly properties?: Readonly<Record<string, AnySchema>>
  readonly items?: AnySchema
  readonly anyOf?: readonly AnySchema[]
  readonly patternProperties?: Readonly<Record<string, AnySchema>>
  readonly enum?: readonly string[]
}

function namesIn({
  properties = {},
  items,
  anyOf = [],
  patternProperties = {},
  enum: choices = [],
}: AnySchema): string[] {
  const inside = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...anyOf,
    ...Object.values(patternProperties),
  ]
  return [...Object.keys(properties), ...choices, ...inside.flatMap(namesIn)]
}

test('every field of everything that is signed, and every value that may be chosen, is named', () => {
  const schemas = [receiptShape.schema, correctionReceipt.schema, spliceBodySchema, amendmentBodySchema]
  const names = new Set(schemas.flatMap(each => namesIn(each as AnySchema)))
  expect(names.size).toBeGreaterThan(150)
  expect([...names].filter(name => !new RegExp(`\\b${name}\\b`).test(whole))).toEqual([])
})
