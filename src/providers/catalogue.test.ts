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
