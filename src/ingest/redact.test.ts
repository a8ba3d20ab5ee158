import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../outbound/address.ts'
import { providers } from '../providers/catalogue/catalogue.ts'
import { decodeBody } from './charset.ts'
import { oneLine, redactBody, redactMessage, redactor } from './redact.ts'

describe('keys', () => {
  const secret = 'aB3+/&"x y'
  const redact = redactor([secret])

  test('are blanked in every form in which they come back', () => {
    for (const form of [
      secret,
      secret.toUpperCase(),
      encodeURIComponent(secret),
      encodeURIComponent(secret).replaceAll('%20', '+'),
      JSON.stringify(secret),
      `<e k="${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"/>`,
    ])
      expect(redact(`before ${form} after`)).toMatch(/^before ["<e k=]*\*\*\*["/>]* after$/)
  })

  test('that are too short to be keys are left alone', () => {
    expect(redactor(['1', ''])('value 101.1')).toBe('value 101.1')
  })

  test('that a provider repeats are blanked in its messages, even if they are not ours', () => {
    expect(redactMessage('The key:ABCDEF12 provided by the User is invalid.', redactor([]))).toBe(
      'The key:*** provided by the User is invalid.',
    )
    expect(redactMessage(`${'x'.repeat(400)}\u0000\n`, redactor([]))).toHaveLength(300)
  })

  test('and contact persons are not stored', () => {
    const body = '{"description":{"contact":{"name":"A Person","email":"a@example.com"},"title":"CPI"}}'
    expect(redactBody(body, providers.ONS, redactor([]))).toBe('{"description":{"contact":{},"title":"CPI"}}')
    expect(redactBody(body, providers.BLS, redactor([]))).toBe(body)
  })

  test('messages are one line that a database accepts', () => {
    expect(oneLine(' a\u0000b\r\n\u2028c\ud800 ')).toBe('a b c\ufffd')
  })
})

describe('charsets', () => {
  const bytes = (...codes: number[]) => new Uint8Array(codes)

  test('UTF-8 is tried before the header', () => {
    expect(decodeBody(new TextEncoder().encode('Zürich'), 'text/csv; charset=iso-8859-1', {})).toBe('Zürich')
  })

  test('the header, the declaration or the usual charset of the provider decides the rest', () => {
    expect(decodeBody(bytes(0xfc), 'text/plain; charset="ISO-8859-1"', {})).toBe('ü')
    expect(decodeBody(bytes(0x93, 0xfa), 'text/plain; charset=Shift_JIS', {})).toBe('日')
    const declared = new Uint8Array([
      ...new TextEncoder().encode('<?xml version="1.0" encoding="Shift_JIS"?>'),
      0x93,
      0xfa,
    ])
    expect(decodeBody(declared, null, {}).endsWith('日')).toBe(true)
    expect(decodeBody(bytes(0x93, 0xfa), null, providers.BOJ)).toBe('日')
    expect(decodeBody(bytes(0xff, 0xfe, 0x41, 0x00), null, {})).toBe('A')
  })
})

describe('addresses', () => {
  test('of the public internet are public, all others are not', () => {
    for (const address of ['8.8.8.8', '172.15.255.255', '172.32.0.1', '2606:4700::1111'])
      expect(isPublicAddress(address), address).toBe(true)
    const others = [
      '0.0.0.0',
      '10.0.0.1',
      '100.64.0.1',
      '127.1.2.3',
      '169.254.169.254',
      '172.16.0.1',
      '192.168.0.1',
      '224.0.0.1',
      '255.255.255.255',
    ]
    const others6 = [
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '::ffff:8.8.8.8',
      '64:ff9b::a00:1',
      '2001:db8::1',
      '2002:a00:1::',
      'no address',
    ]
    for (const address of [...others, ...others6]) expect(isPublicAddress(address), address).toBe(false)
  })
})
