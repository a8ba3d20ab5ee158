// Runs the command line itself over the recordings that the founders share, where they are at hand.
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { providers } from '../../src/providers/catalogue.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, '../shared/providers/specimens')

interface Run {
  readonly status: number
  readonly out: string
  readonly err: string
}

function assize(words: readonly string[], env: Record<string, string> = {}): Promise<Run> {
  return new Promise(done => {
    const options = { cwd: root, env: { PATH: process.env.PATH, ...env }, maxBuffer: 256 * 1024 * 1024 }
    execFile(process.execPath, ['src/cli/assize.ts', ...words], options, (error, out, err) => {
      done({ status: error === null ? 0 : Number(error.code), out, err })
    })
  })
}

interface Expected {
  readonly provider: string
  readonly series: readonly {
    readonly code: string
    readonly frequency: string
    readonly observations: readonly Record<string, unknown>[]
    readonly missing: readonly { readonly period: string; readonly flag: string | null }[]
    readonly count?: number
    readonly missingCount?: number
  }[]
  readonly problems: readonly { readonly kind: string }[]
}

/** What the notes say is compared; `like` says where the expectation was cut to its ends. */
function comparable({ provider, series, problems }: Expected, like: Expected) {
  const ends = <T>(items: readonly T[], count: number | undefined) =>
    count === undefined || items.length === 6 ? items : [...items.slice(0, 3), ...items.slice(-3)]
  return {
    provider,
    series: series.map(({ code, frequency, observations, missing, count, missingCount }, at) => ({
      code,
      frequency,
      count: count ?? observations.length,
      missingCount: missingCount ?? missing.length,
      observations: ends(observations, like.series[at]?.count).map(({ period, value, version, flag, published }) => ({
        period,
        value,
        version,
        flag,
        published,
      })),
      missing: ends(missing, like.series[at]?.missingCount).map(({ period, flag }) => ({ period, flag })),
    })),
    problems: problems.map(({ kind }) => kind),
  }
}

describe.skipIf(!existsSync(folder))('provider read over the shared recordings', () => {
  const names = Object.fromEntries(Object.keys(providers).map(name => [name.toLowerCase().replaceAll('_', '-'), name]))
  // Gathered also where the recordings are not at hand.
  const recorded = existsSync(folder) ? Object.keys(names) : []
  const cases = recorded.flatMap(name =>
    readdirSync(join(folder, name))
      .filter(file => existsSync(join(folder, name, `${file}.expected.json`)))
      .map(file => [name, file] as const),
  )

  test('there are expected readings for all fifteen', () => {
    expect(new Set(cases.map(([name]) => name)).size).toBe(15)
  })

  test.each(cases)('%s/%s comes out as expected', async (name, file) => {
    const expected: Expected = JSON.parse(readFileSync(join(folder, name, `${file}.expected.json`), 'utf8'))
    const code = name === 'fred' ? ['--code', expected.series[0]!.code] : []
    const { status, out, err } = await assize([
      'provider',
      'read',
      names[name]!,
      join(folder, name, file),
      ...code,
      '--json',
    ])
    expect({ status, err: expected.problems.length === 0 ? err : '' }).toEqual({ status: 0, err: '' })
    const read: Expected = JSON.parse(out)
    expect(comparable(read, expected)).toEqual(comparable(expected, expected))
  })

  test('a response that carries only an error gives no series, one problem and status 1', async () => {
    const file = join(folder, 'oecd/error_429_request_rate.QUOTED.txt')
    const { status, out } = await assize(['provider', 'read', 'OECD', file, '--status', '429', '--json'])
    expect(status).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ provider: 'OECD', series: [], problems: [{ kind: 'rate-limited' }] })
  })

  test('an empty range is neither a series nor a problem', async () => {
    const file = join(folder, 'bis/error_404_no_results.QUOTED.xml')
    const { status, out } = await assize(['provider', 'read', 'BIS', file, '--status', '404', '--json'])
    expect({ status, read: JSON.parse(out) }).toEqual({
      status: 0,
      read: { provider: 'BIS', series: [], problems: [] },
    })
  })

  test('a file in Shift-JIS keeps its letters', async () => {
    const file = join(folder, 'boj/constructed_csv_success_jp_shiftjis.csv')
    const { status, out } = await assize(['provider', 'read', 'BOJ', file, '--json'])
    expect(status).toBe(0)
    expect(out).not.toContain('\uFFFD')
    expect(JSON.parse(out).series[0].name).toMatch(/\p{Script=Han}|\p{Script=Katakana}/u)
  })
})

describe('provider commands', () => {
  test('an unknown provider, a missing file and a bad status are refused in one line', async () => {
    for (const words of [
      ['provider', 'read', 'NOBODY', 'x.json'],
      ['provider', 'read', 'BLS', '/nowhere/x.json'],
      ['provider', 'read', 'BLS', 'package.json', '--status', 'ok'],
    ]) {
      const { status, out, err } = await assize(words)
      expect({ status, out, lines: err.trim().split('\n').length }).toEqual({ status: 1, out: '', lines: 1 })
    }
  })

  test('the list says what each needs and whether a key is set, and shows no key', async () => {
    const { status, out } = await assize(['provider', 'list', '--json'], { ASSIZE_KEY_FRED: 'abcdefabcdef' })
    expect(status).toBe(0)
    expect(out).not.toContain('abcdefabcdef')
    const list: { provider: string; key: string; keySet: boolean }[] = JSON.parse(out)
    expect(list.map(({ provider }) => provider)).toEqual(Object.keys(providers))
    expect(list.find(({ provider }) => provider === 'FRED')).toMatchObject({ key: 'required', keySet: true })
    expect(list.find(({ provider }) => provider === 'EIA')).toMatchObject({ key: 'required', keySet: false })
  })
})
