// The shared worked examples, if they are present: each document over its observations, in process,
// compared with what its source printed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkDocument } from '../../src/core/formula/check/check.ts'
import type { Calculation } from '../../src/core/receipt/calculation.ts'
import { evaluateText } from '../support/agreements/evaluate-text.ts'

interface Expected {
  readonly refused?: boolean
  readonly expect?: readonly {
    readonly period: string
    readonly step?: string
    readonly shown?: string
    readonly field?: 'adjustmentPct' | 'cumulativePct' | 'price' | 'dataVersion'
    readonly equals?: string
  }[]
  readonly blocked?: readonly { readonly period: string }[]
}

const folder = fileURLToPath(new URL('../../../shared/worked-examples', import.meta.url))

const cases = existsSync(folder)
  ? readdirSync(folder).filter(name => existsSync(join(folder, name, 'expected.json')))
  : []

function read(name: string, file: string): string {
  return readFileSync(join(folder, name, file), 'utf8')
}

/** Sign and digits without idle zeros: 4.70 is 4.7; null where it is not a finite decimal. */
function decimal(text: string | undefined): string | null {
  const match = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(text?.trim() ?? '')
  if (!match) return null
  const whole = match[2]!.replace(/^0+(?=\d)/, '')
  const part = (match[3] ?? '').replace(/0+$/, '')
  const digits = part === '' ? whole : `${whole}.${part}`
  return match[1] === '-' && digits !== '0' ? `-${digits}` : digits
}

/** What differs, one line each. */
function differences(wanted: Expected, { adjustments, blocked }: Calculation): string[] {
  const lines = (wanted.expect ?? []).flatMap(({ period, step, shown, field, equals }) => {
    const entry = adjustments.find(candidate => candidate.period === period)
    if (entry === undefined) return [`${period}: no entry`]
    const line = entry.steps.find(candidate => candidate.name === step)
    const got = field === undefined ? (line?.shown ?? line?.value) : (entry[field] ?? undefined)
    const want = field === undefined ? shown : equals
    const holds = field === 'dataVersion' ? got === want : decimal(got) !== null && decimal(got) === decimal(want)
    return holds ? [] : [`${period} ${step ?? field}: expected ${want}, got ${got}`]
  })
  const unblocked = (wanted.blocked ?? [])
    .filter(
      ({ period }) =>
        adjustments.some(entry => entry.period === period) || !blocked.some(entry => entry.period === period),
    )
    .map(({ period }) => `${period}: must be blocked and have no entry`)
  return [...lines, ...unblocked]
}

describe('the shared worked examples', () => {
  test.each(cases.map(name => ({ name })))('$name comes out to the last printed digit', ({ name }) => {
    const wanted = JSON.parse(read(name, 'expected.json')) as Expected
    const document = read(name, 'pam.yaml')
    if (wanted.refused === true) {
      const { formula, problems } = checkDocument(document)
      expect(formula).toBeNull()
      expect(problems.map(({ path, message }) => `${path}: ${message}`).join('\n')).toMatch(/weight|clause|inputs/i)
      return
    }
    expect(differences(wanted, evaluateText(document, read(name, 'observations.csv')))).toEqual([])
  })

  test('compares decimals by their digits and names what differs', () => {
    expect(decimal('4.70')).toBe(decimal('4.7'))
    expect(decimal('4.7000001')).not.toBe(decimal('4.7'))
    expect(decimal('-0.0')).toBe('0')
    const nothing: Calculation = { pam: 'none', formulaVersion: 1, adjustments: [], blocked: [] }
    const wanted: Expected = {
      expect: [{ period: '2024', field: 'price', equals: '1' }],
      blocked: [{ period: '2025' }],
    }
    expect(differences(wanted, nothing)).toHaveLength(2)
  })
})
