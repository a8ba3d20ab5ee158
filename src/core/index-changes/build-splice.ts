// Makes the proposal of a splice: the inputs that read the series, the window and the coefficient, the new document and its
// effect. An impossible splice is refused, with the alternatives; a doubtful one has warnings for people.
import type { BoundVersion } from '../calculation/adjustment.ts'
import type { BoundInput } from '../formula/bind.ts'
import { type CheckedDocument, checkDocument } from '../formula/check/check.ts'
import { formulaEdition } from '../formula/formula.ts'
import { Refusal } from '../refusal.ts'
import type { SeriesHistory } from '../series/series.ts'
import { andList } from '../text/words.ts'
import { type Day, formatDay } from '../time/day.ts'
import { formatPeriod } from '../time/period.ts'
import { type Coefficient, writeCoefficient } from './coefficient.ts'
import { Overlap } from './overlap.ts'
import { basesOf, bindChecked, bindSpliced } from './relevel.ts'
import { directionOf, reasonsOf, spliceCoefficient } from './splice-coefficient.ts'
import { effectOf, openDates } from './splice-effect.ts'
import type { SpliceQuestion } from './splice-question.ts'
import { type SpliceBody, spliceFormat } from './splice-schema.ts'
import { spliceWarnings } from './splice-warnings.ts'
import {
  compareCandidate,
  evidenceOf,
  joinOf,
  neighbouring,
  waitForFinal,
  windowOf,
  writeWindow,
} from './splice-window.ts'
import {
  checkOnlySpliced,
  type InputChange,
  placeOf,
  readBefore,
  readsSeries,
  splicedDocument,
} from './spliced-document.ts'

interface BuiltSplice {
  readonly body: SpliceBody
  /** The new document as it was read. */
  readonly checked: CheckedDocument
  readonly warnings: readonly string[]
}

export function buildSplice(question: SpliceQuestion): BuiltSplice {
  const { head, method, ground, successor, waitFinal } = question
  const { governing, effectiveFrom, inputs, old, join, overlap, window, coefficient, checked, bound, write, terms } =
    makeTerms(question)
  const neighbours = coefficient === null ? [] : neighbouring(question, overlap, window, coefficient)
  const others = neighbours.map(each => bindSpliced(question, write(each.coefficient), bound.number))
  const effect = {
    ...effectOf(question, bound, others),
    windows: neighbours.map(each => ({
      from: formatPeriod(each.window.from),
      until: formatPeriod(each.window.until),
      coefficient: each.coefficient.written,
    })),
  }
  const body: SpliceBody = {
    format: spliceFormat,
    edition: formulaEdition,
    ...head,
    version: governing.number,
    effectiveFrom: formatDay(effectiveFrom),
    inputs: inputs.map(({ input }) => input.name),
    old: seriesLine(old),
    new: seriesLine(successor),
    ground,
    method,
    window: window === null ? null : writeWindow(window, overlap),
    join: formatPeriod(join),
    waitedForFinal: waitFinal,
    effect,
    alternatives: question.candidates.map(each => compareCandidate(old, each, question.cuts)),
    ...terms,
  }
  return { body, checked, warnings: spliceWarnings(body, reasonsOf(governing, inputs)) }
}

/** The part of a splice that makes it a different one when it changes. */
export type SpliceTerms = Pick<SpliceBody, 'coefficient' | 'bases' | 'evidence' | 'document'>

/** The terms without their effect, which a comparison with an earlier proposal does not need. */
export function spliceTerms(question: SpliceQuestion): SpliceTerms {
  return makeTerms(question).terms
}

