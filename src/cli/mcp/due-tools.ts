// Tools about coming dates and recent changes: adjustment dates that are due, and effects of publications on agreements.

import { dueStates } from '../../core/calendar/due.ts'
import { Type } from '../../formats/json-schema.ts'
import { agreementInput, cursorInput, listRows, nullable, optional, orNull, row, text, tool } from './tool.ts'

const figure = row({
  series: Type.String(),
  period: Type.String(),
  stage: nullable('FINAL where only the final figure counts'),
  expectedAt: nullable('An instant or a day; null where no date can be said'),
  basis: nullable('OFFICIAL and DATE_ONLY are announced by the provider; LEARNED and USUAL are estimates'),
})
const dueRow = row({
  agreement: Type.String({ description: 'The slug' }),
  name: Type.String(),
  period: Type.String(),
  date: Type.String({ description: 'The adjustment date' }),
  state: Type.String(),
  readyOn: nullable('The first day on which it can be proposed'),
  provisional: Type.Boolean({ description: 'Whether it stands on what the clause puts in place of missing figures' }),
  waitsFor: orNull(figure, 'The latest figure that it waits for'),
  late: Type.Array(row({ series: Type.String(), period: Type.String() }), { description: 'The first ten' }),
  reason: nullable('Why it has no number although no figure is missing'),
})

const whatIsDue = tool({
  name: 'what_is_due',
  title: 'What is due',
  description:
    'Adjustment dates that are not signed by both yet, the nearest first: what each waits for, when that is expected, and what is late.',
  input: {
    within: optional(text('How far ahead: 30d, 6w or 3m; 30 days unless given')),
    state: optional(Type.Enum([...dueStates], { description: 'Only dates in this state' })),
    cursor: cursorInput,
  },
  output: Type.Array(dueRow),
  run: ({ within, state, cursor }, call) =>
    listRows(call, '/ext/v1/due', { query: { within, state }, cursor, shape: dueRow }),
})

const cause = row({
  series: Type.String(),
  period: Type.String(),
  before: nullable('The digits before; null where there were none'),
  after: nullable('The digits after; null where they were withdrawn'),
  tag: nullable('Of the figure after'),
})
const radarRow = row({
  kind: Type.String({ description: 'What happened to the number of the period' }),
  agreement: Type.String({ description: 'The slug' }),
  period: Type.String(),
  at: Type.String({ description: 'When the figure was recorded' }),
  cause: orNull(cause, 'The newest figure behind it'),
  points: nullable('Percentage points of the factor'),
  priceBefore: nullable('Where there is one item'),
  priceAfter: nullable('The same, after'),
  amount: nullable('On what was billed; null for a key without money'),
  currency: nullable('Of the amount'),
  policy: nullable('What the contract says about a correction'),
})

const radar = tool({
  name: 'radar',
  title: 'What revisions did',
  description:
    'What new and revised figures did to agreements, the largest effect first: numbers that became possible, moved, or moved after they were signed. Looks back 30 days unless since is given.',
  input: {
    since: optional(text('Only what was recorded after this day (YYYY-MM-DD) or instant')),
    until: optional(text('Only what was recorded by this day or instant')),
    agreement: optional(agreementInput),
    cursor: cursorInput,
  },
  output: Type.Array(radarRow),
  run: ({ since, until, agreement, cursor }, call) =>
    listRows(call, '/ext/v1/radar', { query: { since, until, pam: agreement }, cursor, shape: radarRow }),
})

export const dueTools = [whatIsDue, radar]
