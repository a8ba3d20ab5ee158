// Whether two states that a period passes on are the same. What only one of them has is not compared: receipts of
// different ages keep different lines.

import { equal, type Ratio } from '../numbers/ratio.ts'
import type { AppliedFactor, Carried } from './adjustment.ts'
import type { TakenReading } from './series-reading.ts'

/** Whether the number and everything carried on are the same. */
export function isSameState(a: Carried, b: Carried): boolean {
  if (a === b) return true
  const isSame =
    equal(a.factor, b.factor) &&
    a.last.date === b.last.date &&
    areSameNumbers(a.steps, b.steps) &&
    areSameReadings(a.readings, b.readings)
  // Where both were applied on their own dates, what was last applied is what was just compared.
  if (!isSame || (a.last.date === a.date && b.last.date === b.date)) return isSame
  return areSameNumbers(a.last.steps, b.last.steps) && areSameReadings(a.last.readings, b.last.readings)
}

/** The same with the factors of the past year, on which a year limit may depend later. */
export function isSameWithFactors(a: Carried, b: Carried): boolean {
  return isSameState(a, b) && areSameFactors(a.factors, b.factors)
}

function areSameFactors(a: readonly AppliedFactor[], b: readonly AppliedFactor[]): boolean {
  return a.length === b.length && a.every(({ date, factor }, i) => date === b[i]!.date && equal(factor, b[i]!.factor))
}

function areSameNumbers(a: ReadonlyMap<string, Ratio>, b: ReadonlyMap<string, Ratio>): boolean {
  return a.entries().every(([name, value]) => {
    const other = b.get(name)
    return other === undefined || equal(value, other)
  })
}

function areSameReadings(a: ReadonlyMap<string, TakenReading>, b: ReadonlyMap<string, TakenReading>): boolean {
  return a.entries().every(([name, { value }]) => {
    const other = b.get(name)
    return other === undefined || equal(value, other.value)
  })
}
