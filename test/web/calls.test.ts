// The addresses of the pages' requests. What the compiler accepts is in support/clients/typed-asks.ts.
import { describe, expect, test } from 'vitest'
import { addressIn, at } from '../../web/calls.ts'

const path = addressIn('acme')

describe('an address', () => {
  test('has its identifiers in it, whatever is in them', () => {
    expect(at('/passkeys/:id', { id: 'a/b?c=d' })).toBe('/passkeys/a%2Fb%3Fc%3Dd')
    expect(path('/agreements/:slug/periods/:period', { slug: 's', period: '2024-Q1' })).toBe(
      '/w/acme/agreements/s/periods/2024-Q1',
    )
  })

  test('is followed by its parameters, without those that are undefined', () => {
    expect(path('/find', { q: 'x & y' })).toBe('/w/acme/find?q=x+%26+y')
    expect(path('/agreements', { q: undefined, limit: 5, after: '' })).toBe('/w/acme/agreements?limit=5&after=')
    expect(path('/agreements', { q: undefined })).toBe('/w/acme/agreements')
    expect(path('/agreements')).toBe('/w/acme/agreements')
    expect(at('/session')).toBe('/session')
  })
})
