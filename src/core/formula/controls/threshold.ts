// The threshold: the movement of the indices that adjusts the price, and whether the whole movement is then paid or only the
// excess.
import {
  absolute,
  add,
  compare,
  divide,
  hundred,
  multiply,
  one,
  type Ratio,
  subtract,
  zero,
} from '../../numbers/ratio.ts'
import { choiceKey, type KeySpec, number } from '../check/keys.ts'
import type { ClauseNumber, ClauseTerms, StepSource, Threshold } from '../terms.ts'
import { carriedSides, isWorkedBack, mayReachZero, mayStayStill, sharesOf, wholeIsPaid } from './clause-facts.ts'
import type { ClauseReader } from './clause-reader.ts'
import type { ClauseReading, ClauseSubject, Compiling, Control } from './control.ts'
import { group, isOne, line, percent, previousApplied } from './expressions.ts'
import type { Narrator } from './narrator.ts'

const test = choiceKey(
  'clause.threshold.test',
  'Moves when it is',
  'say whether the price moves when the threshold is exceeded (EXCEEDS) or already when it is reached (REACHES)',
  { EXCEEDS: 'exceeded', REACHES: 'reached' },
)
const pays = choiceKey(
  'clause.threshold.pays',
  'Then paid',
  'say whether the whole movement is paid (ALL) or only what exceeds the threshold (EXCESS)',
  { ALL: 'the whole movement', EXCESS: 'only what goes beyond' },
)
const since = choiceKey(
  'clause.threshold.since',
  'Measured since',
  'The starting point of the movement that has to meet the threshold.',
  { LAST: 'the price last moved', BASE: 'the base' },
  'LAST',
)
const inside = choiceKey(
  'clause.threshold.inside',
  'Back inside the band',
  'What happens when a price that had moved comes back inside the band.',
  { KEEP: 'the price stays as it is', RETURN: 'the price is the base price again' },
  'KEEP',
)

const keys: readonly KeySpec[] = [
  {
    path: 'clause.threshold',
    label: 'Threshold',
    help: 'The movement that is needed before the price changes at all.',
    value: { kind: 'mapping' },
  },
  {
    path: 'clause.threshold.pct',
    label: 'Threshold',
    help: 'The movement, up or down, that has to be reached or exceeded.',
    value: number('percent', true),
    required: true,
  },
  test,
  pays,
  since,
  inside,
]

export const threshold: Control<Threshold | null> = {
  name: 'threshold',
  keys,
  points: { threshold: 'the threshold' },
  lines: ['payable', 'threshold_met', 'movement_applied'],
  check: checkThreshold,
  judge: judgeThreshold,
  link: { line: 'payable', note: 'the movement, or its excess over the threshold', expr: payable },
  behind: { step: compileTest },
  explain: explaining => {
    explaining.giveLink('threshold', 'payable')
    if (!explaining.isMoving) explaining.give('threshold', subtract(zero, explaining.stepPct))
  },
  tell: { payable: explainExcess },
  readings: readPays,
}

const example = '{ pct: 3, test: EXCEEDS, pays: ALL }'

function checkThreshold(reader: ClauseReader): Threshold | null {
  const fields = reader.group('threshold', example)
  if (fields === null) return null
  const { numbers } = reader
  const pct = numbers.read(fields, 'pct')
  if (!fields.has('pct')) fields.refuse('pct', 'pct is missing')
  if (pct !== null) numbers.range(fields, 'pct', pct, zero, null, 'a percentage of 0 or more')
  const tested = fields.requiredChosen('test', test)
  const paid = fields.requiredChosen('pays', pays)
  const from = fields.chosen('since', since)
  const within = fields.chosen('inside', inside)
  if (pct === null || tested === null || paid === null) return null
  return { pct, test: tested, pays: paid, since: from, inside: within }
}

function judgeThreshold({ basis, threshold: part }: ClauseTerms, reader: ClauseReader): void {
  if (part?.inside !== 'RETURN') return
  const lacks = [
    ...(basis === 'FIXED_BASE' ? [] : ['basis: FIXED_BASE']),
    ...(part.pays === 'ALL' ? [] : ['pays: ALL']),
    ...(part.since === 'BASE' ? [] : ['since: BASE']),
  ]
  if (lacks.length > 0)
    reader.group('threshold', example)!.refuse('inside', `RETURN goes with ${lacks.join(' and ')} only`)
}

function outside(value: string, { pct, test: tested }: Threshold): string {
  return `abs(${value}) ${tested === 'REACHES' ? '>=' : '>'} ${percent(pct)}`
}

function payable(before: string, { clause: { threshold: part } }: Compiling): string {
  if (part === null) return before
  if (part.inside === 'RETURN') return `if(${outside(before, part)}, ${before}, 0)`
  if (part.pays === 'ALL') return before
  const band = percent(part.pct)
  return `if(${before} > ${band}, ${before} - ${band}, if(${before} < -${group(band)}, ${before} + ${band}, 0))`
}

function compileTest({ clause, params }: Compiling): StepSource[] {
  const { threshold: part, basis, sharing } = clause
  if (part === null || !mayStayStill(clause)) return []
  const note = '1 where the threshold is met'
  if (part.pays === 'EXCESS') return [line('threshold_met', `if(${outside('movement', part)}, 1, 0)`, note)]
  const whole = wholeIsPaid(sharing, params)
  const isSince = part.since === 'LAST' && whole !== true && basis === 'FIXED_BASE'
  const met = [testOf(clause, part, whole), ...restConditions(clause)].join(' or ')
  const kept = 'if(threshold_met == 1, movement, prev(movement_applied, 0))'
  return [
    line('threshold_met', `if(${met}, 1, 0)`, note),
    ...(isSince ? [line('movement_applied', kept, 'the movement at the last applied adjustment')] : []),
  ]
}

