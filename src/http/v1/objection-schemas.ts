// The schema of what a receipt says about objections to its period.
import Type from 'typebox'
import { exact, hexHash, microseconds, orNull, periodLabel, text } from './schema-parts.ts'

const statement = {
  party: Type.Union([Type.Literal('buyer'), Type.Literal('supplier')], { description: 'For which side' }),
  by: text('E-mail address'),
  name: Type.String({ description: 'As the workspace names the person' }),
  at: microseconds('When'),
  means: Type.Union([Type.Literal('SESSION'), Type.Literal('OPERATOR')], {
    description: 'OPERATOR: written by command, in the person’s name',
  }),
}

export const Objections = Type.Array(
  exact('An objection to a number proposed for this period.', {
    id: text('Its id'),
    ...statement,
    hash: hexHash('Of the receipt it is about; another number may be proposed since'),
    about: Type.Union(
      [
        exact('The number.', { kind: Type.Literal('number', { description: 'What it is' }) }),
        exact('A line of the calculation.', {
          kind: Type.Literal('line', { description: 'What it is' }),
          line: text('Its name'),
        }),
        exact('A figure.', {
          kind: Type.Literal('figure', { description: 'What it is' }),
          input: text('The input that reads it'),
          series: text('PROVIDER/code'),
          period: periodLabel('Of the figure'),
        }),
      ],
      { description: 'What it is pinned to' },
    ),
    reason: text('In the party’s words'),
    reading: orNull(
      exact('Another reading of the clause.', {
        id: text('Which one'),
        title: text('In a few words'),
        words: text('In a sentence'),
        adjustmentPct: orNull(Type.String(), 'What it gives for the period'),
        cumulativePct: text('Since the start'),
        price: orNull(Type.String(), 'The price'),
      }),
      'How the party reads the clause instead',
    ),
    answers: Type.Array(
      exact('An answer, or the withdrawal.', {
        ...statement,
        kind: Type.Union([Type.Literal('ANSWER'), Type.Literal('WITHDRAWAL')], { description: 'Which of the two' }),
        words: Type.String({ description: 'What was said' }),
      }),
    ),
  }),
  { description: 'Left out where nobody objected to a number of this period' },
)
