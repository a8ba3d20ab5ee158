import { describe, expect, test } from 'vitest'
import { parseCut } from '../time/instant.ts'
import type { VersionTag, Vintage } from './series.ts'
import {
  buildHistory,
  compareVintages,
  isInside,
  newest,
  noCuts,
  selectVintage,
  tagByHistory,
  vintagesInside,
  weakerTag,
} from './vintage.ts'

function vintage(value: string | null, tag: VersionTag | null, published: string, recorded?: string): Vintage {
  return {
    value,
    tag,
    flag: null,
    publishedAt: `${published}T00:00:00.000000Z`,
    recordedAt: recorded === undefined ? null : `${recorded}T12:00:00.000000Z`,
  }
}

const preliminary = vintage('210', 'PRELIMINARY', '2024-02-10', '2024-02-11')
const secondPreliminary = vintage('211', 'PRELIMINARY', '2024-03-10', '2024-03-11')
const final = vintage('212', 'FINAL', '2024-06-10', '2024-06-11')
const revised = vintage('214', 'REVISED', '2025-02-10', '2025-02-11')
const all = [preliminary, secondPreliminary, final, revised]

const asOf = (day: string) => ({ asOf: parseCut(day), knownAt: null })
const knownAt = (day: string) => ({ asOf: null, knownAt: parseCut(day) })

describe('cuts', () => {
  test('cut by publication, the day included', () => {
    expect(vintagesInside(all, asOf('2024-03-09'))).toEqual([preliminary])
    expect(vintagesInside(all, asOf('2024-03-10'))).toEqual([preliminary, secondPreliminary])
    expect(vintagesInside(all, asOf('2024-02-09'))).toEqual([])
    expect(vintagesInside(all, noCuts)).toEqual(all)
  })

  test('cut by recording alone, and by both together', () => {
    expect(vintagesInside(all, knownAt('2024-03-10'))).toEqual([preliminary])
    expect(vintagesInside(all, knownAt('2024-03-11'))).toEqual([preliminary, secondPreliminary])
    expect(vintagesInside(all, { asOf: parseCut('2024-02-10'), knownAt: parseCut('2025-12-31') })).toEqual([
      preliminary,
    ])
  })

  test('do not hide what was never recorded', () => {
    expect(isInside(vintage('1', 'FINAL', '2024-01-01'), knownAt('2020-01-01'))).toBe(true)
  })
})

describe('which vintage counts', () => {
  test('takes the newest by publication, then by recording', () => {
    const late = vintage('9', 'REVISED', '2025-02-10', '2025-03-01')
    expect([late, revised, preliminary].sort(compareVintages)).toEqual([preliminary, revised, late])
    expect(selectVintage([...all, late], newest)).toBe(late)
  })

  test('takes the first print forever, or the newest final one', () => {
    expect(selectVintage(all, { ...newest, policy: 'FIRST' })).toBe(preliminary)
    expect(selectVintage(all, { ...newest, policy: 'FINAL' })).toBe(final)
    expect(selectVintage([preliminary], { ...newest, policy: 'FINAL' })).toBeUndefined()
    expect(selectVintage([final, vintage('213', 'FINAL', '2024-07-10')], { ...newest, policy: 'FINAL' })?.value).toBe(
      '213',
    )
  })

  test('takes only the requested tag, or falls back where that is allowed', () => {
    expect(selectVintage(all, { ...newest, tag: 'PRELIMINARY' })).toBe(secondPreliminary)
    expect(selectVintage([preliminary], { ...newest, tag: 'FINAL' })).toBeUndefined()
    expect(selectVintage([preliminary], { ...newest, tag: 'FINAL', orNewest: true })).toBe(preliminary)
  })

  test('has none from a withdrawal on, under any selection, until the period is published again', () => {
    const withdrawn = vintage(null, null, '2025-03-01')
    for (const policy of ['LATEST', 'FIRST', 'FINAL'] as const)
      expect(selectVintage([...all, withdrawn], { ...newest, policy })).toBeUndefined()
    expect(selectVintage([...all, withdrawn], { policy: 'LATEST', tag: 'FINAL', orNewest: true })).toBeUndefined()
    const again = vintage('215', 'REVISED', '2025-04-01')
    expect(selectVintage([...all, withdrawn, again], newest)).toBe(again)
    expect(selectVintage([...all, withdrawn, again], { ...newest, policy: 'FIRST' })).toBe(preliminary)
  })

  test('has none where nothing was published', () => {
    expect(selectVintage([], newest)).toBeUndefined()
  })
})

describe('tags', () => {
  test('names mixed values by the weakest', () => {
    const order: readonly VersionTag[] = ['PRELIMINARY', 'REVISED', 'FINAL']
    for (const [i, weaker] of order.entries())
      for (const stronger of order.slice(i)) {
        expect(weakerTag(weaker, stronger)).toBe(weaker)
        expect(weakerTag(stronger, weaker)).toBe(weaker)
      }
  })

  test('gives a value without a tag the one its history asks for', () => {
    expect(tagByHistory([], '1')).toBe('FINAL')
    expect(tagByHistory([preliminary], '211')).toBe('FINAL')
    expect(tagByHistory([preliminary, final], '213')).toBe('REVISED')
    expect(tagByHistory([preliminary, final], '212')).toBe('FINAL')
    expect(tagByHistory([final, revised], '215')).toBe('REVISED')
  })

  test('sorts a history by period and by publication', () => {
    const header = { reference: 'CUSTOM/a', name: 'a', unit: '', frequency: 'ANNUAL' } as const
    const history = buildHistory(
      header,
      new Map([
        [2024, [revised, preliminary]],
        [2023, [final]],
      ]),
    )
    expect(history.ordinals).toEqual([2023, 2024])
    expect(history.periods.get(2024)).toEqual([preliminary, revised])
  })
})
