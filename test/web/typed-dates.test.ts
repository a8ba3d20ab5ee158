// Days and periods as people type them into the builder.
import { expect, test } from 'vitest'
import { readTypedDay, readTypedPeriod } from '../../web/components/inputs/typed-dates.ts'

test('a day is accepted as the page writes it, and left alone if it is ambiguous', () => {
  expect(['1 Jan 2024', '01.02.2024', '2024-3-1', '31/01/2024', '2024-01-31'].map(readTypedDay)).toEqual([
    '2024-01-01',
    '2024-02-01',
    '2024-03-01',
    '2024-01-31',
    '2024-01-31',
  ])
  expect(['01/02/2024', 'soon', '2024-0', ''].map(readTypedDay)).toEqual(['01/02/2024', 'soon', '2024-0', ''])
})

test('a period is accepted as the page writes it, ranges too', () => {
  expect(
    ['December 2023', 'Q4 2023', 'Oct 2023..Dec 2023', '2023-12', '1 Jan 2024', '2023-1'].map(readTypedPeriod),
  ).toEqual(['2023-12', '2023-Q4', '2023-10..2023-12', '2023-12', '2024-01-01', '2023-01'])
  expect(['Dec', '2023-', 'sometime'].map(readTypedPeriod)).toEqual(['Dec', '2023-', 'sometime'])
})
