// Whatever somebody makes of receipts, corrections, slips and packages: `verify` says in lines why it refuses them, never with a trace,
// and does not hold for another number than was signed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { hashOf, type Receipt, sealedHash } from '../../src/core/receipt/receipt.ts'
import { judgeDeceiving } from '../faults/deceiving.ts'
import { largeTexts } from '../support/files/deceiving-files.ts'
import { resealed, slipKey, slipOf } from '../support/files/foreign-fields.ts'
import { verifiedLines } from '../support/files/verified-lines.ts'
import { runCommand } from '../support/houses/command-house.ts'
import { scenario } from '../support/run/long-test.ts'

const folder = mkdtempSync(join(tmpdir(), 'assize-deceiving-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const example = () =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../golden/samples/example.json'), 'utf8')) as Receipt
const judged = async (text: string, ...words: string[]) => {
  const path = join(folder, 'file')
  writeFileSync(path, text)
  return verifiedLines(path, ...words)
}

scenario(
  'deceiving',
  'F36: files made to deceive are judged in lines, without a trace, and none that was changed holds',
  { short: 150, long: 20_000, seed: 36 },
  judgeDeceiving,
)

describe('a receipt', () => {
  const withExpression = (expr: string) => {
    const receipt = example()
    ;(receipt.body.steps[0] as { expr: string }).expr = expr
    return judged(JSON.stringify(resealed(receipt)))
  }

  test('with an empty line or one that computes too much is refused in one line', async () => {
    expect(await withExpression('')).toEqual({
      status: 1,
      lines: [`assize: the receipt's formula 1 is refused: steps[0].expr: the expression is empty, at character 1`],
    })
    const nested = Array.from({ length: 20 }).reduce<string>(inner => `pow(${inner}, 400)`, 'steel / steel.base')
    const { status, lines } = await withExpression(nested)
    expect([status, lines.length]).toEqual([1, 1])
    expect(lines[0]).toMatch(/^assize: the receipt's data do not suffice: .* takes too long/)
  })

  test('with as many publications of one period as fit into it is read in one pass', async () => {
    const receipt = example()
    const [one] = receipt.body.observations
    const observations = Array.from({ length: 20_000 }, (_, i) => ({
      ...one!,
      value: `${i}.5`,
      published: `2024-01-01T00:00:00.${String(i).padStart(6, '0')}Z`,
    }))
    const { status, lines } = await judged(
      JSON.stringify(resealed({ ...receipt, body: { ...receipt.body, observations } })),
    )
    expect([status, lines.length]).toEqual([1, 1])
  })

  test('of 20 MB is refused for the number of its values, before memory is taken for them', async () => {
    const { status, lines } = await judged(largeTexts().next().value!.text)
    expect([status, lines]).toEqual([
      1,
      ['assize: the receipt cannot be read as strict JSON: it holds more than 1000000 values (line 1)'],
    ])
  })

  test('sealed by a point of small order is not sealed, in whichever encoding', async () => {
    const p = 2n ** 255n - 19n
    const order8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n
    const encoded = (y: bigint, sign: number) => {
      const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse()
      bytes[31] = bytes[31]! | (sign << 7)
      return bytes
    }
    const points = [0n, 1n, p - 1n, p, p + 1n, order8, p - order8].flatMap(y => [encoded(y, 0), encoded(y, 1)])
    const receipt = example()
    for (const key of points)
      for (const first of points) {
        const value = Buffer.concat([first, Buffer.alloc(32)]).toString('base64url')
        const publicKey = key.toString('base64url')
        const hash = hashOf(receipt.body)
        const { lines } = await judged(
          JSON.stringify({ ...receipt, hash, seal: { algorithm: 'Ed25519', publicKey, value } }),
        )
        expect(lines, `${publicKey} ${sealedHash(receipt)}`).toContain(
          'refused: seal: it is not one of this receipt under the key it names',
        )
      }
  })
})

test('a slip that is damaged is refused in one line', async () => {
  expect((await judged(slipOf({}), '--log-key', slipKey)).status).toBe(0)
  for (const text of [
    slipOf({ line: 'no entry' }),
    slipOf({ content: { text: '{}', salt: '' } }),
    slipOf({ line: `1|redaction|x|${'0'.repeat(64)}`, content: { text: 'x', salt: '' } }),
    slipOf({}).slice(0, 100),
  ]) {
    const { status, lines } = await judged(text, '--log-key', slipKey)
    expect([status, lines.length], lines.join('\n')).toEqual([1, 1])
  }
})

test('called without a file, it says how it is called', async () => {
  const { status, out, err } = await runCommand(['verify'], {})
  expect([status, out]).toEqual([2, ''])
  expect(err).toMatch(/^assize: usage: assize verify <receipt\.json\|package\.zip\|slip\.txt> /)
})
