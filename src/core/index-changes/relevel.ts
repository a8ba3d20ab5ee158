// The base readings of a splice that takes them from the new series, and the new document bound to the series it names.
import type { BoundVersion } from '../calculation/adjustment.ts'
import { MissingValue } from '../calculation/gap.ts'
import { VersionReaders } from '../calculation/version-readers.ts'
import { type BoundFormula, type BoundInput, bindFormula, findMisfits, historiesOf } from '../formula/bind.ts'
import { type CheckedDocument, checkDocument } from '../formula/check/check.ts'
import type { Input } from '../formula/formula.ts'
import { formatExact, multiply, parseRatio, type Ratio, ratio, roundTo } from '../numbers/ratio.ts'
import { WorkBudget } from '../numbers/work-budget.ts'
import { Refusal } from '../refusal.ts'
import { parsePeriod } from '../time/period.ts'
import type { Coefficient } from './coefficient.ts'
import type { SpliceQuestion } from './splice-question.ts'
import type { SpliceBody } from './splice-schema.ts'
import { type InputChange, placeOf, readBefore, splicedDocument } from './spliced-document.ts'

interface NewBase {
  readonly base: NonNullable<InputChange['base']>
  readonly line: SpliceBody['bases'][number]
  /** True for the old base times the coefficient. */
  readonly isComputed: boolean
}

/**
 * The base of each input in the new series: the requested one; else its own period, where the new series has it; else the old
 * base times the coefficient of the overlap.
 */
export function basesOf(
  question: SpliceQuestion,
  { bound }: BoundVersion,
  inputs: readonly BoundInput[],
  coefficient: Coefficient | null,
): readonly NewBase[] {
  const { successor, base: asked } = question
  return inputs.map(own => {
    const { input } = own
    if (input.base === null) throw new Refusal('invalid', `the input ${input.name} has no base; RELEVEL needs one`)
    const before = readBase(question, bound, input.name)
    if (before instanceof MissingValue) throw new Refusal('conflict', before.gap.sentence)
    const line = { input: input.name, before: input.base.text, beforeReading: formatExact(before) }
    const take = (base: NewBase['base'], reading: Ratio, isComputed = false): NewBase => ({
      base,
      line: { ...line, after: 'label' in base ? base.label : base.value, afterReading: formatExact(reading) },
      isComputed,
    })
    const number = asked === null || parsePeriod(asked) !== null ? null : parseRatio(asked)
    if (asked !== null && number !== null) return take({ value: asked }, number)
    const label = asked ?? (input.base.kind === 'label' ? input.base.text : null)
    const reading = label === null ? null : readNewBase(question, bound, input, label)
    if (label !== null && reading !== null && !(reading instanceof Error)) return take({ label }, reading)
    if (asked === null && coefficient !== null) {
      const value = roundTo(multiply(before, ratio(coefficient.written)), usualDecimals)
      return take({ value: formatExact(value) }, value, true)
    }
    const why =
      reading instanceof MissingValue ? reading.gap.sentence : reading instanceof Error ? reading.message : undefined
    throw new Refusal(
      'invalid',
      `${input.name} has no base in ${successor.reference}${why === undefined ? '' : `: ${why}`}; name another period, or a number`,
    )
  })
}

const usualDecimals = 6

function readBase({ cuts, today }: SpliceQuestion, bound: BoundFormula, input: string): Ratio | MissingValue {
  const readers = new VersionReaders(bound, { cuts, tag: null, strict: false, today }, new WorkBudget())
  try {
    return readers.base(bound.inputs.findIndex(each => each.input.name === input)).value
  } catch (error) {
    if (error instanceof MissingValue) return error
    throw error
  }
}

/** The base in the new series, or the reason why there is none. */
function readNewBase(question: SpliceQuestion, { formula }: BoundFormula, input: Input, label: string): Ratio | Error {
  const { text, old, successor } = question
  try {
    const document = splicedDocument(readBefore(text), {
      effectiveFrom: formula.effectiveFrom,
      old,
      successor: successor.reference,
      coefficient: null,
      join: { frequency: successor.frequency, ordinal: 0 },
      inputs: [{ input: input.name, place: placeOf(input, old)!, base: { label } }],
    })
    return readBase(question, bindSpliced(question, document, 1).bound, input.name)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

export function bindSpliced(question: SpliceQuestion, text: string, number: number): BoundVersion {
  return bindChecked(question, checkDocument(text), number)
}

/** Binds a document that was read before. */
export function bindChecked(
  question: SpliceQuestion,
  { formula, problems }: Pick<CheckedDocument, 'formula' | 'problems'>,
  number: number,
): BoundVersion {
  if (formula === null)
    throw new Refusal(
      'invalid',
      `the new document does not hold: ${problems.map(({ path, message }) => `${path}: ${message}`).join('; ')}`,
    )
  const histories = question.versions.flatMap(({ bound }) => bound.inputs.flatMap(historiesOf))
  const data = new Map([...histories, question.successor].map(history => [history.reference, history]))
  const misfits = findMisfits(formula, data)
  const { bound } = bindFormula(formula, data)
  if (misfits.length > 0 || bound === null)
    throw new Refusal(
      'invalid',
      `${question.successor.reference} does not fit the formula: ${misfits.map(({ path, message }) => `${path}: ${message}`).join('; ')}`,
    )
  return { number, bound }
}
