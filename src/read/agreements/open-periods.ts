// Open periods of an agreement, those not signed by both, as a number each: the day, and who has to sign. There may be hundreds in
// each of thousands of agreements, and all of them are counted.
import type { Party } from '../../core/parties.ts'
import { formatDay, parseDay } from '../../core/time/day.ts'

/** An adjustment date that is not signed by both, and who has to sign it. */
export interface OpenPeriod {
  readonly date: string
  readonly waitsFor: readonly Party[]
  /** Whether an objection to its number is open. */
  readonly isDisputed: boolean
}

/** Sorted by date. Plain numbers, so that they are written and read as they are. */
export type PackedPeriods = readonly number[]

const buyerBit = 1
const supplierBit = 2
const disputedBit = 4
const dayUnit = 8

export function packPeriods(periods: readonly OpenPeriod[]): PackedPeriods {
  return periods.map(({ date, waitsFor, isDisputed }) => {
    const sides = (waitsFor.includes('buyer') ? buyerBit : 0) + (waitsFor.includes('supplier') ? supplierBit : 0)
    return parseDay(date)! * dayUnit + sides + (isDisputed ? disputedBit : 0)
  })
}

/** Whether a period waits for a side, without unpacking it. */
export function waitsForSide(packed: number, party: Party): boolean {
  return (bitsOf(packed) & (party === 'buyer' ? buyerBit : supplierBit)) !== 0
}

export function isDisputedPeriod(packed: number): boolean {
  return (bitsOf(packed) & disputedBit) !== 0
}

/** Days before 1970 are negative. */
function bitsOf(packed: number): number {
  return ((packed % dayUnit) + dayUnit) % dayUnit
}

const sidesByBits: readonly (readonly Party[])[] = [[], ['buyer'], ['supplier'], ['buyer', 'supplier']]

export function unpackPeriod(packed: number): OpenPeriod {
  const bits = bitsOf(packed)
  return {
    date: formatDay((packed - bits) / dayUnit),
    waitsFor: sidesByBits[bits & (buyerBit | supplierBit)]!,
    isDisputed: (bits & disputedBit) !== 0,
  }
}
