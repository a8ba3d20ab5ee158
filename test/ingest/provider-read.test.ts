// Runs the command line on the shared recordings of real answers, if they are present.
import { describe, expect, test } from 'vitest'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import {
  areRecordingsAtHand,
  comparable,
  comparableExpectation,
  expectedOf,
  recordingPath,
  recordingsOf,
} from '../support/files/recordings.ts'
import { runCommand, spawnProgram } from '../support/houses/command-house.ts'

const assize = (words: readonly string[], env: Record<string, string> = {}) => runCommand(words, env)

describe.skipIf(!areRecordingsAtHand)('provider read over the shared recordings', () => {
  const names = Object.fromEntries(Object.keys(providers).map(name => [name.toLowerCase().replaceAll('_', '-'), name]))
  const cases = Object.entries(names).flatMap(([name, provider]) =>
    recordingsOf(name).flatMap(recording => {
      const expected = expectedOf(recording)
      return expected === null ? [] : [{ provider, recording, expected }]
    }),
  )

  test('there are expected results for all fifteen', () => {
    expect(new Set(cases.map(({ provider }) => provider)).size).toBe(15)
  })

  test.each(cases)('$recording comes out as expected', async ({ provider, recording, expected }) => {
    const code = provider === 'FRED' ? ['--code', expected.series[0]!.code] : []
    const words = ['provider', 'read', provider, recordingPath(recording), ...code, '--json']
    const { status, out, err } = await assize(words)
    expect({ status, err: expected.problems.length === 0 ? err : '' }).toEqual({ status: 0, err: '' })
    const read = JSON.parse(out)
    expect(read.provider).toBe(expected.provider)
    expect(comparable(read, expected)).toEqual(comparableExpectation(expected))
  })

  test('an answer with only an error gives no series, one problem and status 1', async () => {
    const file = recordingPath('oecd/error_429_request_rate.QUOTED.txt')
    const { status, out } = await spawnProgram(['provider', 'read', 'OECD', file, '--status', '429', '--json'], {}, '')
    expect(status).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ provider: 'OECD', series: [], problems: [{ kind: 'rate-limited' }] })
  })

  test('an empty range is neither a series nor a problem', async () => {
    const file = recordingPath('bis/error_404_no_results.QUOTED.xml')
    const { status, out } = await assize(['provider', 'read', 'BIS', file, '--status', '404', '--json'])
    expect({ status, read: JSON.parse(out) }).toEqual({
      status: 0,
      read: { provider: 'BIS', series: [], problems: [] },
    })
  })

  test('a file in Shift-JIS is decoded correctly', async () => {
    const file = recordingPath('boj/constructed_csv_success_jp_shiftjis.csv')
    const { status, out } = await assize(['provider', 'read', 'BOJ', file, '--json'])
    expect(status).toBe(0)
    expect(out).not.toContain('\uFFFD')
    expect(JSON.parse(out).series[0].name).toMatch(/\p{Script=Han}|\p{Script=Katakana}/u)
  })
})

describe('provider commands', () => {
  test('an unknown provider, a missing file and a bad status are refused in one line', async () => {
    // An unreadable option is a usage error: 2.
    for (const [wanted, words] of [
      [1, ['provider', 'read', 'NOBODY', 'x.json']],
      [1, ['provider', 'read', 'BLS', '/nowhere/x.json']],
      [2, ['provider', 'read', 'BLS', 'package.json', '--status', 'ok']],
    ] as const) {
      const { status, out, err } = await assize(words)
      expect({ status, out, lines: err.trim().split('\n').length }).toEqual({ status: wanted, out: '', lines: 1 })
    }
  })

  test('the list says what each provider needs and whether a key is set, without showing it', async () => {
    const { status, out } = await assize(['provider', 'list', '--json'], { ASSIZE_KEY_FRED: 'abcdefabcdef' })
    expect(status).toBe(0)
    expect(out).not.toContain('abcdefabcdef')
    const list: { provider: string; key: string; keySet: boolean }[] = JSON.parse(out)
    expect(list.map(({ provider }) => provider)).toEqual(Object.keys(providers))
    expect(list.find(({ provider }) => provider === 'FRED')).toMatchObject({ key: 'required', keySet: true })
    expect(list.find(({ provider }) => provider === 'EIA')).toMatchObject({ key: 'required', keySet: false })
  })
})
