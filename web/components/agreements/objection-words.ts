// Objections in words: the subject of each, its state, and the proposed number.
import type { ObjectionState, ObjectionSubject } from '../../../src/core/receipt/objection.ts'
import type { AdjustmentPage, Party } from '../../../src/views/shapes/agreements.ts'
import type { ObjectionView, StatementView } from '../../../src/views/shapes/objections.ts'
import type { StateKind } from '../figures/state-kind.ts'
import { formatFigure, sentenceCase } from '../words/words.ts'

/** `The number`, `The ratio of steel`, `Steel billets, 2024-03` */
export function formatSubject(
  about: ObjectionSubject,
  { steps, observations }: Pick<AdjustmentPage, 'steps' | 'observations'>,
): string {
  if (about.kind === 'number') return 'The number'
  if (about.kind === 'line') {
    // A number that was proposed since may have other lines.
    const found = steps.find(({ name }) => name === about.line)
    return sentenceCase(found?.words ?? `the line ${about.line.replaceAll('_', ' ')}`)
  }
  const { input, series, period } = about
  const found = observations.find(each => each.input === input && each.reference === series)
  return `${found?.name ?? series}, ${period}`
}

export const objectionStates: Readonly<
  Record<ObjectionState, { readonly kind: StateKind; readonly words: (objection: ObjectionView) => string }>
> = {
  open: { kind: 'trouble', words: () => 'open' },
  withdrawn: { kind: 'plain', words: () => 'withdrawn' },
  signed: { kind: 'good', words: ({ party }) => `signed by the ${party} after all` },
  moved: { kind: 'plain', words: () => 'answered by a new proposal' },
}

/** `Sam Supplier for the supplier` */
export function formatSpeaker({ name, party, means }: StatementView): string {
  return means === 'OPERATOR' ? `The operator, in the name of ${name}, for the ${party}` : `${name} for the ${party}`
}

/** Something an objection can be about. */
interface SubjectChoice {
  readonly value: string
  readonly label: string
  readonly about: ObjectionSubject
}

export function subjectChoices({ steps, observations }: Pick<AdjustmentPage, 'steps' | 'observations'>): {
  readonly group: string
  readonly items: readonly SubjectChoice[]
}[] {
  const lines = steps.map(({ name, words }) => {
    const about = { kind: 'line', line: name } as const
    return { value: JSON.stringify(about), label: sentenceCase(words), about }
  })
  const figures = observations.map(({ input, reference, name, period, value }) => {
    const about = { kind: 'figure', input, series: reference, period } as const
    return { value: JSON.stringify(about), label: `${name}, ${period}: ${formatFigure(value)} (${input})`, about }
  })
  const number = { value: 'number', label: 'The number', about: { kind: 'number' } as const }
  return [
    { group: 'The result', items: [number] },
    { group: 'A line of the calculation', items: lines },
    {
      group: 'A figure',
      items: figures.filter((each, i) => figures.findIndex(({ value }) => value === each.value) === i),
    },
  ]
}

/** `disputed by the supplier` */
export function formatDisputed(disputedBy: readonly Party[]): string {
  return `disputed by ${disputedBy.length === 2 ? 'both sides' : `the ${disputedBy[0]}`}`
}
