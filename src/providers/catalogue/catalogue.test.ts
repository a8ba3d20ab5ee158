import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { providerNames } from '../../core/series/series.ts'
import { parseDay } from '../../core/time/day.ts'
import { findZone } from '../../core/time/local-time.ts'
import { providerHabits, providers, shortTitles } from './catalogue.ts'

describe('the catalogue', () => {
  test('has every provider under its own name', () => {
    expect(Object.keys(providers)).toEqual([...providerNames])
    for (const name of providerNames) expect(providers[name].name).toBe(name)
  })

  test.each(providerNames)('%s asks only its own hosts, for the code it gives as an example', name => {
    const provider = providers[name]
    const key = provider.key === 'none' ? null : 'thesecretkey'
    const requests = provider.request({
      codes: [provider.codeExample],
      from: parseDay('2024-01-01'),
      changedSince: null,
      today: parseDay('2026-01-01')!,
      key,
    })
    expect(requests.length).toBeGreaterThan(0)
    for (const { path, method, body, codes, secrets, headers } of requests) {
      const address = new URL(provider.baseUrl + path)
      expect(path.startsWith('/')).toBe(true)
      expect(provider.hosts).toContain(address.hostname)
      expect(address.protocol).toBe('https:')
      expect(codes).toEqual([provider.codeExample])
      expect(method === 'POST').toBe(body !== null)
      const isTold = `${path}${body ?? ''}${JSON.stringify(headers)}`.includes('thesecretkey')
      expect(secrets).toEqual(isTold ? ['thesecretkey'] : [])
    }
  })
})

describe('a release calendar', () => {
  const parts = Object.values(providers).flatMap(provider =>
    provider.releases === undefined ? [] : [{ provider, part: provider.releases }],
  )

  test('exists for six providers', () => {
    expect(parts.map(({ provider }) => provider.name)).toEqual(['BLS', 'FRED', 'EUROSTAT', 'ONS', 'STATCAN', 'BIS'])
  })

  test.each(parts)(
    'of $provider.name is asked for at a host of its own, with its key redacted',
    ({ provider, part }) => {
      expect(findZone(part.zone)).not.toBeNull()
      const key = provider.key === 'none' ? null : 'thesecretkey'
      const today = parseDay('2026-11-18')!
      const requests = part.requests({ today, key, codes: [provider.codeExample, '?'], known: new Map() })
      expect(requests.length).toBeGreaterThan(0)
      for (const { baseUrl, path, body, secrets, headers } of requests) {
        const address = new URL((baseUrl ?? provider.baseUrl) + path)
        expect(provider.hosts).toContain(address.hostname)
        expect(address.protocol).toBe('https:')
        const isTold = `${path}${body ?? ''}${JSON.stringify(headers)}`.includes('thesecretkey')
        expect(secrets).toEqual(isTold ? ['thesecretkey'] : [])
      }
    },
  )
})

describe('what is specific to one provider', () => {
  // Adding a provider takes one file; the folders that ask, compare, warn and show know no provider by name.
  test.each(['../../ingest/', '../../core/formula/', '../../../web/'])(
    'is said by the provider itself, not in %s',
    name => {
      const folder = new URL(name, import.meta.url)
      const names = Object.keys(providers).join('|')
      const isNaming = new RegExp(`['"](?:${names})['"]|^ *(?:${names}):`, 'm')
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      const named = files
        .filter(file => /\.tsx?$/.test(file) && !/\.test\.ts$|node_modules|^dist/.test(file))
        .filter(file => isNaming.test(readFileSync(new URL(file, folder), 'utf8')))
      expect(named).toEqual([])
    },
  )

  test('is available for warnings: general facts about its series', () => {
    const { habits } = providers.BLS
    expect(providerHabits.get('BLS')).toBe(habits)
    expect(habits?.adjustedCodes?.test('CUSR0000SA0')).toBe(true)
    expect(habits?.adjustedCodes?.test('CUUR0000SA0')).toBe(false)
    expect(habits?.delayDays?.MONTHLY).toBe(15)
    expect(shortTitles).toMatchObject({ WORLD_BANK: 'World Bank', BLS: 'BLS' })
  })

  test('has a web site and, if it has a calendar, an existing time zone', () => {
    for (const { name, home, calendar } of Object.values(providers)) {
      expect([name, new URL(home).protocol]).toEqual([name, 'https:'])
      if (calendar === undefined) continue
      expect(() => new Intl.DateTimeFormat('en', { timeZone: calendar.zone })).not.toThrow()
      for (const { minute, hours, days } of calendar.times) {
        expect([name, minute >= 0 && minute < 60 && /^[\d,]+$/.test(hours)]).toEqual([name, true])
        expect(days).toMatch(/^(?:\*|[\d,-]+)$/)
      }
    }
  })
})
