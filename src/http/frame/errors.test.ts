import { describe, expect, test } from 'vitest'
import { ConnectionError } from '../../storage/postgres/connection-error.ts'
import { failureAnswer } from '../console/frame/failure.ts'
import { answerFor, isForTheLog } from './errors.ts'

const trouble = (code: string) => Object.assign(new Error('could not extend file "base/1/2": No space left'), { code })

/** Error of a query whose socket failed. */
const ofQuery = (code: string, syscall: string) => new ConnectionError(code, `${syscall} ${code}`, syscall)

describe('an error', () => {
  test.each([
    ofQuery('ENOENT', 'connect'),
    ofQuery('ECONNREFUSED', 'connect'),
    ofQuery('ECONNRESET', 'read'),
    ofQuery('EHOSTUNREACH', 'connect'),
    ConnectionError.of('CONNECTION_CLOSED'),
    Object.assign(new Error('too many connections'), { code: '53300' }),
    Object.assign(new Error('not accepting connections'), { code: '55000', name: 'PostgresError', severity: 'FATAL' }),
  ])('of the connection to the database is a 503: %s', error => {
    const body = { error: 'the database is not available; try again' }
    expect(answerFor(error).status).toBe(503)
    expect(failureAnswer(error)).toMatchObject({ status: 503, body })
    expect(isForTheLog(error, 503)).toBe(true)
  })

  test.each([
    Object.assign(new Error("ENOENT: no such file or directory, open 'a'"), { code: 'ENOENT', syscall: 'open' }),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' }),
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }),
    Object.assign(new Error('object in use'), { code: '55000', name: 'PostgresError', severity: 'ERROR' }),
  ])('of a file or another connection is none of the database: a 500, for the log: %s', error => {
    expect(answerFor(error).status).toBe(500)
    expect(failureAnswer(error).status).toBe(500)
    expect(isForTheLog(error, 500)).toBe(true)
  })

  test.each([
    ['57014', 'took the database too long'],
    ['55P03', 'is being changed at this moment'],
  ])('that the database ended by itself has its own sentence (%s)', (code, words) => {
    const body = { error: expect.stringContaining(words) }
    expect(failureAnswer(trouble(code))).toMatchObject({ status: 503, body })
    expect(answerFor(trouble(code)).chunks.join('')).toContain(words)
    expect(isForTheLog(trouble(code), 503)).toBe(true)
  })
})

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
