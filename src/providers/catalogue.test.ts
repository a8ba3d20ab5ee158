import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseDay } from '../core/day.ts'
import { providerNames } from '../core/series.ts'
import { providers } from './catalogue.ts'

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

describe('what only one provider does', () => {
  // Who adds a provider writes one file; the folders that ask, compare and show know none by its name.
  test('is said by the provider itself, not by those who ask it', () => {
    const folder = new URL('../ingest/', import.meta.url)
    const names = Object.keys(providers).join('|')
    const named = readdirSync(folder)
      .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter(file => new RegExp(`['"](?:${names})['"]`).test(readFileSync(new URL(file, folder), 'utf8')))
    expect(named).toEqual([])
  })

  test('has a place for people to look, and a calendar in a zone that exists where it has one', () => {
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
