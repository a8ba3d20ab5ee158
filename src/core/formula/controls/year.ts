// The limits of a year: how far the price may go from where it stood when the year began, whatever the number of
// adjustments in it.
import {
  type Clause,
  type ClauseNumber,
  type LimitSide,
  limitSides,
  type StepSource,
  type YearKind,
  type YearLimit,
} from '../formula.ts'
import { type ChoiceKey, choiceBeside } from '../keys.ts'
import type { YearFactorName } from '../resolve.ts'
import type { ClauseReader } from './clause-reader.ts'
import type { Compiling, Control } from './control.ts'
import { line, onePlusPercent } from './expressions.ts'
import { judgeOrder, levelBound, limitGroup, limitKey, readLimit } from './limits.ts'

const kindWords: Readonly<Record<YearKind, string>> = {
  CONTRACT: 'from anniversary to anniversary',
  ROLLING: 'the twelve months before',
  CALENDAR: 'from 1 January',
}

const kinds: Readonly<Record<LimitSide, ChoiceKey<YearKind>>> = {
  cap: kindKey('cap'),
  floor: kindKey('floor'),
}

function kindKey(side: LimitSide): ChoiceKey<YearKind> {
  const help =
    'say which year: the contract’s own (CONTRACT), the twelve months before each adjustment (ROLLING), or the calendar’s (CALENDAR)'
  return choiceBeside(`clause.${side}.year`, 'Which year', help, kindWords)
}

/** In an expression: the factor in force when the year began. */
const factors: Readonly<Record<YearKind, YearFactorName>> = {
  CONTRACT: 'contractYearFactor',
  ROLLING: 'yearAgoFactor',
  CALENDAR: 'calendarYearFactor',
}

const lines: Readonly<Record<LimitSide, string>> = { cap: 'year_cap', floor: 'year_floor' }
const sideWords: Readonly<Record<LimitSide, string>> = {
  cap: 'the highest factor this year',
  floor: 'the lowest factor this year',
}

export const year: Control<Clause['year']> = {
  name: 'year',
  keys: limitSides.flatMap(side => [
    limitKey(
      side,
      'yearPct',
      side === 'cap' ? 'At most in a year' : 'At least in a year',
      'in a year, all adjustments together',
    ),
    kinds[side],
  ]),
  points: { yearCap: 'the cap of the year', yearFloor: 'the floor of the year' },
  lines: Object.values(lines),
  check: reader => ({ cap: checkSide(reader, 'cap'), floor: checkSide(reader, 'floor') }),
  judge: ({ year: { cap, floor } }, reader) => {
    if (cap !== null && floor !== null && cap.year === floor.year) judgeOrder(reader, 'yearPct', cap.pct, floor.pct)
  },
  bounds: ({ year: { cap, floor } }) => ({
    above: cap === null ? [] : [levelBound(lines.cap)],
    below: floor === null ? [] : [levelBound(lines.floor)],
  }),
  behind: { step: compileLevels },
  explain: explaining => explaining.giveHeld('year', 'yearCap', 'yearFloor'),
  tell: {
    held: teller => {
      const { cap, floor } = teller.clause.year
      if (teller.isHeldBy('year', 'cap'))
        teller.say(
          `The cap of ${teller.limit(cap!.pct)} a year leaves ${teller.pct(teller.held)}${teller.laterWords('cap')}.`,
        )
      if (teller.isHeldBy('year', 'floor'))
        teller.say(
          `The floor of ${teller.limit(floor!.pct)} a year ${teller.stopped(teller.held)} ${teller.pct(teller.held)}${teller.carriedWords('floor')}.`,
        )
    },
  },
}

function checkSide(reader: ClauseReader, side: LimitSide): YearLimit | null {
  const pct: ClauseNumber | null = readLimit(reader, side, 'yearPct')
  const fields = limitGroup(reader, side)
  if (fields === null) return null
  if (!fields.has('yearPct')) {
    if (fields.has('year')) fields.refuse('year', 'year needs yearPct')
    return null
  }
  const kind = fields.requiredChosen('year', kinds[side])
  return pct === null || kind === null ? null : { pct, year: kind }
}

function compileLevels({ clause }: Compiling): StepSource[] {
  return limitSides.flatMap(side => {
    const limit = clause.year[side]
    return limit === null
      ? []
      : [line(lines[side], `${onePlusPercent(limit.pct)} * ${factors[limit.year]}`, sideWords[side])]
  })
}

/** Whether a clause asks for the factor at the beginning of a year. */
export function hasYearLimit({ year: part }: Pick<Clause, 'year'>): boolean {
  return part.cap !== null || part.floor !== null
}
