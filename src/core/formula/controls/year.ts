// The limits of a year: the most that the price may move from where it stood when the year began, however many adjustments the
// year has.
import { civilOf, type Day } from '../../time/day.ts'
import { type ChoiceKey, choiceBeside } from '../check/keys.ts'
import type { Formula } from '../formula.ts'
import type { YearFactorName } from '../resolve.ts'
import {
  type ClauseNumber,
  type ClauseTerms,
  type LimitSide,
  limitSides,
  type StepSource,
  type YearKind,
  type YearLimit,
} from '../terms.ts'
import type { ClauseReader } from './clause-reader.ts'
import type { Compiling, Control } from './control.ts'
import { line, onePlusPercent, previousApplied } from './expressions.ts'
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

/** Names, in expressions, of the factor in force when the year began. */
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

export const year: Control<ClauseTerms['year']> = {
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
  explain: explaining => explaining.giveLimited('year', 'yearCap', 'yearFloor'),
  tell: {
    held: narrator => {
      const { cap, floor } = narrator.clause.year
      if (narrator.isLimitedBy('year', 'cap'))
        narrator.say(
          `The cap of ${narrator.limit(cap!.pct)} a year leaves ${narrator.pct(narrator.held)}${narrator.laterWords('cap')}.`,
        )
      if (narrator.isLimitedBy('year', 'floor'))
        narrator.say(
          `The floor of ${narrator.limit(floor!.pct)} a year ${narrator.stopped(narrator.held)} ${narrator.pct(narrator.held)}${narrator.carriedWords('floor')}.`,
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

/** Whether a clause needs the factor at the beginning of a year. */
export function hasYearLimit({ year: part }: Pick<ClauseTerms, 'year'>): boolean {
  return part.cap !== null || part.floor !== null
}

/** Why the lines of a clause cannot be written as steps of a document; null where they can. */
export function whyNotWritten({ year: { cap, floor } }: Pick<ClauseTerms, 'year'>): string | null {
  return cap?.year === 'ROLLING' || floor?.year === 'ROLLING'
    ? 'A limit of the twelve months before each adjustment (year: ROLLING) cannot be written as steps: it needs the price factor in force a year before, and a step only knows the period before. From anniversary to anniversary or from 1 January it can.'
    : null
}

/**
 * The lines of a formula as steps that a document may have. Only a clause knows the factor in force when a year began;
 * as steps it is three lines: the year, whether the date opens it, and the factor. The first date of a year takes the
 * factor before it, and so does the date after one that opened the year.
 */
export function writeOutYears({ steps, inputs, params, tables, contract, effectiveFrom }: Formula): StepSource[] {
  const taken = new Set([...steps, ...inputs, ...params, ...tables].map(({ name }) => name))
  const free = (stem: string) => {
    let name = stem
    while (taken.has(name)) name += '_'
    return name
  }
  const begin = contract.restart ? effectiveFrom : contract.start
  const years: readonly Year[] = [
    { name: factors.CONTRACT, stem: 'contract_year', ...yearFrom(begin, !contract.restart) },
    { name: factors.CALENDAR, stem: 'calendar_year', number: 'year', first: `${civilOf(begin).year}`, ...january },
  ]
  const written = new Set<string>()
  return steps.flatMap(step => {
    const asked = years.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(step.expr))
    const before = asked.filter(({ name }) => !written.has(name)).flatMap(each => yearLines(each, free))
    for (const { name } of asked) written.add(name)
    const expr = asked.reduce((text, { name, stem }) => text.replaceAll(name, free(`${stem}_factor`)), step.expr)
    return [...before, { ...step, expr }]
  })
}

/** A kind of year, as expressions. */
interface Year {
  /** The factor at its beginning, by its name in the lines of a clause. */
  readonly name: YearFactorName
  readonly stem: string
  /** The year of a date, and the year in which the contract began. */
  readonly number: string
  readonly first: string
  /** Whether a date is the first day of its year. */
  readonly opens: string
}

const january = { opens: 'month == 1 and day == 1' } as const

/** A year from one anniversary to the next; 29 February is the 28th in other years. */
function yearFrom(begin: Day, isFromStart: boolean): Pick<Year, 'number' | 'first' | 'opens'> {
  const { year: first, month, day } = civilOf(begin)
  const onDay = day > 28 ? `min(${day}, daysInMonth)` : `${day}`
  const opens = `month == ${month} and day == ${onDay}`
  if (isFromStart) return { number: 'yearsSinceStart', first: '0', opens }
  const hasCome = `month > ${month} or (month == ${month} and day >= ${onDay})`
  return { number: `if(${hasCome}, year, year - 1)`, first: `${first}`, opens }
}

function yearLines({ stem, number, first, opens }: Year, free: (stem: string) => string): StepSource[] {
  const [named, opening, factor] = [free(stem), free(`${stem}_opens`), free(`${stem}_factor`)]
  const goesOn = `${named} == prev(${named}, ${first}) and prev(${opening}, 0) == 0`
  return [
    line(named, number, 'the year of the limit'),
    line(opening, `if(${opens}, 1, 0)`, '1 on the first day of the year'),
    line(factor, `if(${goesOn}, prev(${factor}, 1), ${previousApplied})`, 'the factor in force when the year began'),
  ]
}
