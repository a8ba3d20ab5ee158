// C1 to C3 over real HTTP: prefixes, identifiers, and every parameter of every route, rightly and wrongly given.
import { beforeAll, describe, expect, test } from 'vitest'
import { problemsOf, type ShapeName } from '../support/clients/wire-shapes.ts'
import { house } from '../support/houses/house.ts'
import { everyRoute, fillSample, type Sample } from '../support/houses/sample.ts'

let sample: Sample
let paths: readonly string[]
const { api, tenant } = house()
beforeAll(async () => {
  sample = await fillSample(tenant)
  paths = everyRoute(sample)
})

const shapeOf: readonly ShapeName[] = [
  'seriesList',
  'values',
  'vintages',
  'pamList',
  'pam',
  'pamValues',
  'adjustment',
  'receipt',
]

describe('paths and identifiers', () => {
  test('gives every route exactly its documented shape, as application/json', async () => {
    for (const [i, path] of paths.entries()) {
      const { status, headers, text } = await tenant.get(path)
      expect(status, path).toBe(200)
      expect(headers['content-type'], path).toBe('application/json')
      expect(problemsOf(shapeOf[i]!, text), path).toEqual([])
    }
  })

  test('C1: both prefixes give the same bytes, statuses and headers, and neither redirects', async () => {
    const asked = [...paths, '/series?limit=0', '/series/none/values', '/none', '/pams/none', '']
    for (const path of asked) {
      const [short, long] = await Promise.all(
        ['/v1', '/api/v1'].map(prefix => api.ask(`${prefix}${path}`, { headers: tenant.authorization })),
      )
      expect(long!.status, path).toBe(short!.status)
      expect(long!.text, path).toBe(short!.text)
      expect(long!.headers.etag, path).toBe(short!.headers.etag)
      expect(Object.keys(long!.headers), path).toEqual(Object.keys(short!.headers))
      expect([200, 400, 404], path).toContain(short!.status)
    }
  })

  test('C1: the prefixes are exact: another case, a doubled slash or a trailing one is unknown', async () => {
    for (const path of [
      '/V1/series',
      '/api/V1/series',
      '/v1//series',
      '/v1/series/',
      '/v1/pams/',
      '/v11/series',
      '/api/series',
    ])
      expect((await api.ask(path, { headers: tenant.authorization })).status, path).toBe(404)
  })

  test('C2: identifiers are opaque and type-prefixed, and sort by the time they were made', async () => {
    const { data } = await tenant.json<{ data: { id: string; createdAt: string }[] }>('/series')
    expect(data.map(({ id }) => id)).toEqual(data.map(({ id }) => id).toSorted())
    expect(data.map(({ createdAt }) => createdAt)).toEqual(data.map(({ createdAt }) => createdAt).toSorted())
    expect(sample.steel).toMatch(/^ser_[0-9a-z]{26}$/)
    expect(sample.agreement).toMatch(/^pam_[0-9a-z]{26}$/)
    expect(tenant.keyId).toMatch(/^key_[0-9a-z]{26}$/)
  })

  test('C2: a PAM is found by its slug on every route of PAMs, with the same bytes', async () => {
    for (const rest of ['', '/values', '/adjustment', '/adjustment?period=2024-Q2&view=calculation']) {
      const byId = await tenant.get(`/pams/${sample.agreement}${rest}`)
      const bySlug = await tenant.get(`/pams/steel${rest}`)
      expect(bySlug.status, rest).toBe(200)
      expect(bySlug.text, rest).toBe(byId.text)
    }
    const { hash } = await tenant.json<{ hash: string }>('/pams/steel/adjustment/receipt')
    expect(await tenant.json<{ hash: string }>(`/pams/${sample.agreement}/adjustment/receipt`)).toMatchObject({ hash })
  })

  test('C2: an identifier may be percent-encoded, and one of the wrong kind or case is not found', async () => {
    expect((await tenant.get('/pams/%73teel')).status).toBe(200)
    for (const id of [
      sample.agreement,
      sample.steel.toUpperCase(),
      'CUSTOM/steel',
      'CUSTOM%2Fsteel',
      '%',
      '%00',
      '..',
      '%20',
    ])
      expect((await tenant.get(`/series/${id}/values`)).status, id).toBe(404)
    for (const id of [sample.steel, sample.agreement.toUpperCase(), 'Steel', tenant.keyId])
      expect((await tenant.get(`/pams/${id}`)).status, id).toBe(404)
  })
})

