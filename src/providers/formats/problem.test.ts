import { describe, expect, test } from 'vitest'
import { blankKeys, joinAnswers, sentence } from './problem.ts'

describe('messages', () => {
  test.each([
    ['The key:INVALID provided by the User is invalid.', 'The key:*** provided by the User is invalid.'],
    ['We could not recognize your API key: test_key. Please', 'We could not recognize your API key: ***. Please'],
    ['the user with registration key 0a1b2c has been reached', 'the user with registration key *** has been reached'],
    ['User 0a1b2c has exceeded the number of requests', 'User *** has exceeded the number of requests'],
    ['GET /data/?api_key=abc123&frequency=monthly', 'GET /data/?api_key=***&frequency=monthly'],
    ['{"params":{"api_key":"abc123"}}', '{"params":{"api_key":"***"}}'],
    ['No api_key was supplied.', 'No api_key was supplied.'],
  ])('lose their keys: %s', (text, blanked) => expect(blankKeys(text)).toBe(blanked))

  test('are one line of bounded length', () => {
    expect(sentence('a\r\n\u0007b\u2028c')).toBe('a b c')
    expect(sentence('x'.repeat(1000))).toHaveLength(300)
  })
})

describe('a problem', () => {
  test('reported twice in the same words is kept once', () => {
    const one = { series: [], problems: [{ kind: 'unreadable', message: 'a' }] } as const
    expect(joinAnswers([one, one]).problems).toHaveLength(1)
  })
})
