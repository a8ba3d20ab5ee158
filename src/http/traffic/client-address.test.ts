import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { Proxies } from './client-address.ts'

function request(peer: string, forwarded?: string, proto?: string): IncomingMessage {
  const headers = { 'x-forwarded-for': forwarded, 'x-forwarded-proto': proto }
  return { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage
}

describe('whose request it is', () => {
  test('is the peer’s while no proxy is named, whatever is forwarded', () => {
    const proxies = new Proxies(null)
    expect(proxies.clientAddress(request('203.0.113.9', '10.0.0.1', 'https'))).toBe('203.0.113.9')
    expect(proxies.isSecure(request('203.0.113.9', '10.0.0.1', 'https'))).toBe(false)
  })

  test('is counted from the nearest where the number of proxies is said', () => {
    expect(new Proxies(1).clientAddress(request('10.0.0.1', 'made-up, 203.0.113.9'))).toBe('203.0.113.9')
    expect(new Proxies(2).clientAddress(request('10.0.0.1', 'made-up, 203.0.113.9, 10.0.0.2'))).toBe('203.0.113.9')
    expect(new Proxies(2).clientAddress(request('10.0.0.1'))).toBe('10.0.0.1')
  })

  test('is the first that is not one of the named addresses or ranges', () => {
    const proxies = new Proxies(['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'])
    expect(proxies.clientAddress(request('10.1.2.3', '203.0.113.9, 192.0.2.7'))).toBe('203.0.113.9')
    expect(proxies.clientAddress(request('::ffff:10.1.2.3', '203.0.113.9'))).toBe('203.0.113.9')
    expect(proxies.clientAddress(request('2001:db8::5', '203.0.113.9'))).toBe('203.0.113.9')
    expect(proxies.clientAddress(request('203.0.113.8', '203.0.113.9'))).toBe('203.0.113.8')
    expect(proxies.clientAddress(request('10.1.2.3', 'nonsense'))).toBe('nonsense')
  })
})

describe('TLS', () => {
  test('is believed only from our own proxies, and from the outermost of them', () => {
    const named = new Proxies(['10.0.0.0/8'])
    expect(named.isSecure(request('10.0.0.1', '203.0.113.9', 'https'))).toBe(true)
    expect(named.isSecure(request('10.0.0.1', '203.0.113.9', 'http'))).toBe(false)
    expect(named.isSecure(request('10.0.0.1', '203.0.113.9'))).toBe(false)
    expect(named.isSecure(request('203.0.113.9', '10.0.0.1', 'https'))).toBe(false)
    expect(named.isSecure(request('10.0.0.1', '203.0.113.9', 'https, http'))).toBe(false)
    expect(named.isSecure(request('10.0.0.1', '203.0.113.9, 10.0.0.2', 'https, http'))).toBe(true)
    expect(new Proxies(1).isSecure(request('10.0.0.1', '203.0.113.9', 'https'))).toBe(true)
    expect(new Proxies(1).isSecure(request('10.0.0.1', '203.0.113.9', 'https, http'))).toBe(false)
    expect(new Proxies(2).isSecure(request('10.0.0.1', '203.0.113.9, 10.0.0.2', 'HTTPS, http'))).toBe(true)
  })
})
