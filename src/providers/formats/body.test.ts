import { describe, expect, test } from 'vitest'
import type { Answer } from '../provider.ts'
import { failureOf, kindOfStatus, openBody, parseXml, withKeys, withoutKeys } from './body.ts'

const answer = (body: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  contentType: null,
  url: null,
  codes: [],
  body,
  ...more,
})
const failure = (body: string, status = 200) => {
  const came = answer(body, { status })
  return failureOf(came, openBody(came), withoutKeys).problems[0]!
}

describe('bodies', () => {
  test('are recognised by their first characters, whatever the content type says', () => {
    expect(openBody(answer('\uFEFF [1]')).form).toBe('json')
    expect(openBody(answer('<?xml version="1.0"?><error code="400"/>')).form).toBe('xml')
    expect(openBody(answer('<!DOCTYPE html><html><title>Down</title></html>')).form).toBe('html')
    expect(openBody(answer('dataset not found')).form).toBe('text')
    expect(openBody(answer('{"cut": [1, 2')).form).toBe('broken')
    expect(openBody(answer(' \n')).form).toBe('empty')
  })

  test('that are nested far too deeply are broken, and do not crash', () => {
    expect(openBody(answer('['.repeat(200_000))).form).toBe('broken')
  })

  test('in XML lose their prefixes; a DOCTYPE is refused', () => {
    expect(parseXml('<w:e xmlns:w="x"><w:m id="1">a &amp; b</w:m></w:e>')?.[0]).toEqual({
      name: 'm',
      attributes: { id: '1' },
      text: 'a & b',
    })
    expect(parseXml('<!DOCTYPE e [<!ENTITY x "y">]><e>&x;</e>')).toBeNull()
    expect(parseXml('<e><open></e>')).toBeNull()
  })
})

describe('a failure', () => {
  test.each([
    ['<html><head><title>Service Unavailable</title></head></html>', 200, 'provider-error'],
    ['<html><head><title>404 Page not found</title></head></html>', 200, 'unknown-series'],
    ['<html><head><title>Access Denied</title></head></html>', 403, 'provider-error'],
    ['dataset not found', 200, 'unknown-series'],
    ['Too Many Requests', 429, 'rate-limited'],
    ['what is this', 200, 'unreadable'],
    ['{"cut', 200, 'unreadable'],
    ['{"cut', 503, 'provider-error'],
    ['', 200, 'provider-error'],
    ['', 429, 'rate-limited'],
  ])('%s with status %i is %s', (body, status, kind) => expect(failure(body, status).kind).toBe(kind))

  test('has a kind by its status if that is clear', () => {
    const kinds = [200, 400, 403, 404, 406, 409, 413, 422, 429, 500].map(status => kindOfStatus(status, withKeys))
    expect(kinds).toEqual([
      null,
      'bad-request',
      'bad-key',
      'unknown-series',
      'bad-request',
      'provider-error',
      'too-large',
      'bad-request',
      'rate-limited',
      'provider-error',
    ])
  })
})
