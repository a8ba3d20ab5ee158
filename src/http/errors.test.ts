import { describe, expect, test } from 'vitest'
import { failureAnswer } from './console/failure.ts'
import { answerFor } from './errors.ts'

const trouble = (code: string) => Object.assign(new Error('could not extend file "base/1/2": No space left'), { code })

describe('a full disk', () => {
  test.each(['53100', 'ENOSPC'])('is a 503 with its reason, without internal details (%s)', code => {
    const body = { error: 'the disk is full: nothing was changed; try again when there is room' }
    const { status, headers } = answerFor(trouble(code))
    expect([status, headers.includes('retry-after')]).toEqual([503, true])
    expect(failureAnswer(trouble(code))).toEqual({ status: 503, body, headers: { 'retry-after': '60' } })
  })

  test('is not confused with other failures', () => {
    expect(answerFor(trouble('XX000')).status).toBe(500)
    expect(failureAnswer(trouble('XX000')).status).toBe(500)
  })
})