const takes: Readonly<Record<string, readonly string[]>> = {
  '/series': ['provider', 'limit', 'cursor'],
  '/series/*/values': ['from', 'to', 'limit', 'last', 'version', 'asOf', 'knownAt', 'view'],
  '/series/*/vintages': ['from', 'to', 'limit', 'knownAt'],
  '/pams': ['limit', 'cursor'],
  '/pams/*': [],
  '/pams/*/values': ['from', 'to', 'asOf', 'knownAt'],
  '/pams/*/adjustment': ['period', 'date', 'version', 'asOf', 'knownAt', 'view'],
  '/pams/*/adjustment/receipt': ['period', 'date', 'version', 'asOf', 'knownAt'],
}
const good: Readonly<Record<string, string>> = {
  provider: 'CUSTOM',
  limit: '1',
  from: '2024-01-01',
  to: '2024-12-31',
  last: '1',
  version: 'FINAL',
  asOf: '2024-12-31',
  period: '2024-Q2',
  date: '2024-05-01',
}
const shapeName = (path: string) => path.replace(sample.steel, '*').replace(sample.agreement, '*')

/** The 400 and its one sentence. */
async function refusal(path: string): Promise<string> {
  const { status, text } = await tenant.get(path)
  expect(status, `${path}: ${text}`).toBe(400)
  expect(problemsOf('error', text), path).toEqual([])
  return (JSON.parse(text) as { error: string }).error
}