function makeTerms(question: SpliceQuestion) {
  const { method, successor, waitFinal } = question
  const effectiveFrom = firstOpen(question)
  const governing = governingVersion(question, effectiveFrom)
  const { inputs, old } = inputsOf(question, governing)
  const join = joinOf(question, old)
  const overlap = new Overlap(old, successor, question.cuts)
  const window = windowOf(question, overlap)
  const direction = directionOf(question, governing, inputs)
  const found = spliceCoefficient(question, { overlap, window, old, direction })
  if (waitFinal) waitForFinal(window)
  const bases = method === 'RELEVEL' ? basesOf(question, governing, inputs, found) : []
  const coefficient = method === 'RELEVEL' && !bases.some(each => each.isComputed) ? null : found
  const changes = inputs.map(
    ({ input }, i): InputChange => ({
      input: input.name,
      place: placeOf(input, question.old)!,
      base: bases[i]?.base ?? null,
    }),
  )
  const before = readBefore(question.text)
  const write = (chosen: Coefficient | null) =>
    splicedDocument(before, {
      effectiveFrom,
      old: question.old,
      successor: successor.reference,
      coefficient: method === 'RELEVEL' ? null : chosen,
      join,
      inputs: changes,
    })
  const document = write(coefficient)
  const checked = checkDocument(document)
  const bound = bindChecked(question, checked, governing.number + 1)
  checkOnlySpliced(
    before,
    checked.document,
    changes.map(({ input }) => input),
  )
  const terms: SpliceTerms = {
    coefficient: coefficient === null ? null : writeCoefficient(coefficient),
    bases: bases.map(each => each.line),
    evidence: evidenceOf(window?.common ?? [], coefficient),
    document,
  }
  return { governing, effectiveFrom, inputs, old, join, overlap, window, coefficient, checked, bound, write, terms }
}

function seriesLine({ reference, name, unit, frequency }: SeriesHistory): SpliceBody['old'] {
  return { series: reference, name, unit, frequency }
}

function firstOpen(question: SpliceQuestion): Day {
  const [first] = openDates(question)
  if (first === undefined)
    throw new Refusal(
      'conflict',
      `${question.head.pam} can take no other series: both sides have signed every adjustment date`,
    )
  return first
}

/** The newest version: a splice of an older one would undo later changes. */
function governingVersion({ versions, head }: SpliceQuestion, effectiveFrom: Day): BoundVersion {
  const governing = versions.reduce((latest, version) => (version.number > latest.number ? version : latest))
  const from = governing.bound.formula.effectiveFrom
  if (from > effectiveFrom)
    throw new Refusal(
      'conflict',
      `version ${governing.number} of ${head.pam} governs from ${formatDay(from)} only, and ${formatDay(effectiveFrom)} is not signed by both yet; sign the dates before it first`,
    )
  return governing
}

/** The inputs that read the old series for their newest periods, and the series itself. */
function inputsOf(
  question: SpliceQuestion,
  { bound }: BoundVersion,
): { readonly inputs: readonly BoundInput[]; readonly old: SeriesHistory } {
  const { old, head, inputs: asked } = question
  const reading = bound.inputs.filter(({ input }) => placeOf(input, old) !== null)
  const named = reading.map(({ input }) => input.name)
  const unknown = asked?.find(name => !named.includes(name))
  if (unknown !== undefined)
    throw new Refusal('invalid', `the input ${unknown} of ${head.pam} does not read ${old}; ${readBy(named)}`)
  const inputs = reading.filter(({ input }) => asked === null || asked.includes(input.name))
  if (inputs.length === 0) {
    const until = bound.inputs.some(({ input }) => readsSeries(input, old))
    throw new Refusal(
      'invalid',
      until
        ? `${head.pam} reads ${old} for older periods only; nothing has to take its place`
        : `no input of ${head.pam} reads ${old}; an exchange rate or a fallback is changed by a formula version`,
    )
  }
  if (question.successor.reference === old)
    throw new Refusal('invalid', `${old} cannot take its own place; name another series`)
  const { series, links } = inputs[0]!
  return {
    inputs,
    old: [series, ...links.map(link => link.series)].find(({ reference }) => reference === old) ?? series,
  }
}

function readBy(named: readonly string[]): string {
  return named.length === 0 ? 'no input does' : `${andList(named)} ${named.length === 1 ? 'does' : 'do'}`
}