function testOf(clause: ClauseTerms, part: Threshold, whole: boolean | string): string {
  if (part.since === 'BASE') return outside('movement', part)
  const ofStep = [
    ...(isWorkedBack(clause) && mayReachZero(clause) ? [`${previousApplied} == 0`] : []),
    outside('step', part),
  ].join(' or ')
  const ofMovement = clause.basis === 'FIXED_BASE' ? movedSince(part) : outside('movement', part)
  if (whole === true) return ofStep
  if (whole === false) return ofMovement
  return `${whole} and ${group(ofStep)} or not (${whole}) and ${ofMovement}`
}

/**
 * |(1 + movement) / (1 + movement then) - 1| against the threshold, without dividing: the movement then may have been
 * -100 %.
 */
function movedSince({ pct, test: tested }: Threshold): string {
  const then = 'prev(movement_applied, 0)'
  return `abs(movement - ${then}) ${tested === 'REACHES' ? '>=' : '>'} ${group(percent(pct))} * abs(1 + ${then})`
}

/**
 * Conditions for the carried rest: with a fixed base and carryForward the threshold is not tested again for it. In a chain the
 * rest is part of the next step, and the threshold is tested on the two together.
 */
function restConditions(clause: ClauseTerms): string[] {
  if (clause.basis === 'CHAINED') return []
  return carriedSides(clause).map(side =>
    side === 'cap' ? 'prev(held_back, 1) > 1 and step > 0' : 'prev(held_back, 1) < 1 and step < 0',
  )
}

function explainExcess(narrator: Narrator): void {
  const { threshold: part } = narrator.clause
  if (part === null || (part.pays !== 'EXCESS' && part.inside !== 'RETURN')) return
  const [movement, paid] = [narrator.line('movement'), narrator.line('payable')]
  if (movement.n === 0n) return
  const band = narrator.limit(part.pct)
  const words = narrator.fraction(paid)
  if (part.inside === 'RETURN') {
    if (paid.n === 0n) narrator.say(`That lies inside the threshold of ${band}: the price is the base price.`)
  } else if (paid.n === 0n) narrator.say(`That stays inside the threshold of ${band}, so nothing of it is paid.`)
  else narrator.say(`Only what exceeds the threshold of ${band} is paid: ${words}.`)
}

/** The outcome of the test in words; null where nothing is tested. */
export function explainTest(narrator: Narrator): { readonly met: boolean; readonly words: string } | null {
  const { clause } = narrator
  const met = narrator.lineOrNull('threshold_met')
  if (clause.threshold === null || met === null || clause.threshold.pays === 'EXCESS') return null
  const limit = `The threshold of ${narrator.limit(clause.threshold.pct)}`
  if (met.n === 0n) return { met: false, words: `${limit} was ${howNotMet(narrator, clause.threshold.pct)}` }
  const tested = testedValue(narrator)
  const isMetItself = tested === null || isOutside(narrator, clause.threshold, tested)
  if (!isMetItself) return { met: true, words: `${limit} is not tested again for what a limit held back` }
  return { met: true, words: `${limit} is ${clause.threshold.test === 'EXCEEDS' ? 'exceeded' : 'reached'}` }
}

function isOutside(narrator: Narrator, { pct, test: tested }: Threshold, value: Ratio): boolean {
  const order = compare(multiply(absolute(value), hundred), narrator.number(pct))
  return tested === 'REACHES' ? order >= 0 : order > 0
}

function howNotMet(narrator: Narrator, pct: ClauseNumber): string {
  const tested = testedValue(narrator)
  if (tested === null) return 'not met'
  const order = compare(multiply(absolute(tested), hundred), narrator.number(pct))
  return order < 0 ? 'not reached' : 'reached but not exceeded'
}

/** The tested value; null where a dated share decides, or where there is no percent. */
function testedValue(narrator: Narrator): Ratio | null {
  const { threshold: part, sharing, basis } = narrator.clause
  if (part?.since === 'BASE') return narrator.line('movement')
  const shares = sharesOf(sharing)
  if (shares.some(share => share.param !== null)) return null
  if (shares.every(share => isOne(share))) return narrator.inForce.n === 0n ? null : narrator.line('step')
  if (basis === 'CHAINED') return narrator.line('movement')
  const then = add(one, narrator.carriedLine('movement_applied') ?? zero)
  return then.n === 0n ? null : subtract(divide(add(one, narrator.line('movement')), then), one)
}

function readPays(subject: ClauseSubject | null): ClauseReading[] {
  const part = subject?.clause.threshold ?? null
  const isAll = part?.pays !== 'EXCESS'
  const common = {
    id: 'pays',
    title: isAll ? 'Only the excess over the threshold' : 'All of the movement over the threshold',
    words: isAll
      ? 'Once the threshold is met, only what goes beyond it is paid, and not the whole movement.'
      : 'Once the threshold is met, the whole movement is paid, and not only what goes beyond it.',
  }
  if (subject === null || part === null)
    return [{ ...common, reading: { notApplicable: 'The clause has no threshold.' } }]
  const { inside: _inside, ...written } = subject.written.threshold as Record<string, string>
  const other = { ...written, pays: isAll ? 'EXCESS' : 'ALL' }
  return [{ ...common, reading: { clause: { ...subject.written, threshold: other } } }]
}
