// Random histories of one agreement: a clause, figures that are printed and revised, signing, lines, a policy, and days on
// which both sides agree on what is due. Plain texts and whole numbers, read by the product and by the clerk alike.
import type { Chance } from '../faults/chance.ts'

export const kinds = [
  'FIXED',
  'CHAINED',
  'FIXED_THRESHOLD',
  'CHAINED_THRESHOLD',
  'FIXED_CAP',
  'CHAINED_CAP',
  'CHAINED_FLOOR',
] as const
export type Kind = (typeof kinds)[number]

/** A figure as printed once; days are counted from the start of the contract. */
export interface Print {
  readonly day: number
  readonly tag: 'P' | 'F' | 'R'
  /** In tenths; null for a withdrawal. */
  readonly tenths: number | null
}

export interface Policy {
  readonly when: 'NONE' | 'FINAL' | 'EACH' | 'YEARLY' | 'END'
  readonly level: 'HEAL' | 'REBASE'
  /** In minor units. */
  readonly min: { readonly units: number; readonly below: 'KEEP' | 'WAIVE' } | null
  readonly within: { readonly months: number; readonly of: 'PERIOD' | 'PUBLICATION' | 'INVOICE' } | null
  readonly spread: number | null
}

export interface Line {
  readonly number: number
  readonly item: number
  /** In hundredths. */
  readonly quantity: number
  readonly day: number
  readonly imported: number
  /** In minor units. */
  readonly billed: number
  readonly isCorrection: boolean
}

export interface History {
  readonly kind: Kind
  /** Months from one adjustment to the next. */
  readonly months: number
  /** Of each period, from the first adjustment on: what its reading was printed as. */
  readonly figures: readonly (readonly Print[])[]
  /** Null: the base is the value 100. */
  readonly base: readonly Print[] | null
  readonly signAfter: number
  readonly currency: 'EUR' | 'JPY' | 'KWD'
  /** Base prices in hundredths, and shares that move in tenths. */
  readonly items: readonly { readonly hundredths: number; readonly share: number }[]
  readonly policy: Policy | null
  /** With REBASE: the day from which on the policy says HEAL; null: never. */
  readonly healsFrom: number | null
  readonly isEnding: boolean
  readonly lines: readonly Line[]
  readonly quantities: readonly { readonly item: number; readonly period: number; readonly quantity: number }[]
  readonly agreeOn: readonly number[]
  /** Of each part of a correction: so many days later its note is issued. */
  readonly noteAfter: number
  readonly lookOn: readonly number[]
  readonly lastDay: number
}

/** The first month of the contract; it begins on its first day. */
export const startYear = 2020

export function dateOfPeriod({ months }: Pick<History, 'months'>, period: number): number {
  return monthStart(months * (period + 1))
}

/** The first day of a month after the start, in days from the start. */
export function monthStart(months: number): number {
  return Math.round((Date.UTC(startYear, months, 1) - Date.UTC(startYear, 0, 1)) / 86_400_000)
}

export function dayText(day: number): string {
  return new Date(Date.UTC(startYear, 0, 1) + day * 86_400_000).toISOString().slice(0, 10)
}

export function drawHistory(chance: Chance): History {
  const months = chance.pick([1, 3])
  const count = chance.int(2, 6)
  const signAfter = chance.int(12, 60)
  const dates = Array.from({ length: count }, (_, i) => monthStart(months * (i + 1)))
  const lastDay = dates.at(-1)! + signAfter + chance.int(70, 420)
  const figures = dates.map(date => drawPrints(chance, date + chance.int(2, 10), lastDay, date + signAfter))
  const base = chance.chance(50) ? null : drawPrints(chance, -chance.int(1, 20), lastDay, null)
  const items = Array.from({ length: chance.int(1, 2) }, (_, i) => ({
    hundredths: chance.int(100, 50_000),
    share: i === 0 ? 10 : chance.int(2, 9),
  }))
  const days = [...figures, ...(base === null ? [] : [base])].flat().map(({ day }) => day)
  const agreeOn = chance.chance(30)
    ? []
    : days.filter(day => day > 0 && chance.chance(60)).map(day => day + chance.int(0, 40))
  const policy = chance.chance(8) ? null : drawPolicy(chance)
  const isSwitched = policy?.level === 'REBASE' && chance.chance(40)
  return {
    kind: chance.pick(kinds),
    months,
    figures,
    base,
    signAfter,
    currency: chance.pick(['EUR', 'EUR', 'JPY', 'KWD'] as const),
    items,
    policy,
    healsFrom: isSwitched ? chance.int(dates[0]!, lastDay) : null,
    isEnding: chance.chance(60),
    lines: drawLines(chance, dates, items.length, lastDay),
    quantities: chance.chance(30)
      ? dates.flatMap((_, period) => (chance.chance(50) ? [{ item: 0, period, quantity: chance.int(1, 90_000) }] : []))
      : [],
    agreeOn: [...new Set([...agreeOn, lastDay])].filter(day => day <= lastDay).sort((a, b) => a - b),
    noteAfter: chance.int(1, 60),
    lookOn: Array.from({ length: 3 }, () => chance.int(0, lastDay)),
    lastDay,
  }
}

/** Withdrawn only after `agreed`, and never where that is null. */
function drawPrints(chance: Chance, first: number, lastDay: number, agreed: number | null): Print[] {
  const value = () => chance.int(930, 1120)
  const prints: Print[] = [{ day: first, tag: chance.pick(['P', 'P', 'F'] as const), tenths: value() }]
  const revisions = chance.int(0, 3)
  for (let i = 0; i < revisions; i++) {
    const day = prints.at(-1)!.day + chance.int(3, 150)
    if (day > lastDay) break
    const isWithdrawn = agreed !== null && day > agreed && chance.chance(6)
    // Now and then the same again, or back to what it was first.
    const again = chance.chance(20) ? prints.at(-1)!.tenths : chance.chance(25) ? prints[0]!.tenths : null
    const tenths = isWithdrawn ? null : (again ?? value())
    prints.push({ day, tag: chance.pick(['P', 'F', 'F', 'R'] as const), tenths })
  }
  return prints
}

function drawPolicy(chance: Chance): Policy {
  const when = chance.pick(['NONE', 'FINAL', 'FINAL', 'EACH', 'EACH', 'EACH', 'YEARLY', 'END'] as const)
  return {
    when,
    level: when === 'NONE' ? 'HEAL' : chance.pick(['HEAL', 'REBASE'] as const),
    min: chance.chance(30) ? { units: chance.int(0, 3_000_000), below: chance.pick(['KEEP', 'WAIVE'] as const) } : null,
    within: chance.chance(45)
      ? { months: chance.int(1, 12), of: chance.pick(['PERIOD', 'PUBLICATION', 'PUBLICATION', 'INVOICE'] as const) }
      : null,
    spread: chance.chance(30) ? chance.int(1, 6) : null,
  }
}

function drawLines(chance: Chance, dates: readonly number[], items: number, lastDay: number): Line[] {
  const last = Math.min(dates.at(-1)! + 27, lastDay)
  return Array.from({ length: chance.int(0, 8) }, (_, i) => {
    const day = chance.int(0, last)
    return {
      number: i + 1,
      item: chance.int(0, items - 1),
      quantity: chance.chance(20) ? -chance.int(1, 5_000) : chance.int(1, 90_000),
      day,
      imported: chance.int(day, lastDay),
      billed: chance.int(-20_000, 900_000),
      isCorrection: chance.chance(5),
    }
  })
}
