import { describe, expect, test } from 'vitest'
import { acceptedFormat } from './accept.ts'

describe('Accept', () => {
  test.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['text/html', 'json'],
    ['image/png, */*', 'json'],
    ['text/csv', 'csv'],
    ['Text/CSV; charset=utf-8', 'csv'],
    ['text/*', 'csv'],
    ['text/csv, */*', 'csv'],
    ['text/csv, */*;q=0.8', 'csv'],
    ['text/csv, application/json', 'json'],
    ['application/json;q=0.5, text/csv', 'csv'],
    ['text/csv;q=0.5, application/json', 'json'],
    ['text/csv;q=0.1, */*', 'json'],
    ['text/csv;q=0', 'json'],
    ['text/csv;q=0.0, application/json;q=0.1', 'json'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'json'],
    ['text/csv;q=nonsense', 'csv'],
  ])('%s gives %s', (header, format) => {
    expect(acceptedFormat(header)).toBe(format)
  })
})