describe('parameters', () => {
  test('C3: a parameter the route does not have is refused by name on every route, however near a known one', async () => {
    const strangers = [
      'asof',
      'AsOf',
      'known_at',
      'Limit',
      'page',
      'offset',
      'format',
      '__proto__',
      'constructor',
      'x y',
    ]
    for (const path of paths) {
      const foreign = Object.keys(good).filter(name => !takes[shapeName(path)]!.includes(name))
      for (const name of [...strangers, ...foreign])
        expect(
          await refusal(`${path}?${encodeURIComponent(name)}=${Object.hasOwn(good, name) ? good[name] : '2024-01-01'}`),
          path,
        ).toContain(name)
    }
  })

  test('C3: an unknown parameter is refused without a value, with an empty name, and next to valid ones', async () => {
    for (const path of paths) {
      await refusal(`${path}?asof`)
      await refusal(`${path}?=1`)
      for (const name of takes[shapeName(path)]!.filter(each => each in good))
        expect(await refusal(`${path}?${name}=${good[name]}&asof=2024-01-01`)).toContain('asof')
    }
  })

  test('C3: a repeated parameter is refused on every route, even with the same value or percent-encoded', async () => {
    for (const path of paths)
      for (const name of takes[shapeName(path)]!.filter(each => each in good)) {
        const pair = `${name}=${good[name]}`
        expect((await tenant.get(`${path}?${pair}`)).status, `${path}?${pair}`).not.toBe(400)
        expect(await refusal(`${path}?${pair}&${pair}`)).toContain(name)
        const encoded = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
        expect(await refusal(`${path}?${pair}&${encoded}=${good[name]}`)).toContain(name)
      }
  })

  test('C3: limit is a whole number from 1 to its bound, written plainly, and is never clamped', async () => {
    const bad = [
      '',
      '0',
      '00',
      '01',
      '-1',
      '+1',
      '1.0',
      '1e2',
      '0x10',
      ' 1',
      '1 ',
      '١',
      '9999',
      '10000',
      '99999999999',
      'abc',
      'NaN',
    ]
    for (const [path, most] of [
      ['/series', 200],
      ['/pams', 200],
      [`/series/${sample.steel}/values`, 2000],
      [`/series/${sample.steel}/vintages`, 2000],
    ] as const) {
      for (const text of [...bad, `${most + 1}`]) {
        const error = await refusal(`${path}?limit=${encodeURIComponent(text)}`)
        expect(error).toContain('limit')
        expect(error).toContain(`${most}`)
        if (text !== '') expect(error).toContain(text)
      }
      for (const text of ['1', '2', `${most}`]) expect((await tenant.get(`${path}?limit=${text}`)).status).toBe(200)
    }
    for (const text of [...bad, '2001'])
      await refusal(`/series/${sample.steel}/values?last=${encodeURIComponent(text)}`)
  })

  test('C3: every malformed value of every parameter is refused with a sentence that names it and what came', async () => {
    const days = [
      '2024-02-30',
      '2024-13-01',
      '2024-1-1',
      '20240101',
      '2024-01-01T00:00:00Z',
      '01.01.2024',
      'today',
      '0000-01-01',
    ]
    const bad: Readonly<Record<string, readonly string[]>> = {
      from: days,
      to: days,
      date: days,
      version: ['final', 'Final', 'LATEST', 'FINAL,REVISED', 'null', '1'],
      asOf: [
        '2024-02-30',
        '2023-02-29',
        '2024-01-01T24:00:00Z',
        '2024-01-01T00:00:00',
        '2024-01-01 00:00:00Z',
        'now',
        '1704067200',
        '2024-W01',
        '2024-01',
        '2024-01-01T00:00:00+25:00',
      ],
      knownAt: ['2024-02-30', '2024-01-01T00:00', '2024-01-01T00:00:00 00:00', 'yesterday', '-1'],
      view: ['Summary', 'full', 'json', 'SUMMARY'],
      period: [
        '2024Q2',
        '2024-Q5',
        '2024-Q0',
        '2024-13',
        '2024-00',
        '2024-H3',
        '24-Q1',
        '2024-q2',
        '2024-Q2 ',
        'Q2',
        '0000',
      ],
      provider: ['bls', 'Bls', 'CUSTOMS', 'BLS,FRED', '*'],
      cursor: ['x', '0', 'null', '../..'],
    }
    for (const path of paths)
      for (const name of takes[shapeName(path)]!)
        for (const text of ['', ...(bad[name] ?? [])]) {
          const error = await refusal(`${path}?${name}=${encodeURIComponent(text)}`)
          expect(error, `${path} ${name}=${text}`).toContain(name)
          if (text !== '' && name !== 'cursor') expect(error, `${path} ${name}`).toContain(text.slice(0, 20))
        }
  })

  test('C3: a broken percent sign in a query is a 400, not a guess', async () => {
    for (const path of paths) await refusal(`${path}?limit=%zz`)
    await refusal('/series?%E0%A4%A=1')
  })

  test('C3: health accepts no parameters either', async () => {
    const { status, text } = await api.ask('/v1/health?verbose=1')
    expect(status).toBe(400)
    expect(problemsOf('error', text)).toEqual([])
  })

  test('C13, C15, C23: parameters that contradict each other are refused', async () => {
    for (const path of [`/series/${sample.steel}/values`, `/series/${sample.steel}/vintages`, '/pams/steel/values'])
      expect(await refusal(`${path}?from=2024-05-02&to=2024-05-01`)).toMatch(/from.*to/)
    expect(await refusal(`/series/${sample.steel}/values?last=1&limit=1`)).toMatch(/last.*limit|limit.*last/)
    for (const path of ['/pams/steel/adjustment', '/pams/steel/adjustment/receipt'])
      expect(await refusal(`${path}?period=2024-Q2&date=2024-05-01`)).toMatch(/period.*date/)
  })
})
