// The smallest contract a clause can have: one annual index against a base of 100, one adjustment a year from 2021 on.
import type { Calculation } from '../../../src/core/receipt/calculation.ts'
import { evaluateText, observations } from './evaluate-text.ts'

export interface ClauseExample {
  /** The clause as a YAML flow mapping. */
  readonly clause: string
  /** Readings of 2021, 2022 and so on, beside a base of 100; null where there is none. */
  readonly readings: readonly (string | null)[]
  /** Further lines of the document, at the left margin. */
  readonly more?: string
  readonly price?: string
}

export function runClause({ clause, readings, more = '', price = '' }: ClauseExample): Calculation {
  const document = `
slug: one-index
contract:
  start: 2020-01-01
  end: ${2020 + readings.length}-12-31
  frequency: ANNUAL
  ${price}
inputs:
  index: { series: CUSTOM/index, weight: 1, base: { value: 100 } }
clause: ${clause}
${more}`
  const known = readings.flatMap((value, i): [string, string][] => (value === null ? [] : [[`${2021 + i}`, value]]))
  return evaluateText(document, observations({ 'CUSTOM/index': Object.fromEntries(known) }))
}
