// An objection: a party says no to the number that is proposed for a period, and why. Plain data that a receipt can carry next
// to its body. It is open or closed by the proposal it was about, and by later signatures.
import {
  either,
  hexHash,
  instant,
  listOf,
  literal,
  mapping,
  oneOf,
  orNull,
  refuseShape,
  text,
  type Written,
  type WrittenFields,
} from '../text/exact-shape.ts'
import type { PartySignature } from './party-signature.ts'
import { periodForm } from './period-form.ts'

/** `OPERATOR`: written by command, in the person's name. */
const statementMeans = ['SESSION', 'OPERATOR'] as const
export type StatementMeans = (typeof statementMeans)[number]

const statementFields = {
  party: oneOf(['buyer', 'supplier'], 'For which side'),
  by: text('E-mail address'),
  name: text('As the workspace named the person then; empty where it did not'),
  at: instant('When'),
  means: oneOf(statementMeans, 'OPERATOR: written by command, in the person’s name'),
}

/** A person's statement, with the side and the time. */
export type Statement = WrittenFields<typeof statementFields>

const subjectKinds = ['number', 'line', 'figure']

const objectionSubject = either(
  'What it is pinned to',
  [
    mapping('The number.', { kind: literal('number', 'What it is') }),
    mapping('A line of the calculation.', { kind: literal('line', 'What it is'), line: text('Its name') }),
    mapping('A figure that was read.', {
      kind: literal('figure', 'What it is'),
      input: text('The input that reads it'),
      series: text('PROVIDER/code'),
      period: text('Of the figure', periodForm),
    }),
  ],
  (found, path) => {
    if (!Object.hasOwn(found, 'kind')) refuseShape(path, 'a mapping with kind, which is missing')
    const place = subjectKinds.indexOf(String(found.kind))
    return place < 0 ? refuseShape(`${path}.kind`, 'number, line or figure') : place
  },
)

export type ObjectionSubject = Written<typeof objectionSubject>

/** The party's own reading of the clause, and the number it gives. */
const attachedReading = mapping('Another reading of the clause.', {
  // The id of a `ReadingVariant`.
  id: text('Which one'),
  title: text('In a few words'),
  words: text('In a sentence'),
  adjustmentPct: orNull(text(), 'What it gives for the period'),
  cumulativePct: text('Since the start'),
  price: orNull(text(), 'The price'),
})

export type AttachedReading = Written<typeof attachedReading>

const objectionAnswer = mapping('An answer, or the withdrawal.', {
  ...statementFields,
  kind: oneOf(['ANSWER', 'WITHDRAWAL'], 'Which of the two'),
  words: text('What was said; empty only for a withdrawal'),
})

export type ObjectionAnswer = Written<typeof objectionAnswer>

export const partyObjection = mapping('An objection to a number proposed for this period.', {
  id: text('Its id'),
  ...statementFields,
  hash: hexHash('Of the receipt it is about; another number may be proposed since'),
  about: objectionSubject,
  reason: text('In the party’s words'),
  reading: orNull(attachedReading, 'How the party reads the clause instead'),
  answers: listOf(objectionAnswer),
})

export type PartyObjection = Written<typeof partyObjection>

/**
 * `open`: the period is disputed. `withdrawn`: by the party that objected. `signed`: that party signed this number
 * after all. `moved`: another number is proposed since.
 */
export type ObjectionState = 'open' | 'withdrawn' | 'signed' | 'moved'

/** The proposed or signed number of the period. */
interface ProposalNow {
  readonly hash: string
  readonly signatures: readonly Pick<PartySignature, 'party'>[]
}

export function stateOfObjection({ party, hash, answers }: PartyObjection, now: ProposalNow): ObjectionState {
  if (answers.some(({ kind }) => kind === 'WITHDRAWAL')) return 'withdrawn'
  if (hash !== now.hash) return 'moved'
  return now.signatures.some(each => each.party === party) ? 'signed' : 'open'
}

/** The parts of a calculation that an objection can be about. */
interface ObjectedCalculation {
  readonly period: string
  readonly steps: readonly { readonly name: string }[]
  readonly observations: readonly { readonly input: string; readonly series: string; readonly period: string }[]
}

/** The reason why a calculation lacks the subject; null if it has it. */
export function whyNoSubject(
  about: ObjectionSubject,
  { period, steps, observations }: ObjectedCalculation,
): string | null {
  if (about.kind === 'number') return null
  if (about.kind === 'line')
    return steps.some(({ name }) => name === about.line)
      ? null
      : `the calculation of ${period} has no line "${about.line}"; it has ${steps.map(({ name }) => name).join(', ')}`
  const isRead = observations.some(
    each => each.input === about.input && each.series === about.series && each.period === about.period,
  )
  return isRead ? null : `${about.input} does not read ${about.series} of ${about.period} for ${period}`
}

/** `the number`, `line ratio_steel`, `BLS/WPU101 of 2024-03 (steel)`; with `words`, a line as people call it. */
export function formatSubject(about: ObjectionSubject, words?: (line: string) => string | undefined): string {
  if (about.kind === 'number') return 'the number'
  if (about.kind === 'line') return words?.(about.line) ?? `line ${about.line}`
  return `${about.series} of ${about.period} (${about.input})`
}
