// Equality of the states that periods pass on. Lines that only one state has are not compared: receipts of different ages keep
// different lines.

import { equal, type Ratio } from '../numbers/ratio.ts'
import type { AppliedFactor, Carried } from './adjustment.ts'
import type { TakenReading } from './series-reading.ts'

/** Whether the number and the carried state are equal. */
export function isSameState(a: Carried, b: Carried): boolean {
  if (a === b) return true
  const isSame =
    equal(a.factor, b.factor) &&
    a.last.date === b.last.date &&
    areSameNumbers(a.steps, b.steps) &&
    areSameReadings(a.readings, b.readings)
  // Two states that were applied on their own dates have been compared already.
  if (!isSame || (a.last.date === a.date && b.last.date === b.date)) return isSame
  return areSameNumbers(a.last.steps, b.last.steps) && areSameReadings(a.last.readings, b.last.readings)
}

/** Equality with the factors of the past year, on which a year limit may depend later. */
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
