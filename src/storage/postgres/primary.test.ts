// What counts as an answer of the primary.
import { afterEach, expect, test, vi } from 'vitest'
import { databaseTroubleOf } from './database-errors.ts'
import { confirmWithinMs, inTime } from './primary.ts'

afterEach(() => vi.useRealTimers())

const row = { isStandby: false, written: null }

test('rows are those of the primary unless a standby wrote them', async () => {
  expect(await inTime(Promise.resolve([{ ...row, seq: 3 }]), 'request')).toEqual([{ ...row, seq: 3 }])
  const error = await inTime(Promise.resolve([{ ...row, isStandby: true }]), 'request').catch(failure => failure)
  expect([error.code, databaseTroubleOf(error)]).toEqual(['STANDBY', 'away'])
})

test('an answer that is not confirmed in time is none: the database is away', async () => {
  vi.useFakeTimers()
  const asked = inTime(new Promise<never>(() => {}), 'heartbeat').catch(failure => failure)
  vi.advanceTimersByTime(confirmWithinMs.heartbeat)
  const error = await asked
  expect([error.code, databaseTroubleOf(error)]).toEqual(['NOT_CONFIRMED', 'away'])
})
