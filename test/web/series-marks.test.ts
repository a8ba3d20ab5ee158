// What the chart of a series marks: events on their day, and joins of many agreements as one.
import { expect, test } from 'vitest'
import { parseDay } from '../../src/core/time/day.ts'
import type { IndexFact, JoinView } from '../../src/views/shapes/index-changes.ts'
import { marksOf } from '../../web/pages/series/series/chart/marks.ts'

const old = { id: 'ser_old', reference: 'CUSTOM/old', name: 'Old index' }
const successor = { id: 'ser_new', reference: 'CUSTOM/new', name: 'New index' }

const fact = (more: Partial<IndexFact>): IndexFact => ({
  ground: 'EVENT',
  kind: 'SUPERSEDED',
  id: 'one',
  day: '2026-01-01',
  sentence: 'A new data set.',
  evidence: [],
  source: 'the office',
  successor: null,
  coefficient: null,
  ...more,
})
const join = (slug: string, more: Partial<JoinView> = {}): JoinView => ({
  id: `spl_${slug}`,
  slug,
  name: slug,
  old,
  new: successor,
  join: '2025-12',
  coefficient: '1.2',
  version: 2,
  ...more,
})

test('events are marked on their day, and what is only suspected, which has none, is not', () => {
  const facts = [fact({ kind: 'ENDED', id: 'two', day: '2024-07-01', sentence: 'It ended.' }), fact({})]
  const suspect = fact({ ground: 'SUSPECT', id: null, day: null })
  expect(marksOf({ facts: [suspect, ...facts], joins: [] }, 'ser_old')).toEqual([
    { day: parseDay('2024-07-01'), words: ['Ended: It ended.'] },
    { day: parseDay('2026-01-01'), words: ['Replaced: A new data set.'] },
  ])
})

test('agreements that change with the same period are one mark, after the last period of the old series', () => {
  const joins = [join('hinges'), join('brackets'), join('pumps', { join: '2025-Q2' })]
  expect(marksOf({ facts: [fact({})], joins }, 'ser_old')).toEqual([
    { day: parseDay('2025-07-01'), words: ['After 2025-Q2: 1 agreement reads New index instead.'] },
    {
      day: parseDay('2026-01-01'),
      words: ['Replaced: A new data set.', 'After 2025-12: 2 agreements read New index instead.'],
    },
  ])
})

test('on the page of the new series a join says which series it replaces', () => {
  expect(marksOf({ facts: [], joins: [join('hinges')] }, 'ser_new')).toEqual([
    { day: parseDay('2026-01-01'), words: ['After 2025-12: 1 agreement reads this in place of Old index.'] },
  ])
})
