// The second verifier, written in Python from docs/RECEIPT.md alone, has the status and the first reason of `verify`: of every golden
// receipt and sample, and of damaged ones; and it finds by itself what is wrong in figures that somebody sealed again.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { buildVerifier } from '../../build/verifier.ts'
import type { Receipt } from '../../src/core/receipt/receipt.ts'
import type { CorrectionReceipt } from '../../src/core/true-up/correction-receipt.ts'
import { damagedSamples, readSamples } from '../support/files/damaged-samples.ts'
import { resealed, type WrittenProof } from '../support/files/foreign-fields.ts'
import { disagreement, hasPython, secondVerdicts, secondVerifier } from '../support/files/second-verifier.ts'
import { verifiedLines } from '../support/files/verified-lines.ts'

const folder = mkdtempSync(join(tmpdir(), 'assize-verifiers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, bytes: Buffer | string): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

test('the file that is handed out is built from the modules', () => {
  expect(readFileSync(secondVerifier, 'utf8')).toBe(buildVerifier())
})

describe.skipIf(!hasPython)('the second verifier', () => {
  test('has the status and the first reason of the first for every golden file, and for 40 damaged ones', async () => {
    const files = [...readSamples().map(sample => ({ ...sample, damage: 'as it is' })), ...damagedSamples(40)]
    const paths = files.map(({ name, bytes }) => write(name, bytes))
    const second = secondVerdicts(paths.map(path => ({ path })))
    for (const [at, path] of paths.entries()) {
      const { name, damage } = files[at]!
      // One that says other things than its lines, and a component of the sharing, which only a compiler finds.
      const isSealedAgain = damage.endsWith('sealed again') || name === 'different-component.json'
      expect(disagreement(await verifiedLines(path), second[at]!, isSealedAgain), `${name}: ${damage}`).toBe(null)
    }
    expect(second.filter(({ status }) => status === 0).length).toBeGreaterThan(60)
  })

  test('trusts no key that has ended by the published list, and one that is named beside it', async () => {
    const { name, bytes } = readSamples().find(each => each.name === 'clause-fixed-base.json')!
    const path = write(name, bytes)
    const { publicKey } = (JSON.parse(bytes.toString()) as Receipt).seal!
    const keys = [{ algorithm: 'Ed25519', publicKey, endedAt: '2026-05-01T08:00:00.000000Z' }]
    const list = write('ended-keys.json', JSON.stringify({ installation: { id: 'ins_x', name: null }, keys }))
    for (const words of [
      ['--trust', list],
      ['--trust', list, '--trust', `ed25519:${publicKey}`],
    ]) {
      const [second] = secondVerdicts([{ path, words }])
      expect(second!.status, words.join(' ')).toBe(words.length === 2 ? 1 : 0)
      expect(disagreement(await verifiedLines(path, ...words), second!, false), words.join(' ')).toBe(null)
    }
  })

  test('finds every figure of a line and of the result that was changed and sealed again', async () => {
    const receipts = readSamples().filter(({ name }) => /^(?:clause|steps|versions)-.*\.json$/.test(name))
    const changed = receipts.flatMap(({ name, bytes }) => {
      const places = figuresIn((JSON.parse(bytes.toString()) as Receipt).body)
      return places.map(path => {
        const receipt = JSON.parse(bytes.toString()) as Receipt
        const { at, key } = follow(receipt.body, path)
        at[key] = String(at[key]).replace(/\d/, digit => String((Number.parseInt(digit, 10) + 1) % 10))
        return { what: `${name}: ${path.join('.')}`, path: write(`${name}-${path.join('-')}`, text(resealed(receipt))) }
      })
    })
    expect(changed.length).toBeGreaterThan(300)
    const second = secondVerdicts(changed)
    for (const [at, { what, path }] of changed.entries()) {
      const first = await verifiedLines(path)
      expect([first.status, second[at]!.status], what).toEqual([1, 1])
      expect(second[at]!.lines[0], what).toMatch(/^different: |^assize: the receipt's data do not suffice/)
    }
  })

  test('finds every amount of a correction that was changed and sealed again', async () => {
    const { bytes } = readSamples().find(({ name }) => name === 'correction-agreed.json')!
    const amounts: readonly (readonly (string | number)[])[] = [
      ['net'],
      ['parts', 0],
      ['periods', 0, 'factorBefore'],
      ['periods', 0, 'factorAfter'],
      ['periods', 0, 'priceAfter'],
      ['periods', 0, 'amount'],
      ['prices', 0, 'movementAfter'],
      ['prices', 0, 'after'],
      ['lines', 0, 'amountBefore'],
      ['lines', 0, 'amountAfter'],
      ['lines', 0, 'amount'],
      ['lines', 0, 'quantity'],
    ]
    const paths = amounts.map(path => {
      const correction = JSON.parse(bytes.toString()) as CorrectionReceipt
      const { at, key } = follow(correction.body, path)
      at[key] = String(at[key]).replace(/\d/, digit => String((Number.parseInt(digit, 10) + 1) % 10))
      return write(`correction-${path.join('-')}`, text(resealed(correction)))
    })
    for (const [at, second] of secondVerdicts(paths.map(path => ({ path }))).entries()) {
      const first = await verifiedLines(paths[at]!)
      expect(second, amounts[at]!.join('.')).toEqual(first)
      expect(second.lines[0]).toMatch(/^different: /)
    }
  })

  test('names a figure that was changed by its hash, as the first does', async () => {
    const { name, bytes } = readSamples().find(each => each.name === 'example.json')!
    const path = write(name, bytes.toString().replace('"251.0"', '"252.0"'))
    const [verdict] = secondVerdicts([{ path }])
    expect(verdict!.status).toBe(1)
    expect(verdict!.lines).toEqual((await verifiedLines(path)).lines)
    expect(verdict!.lines[0]).toMatch(/^refused: hash: /)
  })
})

/** The lines that follow from others, and the figures of the result. */
function figuresIn({ steps, result }: Receipt['body']): readonly (readonly (string | number)[])[] {
  const lines = steps.flatMap(({ expr }, i) => (/\.|daysIn|YearFactor/.test(expr) ? [] : [['steps', i, 'value']]))
  const figures = ['factor', 'adjustmentPct', 'cumulativePct', 'price', 'surcharge'] as const
  return [...lines, ...figures.filter(each => typeof result[each] === 'string').map(each => ['result', each])]
}

function follow(tree: object, path: readonly (string | number)[]) {
  const key = path.at(-1)! as string
  const at = path.slice(0, -1).reduce<unknown>((inside, each) => (inside as Record<string, unknown>)[each], tree)
  return { at: at as Record<string, unknown>, key }
}

function text(proof: WrittenProof): string {
  return JSON.stringify(proof)
}
