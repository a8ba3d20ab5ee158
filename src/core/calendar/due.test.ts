// The seven states of an adjustment date and their edges, worked out by hand on one quarterly date and the figure it reads.
import { describe, expect, test } from 'vitest'
import { parseDay } from '../time/day.ts'
import type { AwaitedFigure } from './awaited-figures.ts'
import { type DueDate, dueNow, lateFrom, nothingKnownOf, type Outlook } from './due.ts'
import type { DateBasis, ExpectedDate, ReleaseStatus } from './release.ts'

const september: AwaitedFigure = {
  series: 'BLS/WPU101',
  period: '2026-09',
  stage: null,
  rule: 'BLOCK',
  instead: null,
  countsUntil: null,
}

function due(figures: readonly AwaitedFigure[], change: Partial<DueDate> = {}): DueDate {
  const date = parseDay('2026-10-20')!
  return { date, period: '2026-Q4', isSigned: false, gap: null, figures, agreed: [], newer: null, ...change }
}

function expectedOn(expectedAt: string, basis: DateBasis, latestAt = expectedAt): ExpectedDate {
  return { period: '2026-09', expectedAt, latestAt, basis, known: null, hitRate: null }
}

function outlook(expected: ExpectedDate | null, change: Partial<Outlook> = {}): Outlook {
  return { ...nothingKnownOf, expected, lateFrom: expected === null ? null : lateFrom(expected), ...change }
}

const official = outlook(expectedOn('2026-10-14T12:30:00.000000Z', 'OFFICIAL'), { status: 'OFFICIAL' })

function at(now: string): string {
  return now.length === 10 ? `${now}T12:00:00.000000Z` : now
}

function stateAt(now: string, of: Outlook, asked = due([september])): string {
  return dueNow(asked, () => of, at(now)).state
}

describe('an adjustment date', () => {
  test('is scheduled while its date has not come and nothing is late', () => {
    expect(stateAt('2026-10-01', official)).toBe('SCHEDULED')
    expect(stateAt('2026-10-01', official, due([]))).toBe('SCHEDULED')
    expect(stateAt('2026-10-19T23:59:59.999999Z', official, due([]))).toBe('SCHEDULED')
  })

  test('is ready from its day on when every figure is there', () => {
    expect(stateAt('2026-10-20T00:00:00.000000Z', official, due([]))).toBe('READY')
    expect(dueNow(due([]), () => official, at('2026-10-01')).readyOn).toBe('2026-10-20')
  })

  test('is late two hours after the instant that was announced, and not before', () => {
    expect(stateAt('2026-10-14T14:29:59.999999Z', official)).toBe('SCHEDULED')
    expect(stateAt('2026-10-14T14:30:00.000000Z', official)).toBe('LATE')
    expect(stateAt('2026-11-14', official)).toBe('LATE')
  })

  test('is late one day after the end of a day that was announced without a time', () => {
    const dateOnly = outlook(expectedOn('2026-10-14', 'DATE_ONLY'), { status: 'DATE_ONLY' })
    expect(stateAt('2026-10-15T23:59:59.999999Z', dateOnly)).toBe('SCHEDULED')
    expect(stateAt('2026-10-16T00:00:00.000000Z', dateOnly)).toBe('LATE')
  })

  test('is late three days after the latest of a learned date, and later where its window is wider', () => {
    const narrow = outlook(expectedOn('2026-10-14', 'LEARNED', '2026-10-15'))
    expect(stateAt('2026-10-18T23:59:59.999999Z', narrow)).toBe('SCHEDULED')
    expect(stateAt('2026-10-19T00:00:00.000000Z', narrow)).toBe('LATE')
    const wide = outlook(expectedOn('2026-10-05', 'LEARNED', '2026-10-12'))
    expect(lateFrom(wide.expected!)).toBe('2026-10-20T00:00:00.000000Z')
    expect(lateFrom(expectedOn('2026-10-05', 'USUAL', '2026-10-06'))).toBe('2026-10-10T00:00:00.000000Z')
  })

  test('waits when its day has come and the figure is not late yet', () => {
    const learned = outlook(expectedOn('2026-10-14', 'LEARNED', '2026-10-19'))
    expect(stateAt('2026-10-20', learned)).toBe('WAITING')
    expect(stateAt('2026-10-20', outlook(null))).toBe('WAITING')
  })

  test('is at risk when the figure is expected after it, and waits from its own day on', () => {
    const after = outlook(expectedOn('2026-10-21', 'DATE_ONLY'), { status: 'DATE_ONLY' })
    expect(stateAt('2026-10-01', after)).toBe('AT_RISK')
    expect(stateAt('2026-10-20', after)).toBe('WAITING')
    const sameDay = outlook(expectedOn('2026-10-20T12:30:00.000000Z', 'OFFICIAL'), { status: 'OFFICIAL' })
    expect(stateAt('2026-10-01', sameDay)).toBe('SCHEDULED')
    expect(dueNow(due([september]), () => after, at('2026-10-01')).readyOn).toBe('2026-10-21')
  })

  test('is blocked when the release is cancelled or the series has ended', () => {
    const cancelled = outlook(null, { status: 'CANCELLED' })
    expect(stateAt('2026-10-01', cancelled)).toBe('BLOCKED')
    expect(dueNow(due([september]), () => cancelled, at('2026-10-01'))).toMatchObject({
      cancelled: [{ series: 'BLS/WPU101', period: '2026-09', rule: 'BLOCK', instead: null }],
      readyOn: null,
    })
    const ended = outlook(official.expected, { endedFrom: '2027-02-01T00:00:00.000000Z' })
    expect(stateAt('2027-01-31', ended)).toBe('LATE')
    expect(stateAt('2027-02-01', ended)).toBe('BLOCKED')
  })

  test('is blocked when it has no number although every figure is there', () => {
    const broken = due([], { gap: 'the step "x" comes to a division by 0' })
    expect(stateAt('2026-10-20', official, broken)).toBe('BLOCKED')
    expect(stateAt('2026-10-19', official, broken)).toBe('SCHEDULED')
  })

  test('is blocked once the day is over by which its figure had to be published', () => {
    const asItStood = due([{ ...september, countsUntil: parseDay('2026-10-20')! }])
    const learned = outlook(expectedOn('2026-10-19', 'LEARNED', '2026-10-25'))
    expect(stateAt('2026-10-20', learned, asItStood)).toBe('WAITING')
    expect(stateAt('2026-10-21', learned, asItStood)).toBe('BLOCKED')
  })

  test('waits for the final figure when it was signed on a preliminary one', () => {
    const signed = due([{ ...september, stage: 'FINAL' }], { isSigned: true })
    const final = outlook(expectedOn('2027-01-14', 'LEARNED', '2027-01-16'))
    expect(dueNow(signed, () => final, at('2026-11-01'))).toMatchObject({
      state: 'FINAL_PENDING',
      waitsFor: { period: '2026-09', stage: 'FINAL', expectedAt: '2027-01-14', basis: 'LEARNED' },
      isProvisional: false,
    })
  })
})

describe('what stands in for a missing figure', () => {
  const covered: AwaitedFigure = { ...september, rule: 'LAST_KNOWN', instead: '324.8' }

  test('makes the number ready and provisional, with the day of the real value', () => {
    expect(dueNow(due([covered]), () => official, at('2026-10-20'))).toMatchObject({
      state: 'READY',
      isProvisional: true,
      waitsFor: { expectedAt: '2026-10-14T12:30:00.000000Z', basis: 'OFFICIAL' },
      late: [{ series: 'BLS/WPU101', period: '2026-09' }],
    })
  })

  test('does not hide before the date that the figure is late', () => {
    expect(stateAt('2026-10-13', official, due([covered]))).toBe('SCHEDULED')
    expect(stateAt('2026-10-15', official, due([covered]))).toBe('LATE')
  })

  test('is what is said of a cancelled release', () => {
    const cancelled = outlook(null, { status: 'CANCELLED' })
    expect(dueNow(due([covered]), () => cancelled, at('2026-10-20'))).toMatchObject({
      state: 'READY',
      cancelled: [{ rule: 'LAST_KNOWN', instead: '324.8' }],
    })
    expect(stateAt('2026-10-01', cancelled, due([covered]))).toBe('SCHEDULED')
  })
})

describe('what a date waits for', () => {
  test('is the latest of its expected dates, and what has no date comes after all', () => {
    const october = { ...september, series: 'ONS/MM23', period: '2026-08' }
    const outlooks = new Map<string, Outlook>([
      ['2026-09', official],
      ['2026-08', outlook(expectedOn('2026-10-15', 'LEARNED'))],
    ])
    const both = dueNow(due([october, september]), ({ period }) => outlooks.get(period)!, at('2026-10-01'))
    expect(both.waitsFor).toMatchObject({ series: 'ONS/MM23', expectedAt: '2026-10-15', basis: 'LEARNED' })
    outlooks.set('2026-09', outlook(null))
    const undated = dueNow(due([october, september]), ({ period }) => outlooks.get(period)!, at('2026-10-01'))
    expect(undated.waitsFor).toMatchObject({ series: 'BLS/WPU101', expectedAt: null, basis: null })
    expect(undated.readyOn).toBeNull()
  })

  test('is nothing for the newest published figure, of which a newer one may come in time', () => {
    const newer = { series: 'BLS/WPU101', period: '2026-09', stage: null, countsUntil: parseDay('2026-10-20')! }
    const ready = due([], { newer })
    expect(dueNow(ready, () => official, at('2026-10-20'))).toMatchObject({
      state: 'READY',
      waitsFor: null,
      newer: { period: '2026-09', expectedAt: '2026-10-14T12:30:00.000000Z' },
    })
    const tooLate: readonly (ReleaseStatus | null)[] = ['OFFICIAL', null]
    for (const status of tooLate)
      expect(
        dueNow(ready, () => outlook(expectedOn('2026-10-21', 'DATE_ONLY'), { status }), at('2026-10-20')).newer,
      ).toBeNull()
  })
})
