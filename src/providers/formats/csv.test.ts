import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../core/refusal.ts'
import { maxRowLength, splitCsv } from './csv.ts'

function rowsOf(chunks: readonly string[], separator = ','): [string[], number][] {
  const rows: [string[], number][] = []
  splitCsv(chunks, (cells, line) => rows.push([cells, line]), separator)
  return rows
}

function refusalOf(chunks: readonly string[]): string {
  try {
    rowsOf(chunks)
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
  return 'no refusal'
}

describe('splitting CSV', () => {
  test('gives cells as text with the line on which the row starts', () => {
    expect(rowsOf(['a,b\n1,2.50\n'])).toEqual([
      [['a', 'b'], 1],
      [['1', '2.50'], 2],
    ])
  })

  test('drops a byte order mark and reads CRLF and a last row without a line end', () => {
    expect(rowsOf(['\uFEFFa,b\r\n1,\r\n3,4'])).toEqual([
      [['a', 'b'], 1],
      [['1', ''], 2],
      [['3', '4'], 3],
    ])
  })

  test('keeps separators, doubled quotes and line breaks inside quotes and goes on counting lines', () => {
    expect(rowsOf(['a,"x, ""y""\nz",b\n"1",2\n'])).toEqual([
      [['a', 'x, "y"\nz', 'b'], 1],
      [['1', '2'], 3],
    ])
  })

  test('skips blank lines but counts them', () => {
    expect(rowsOf(['a\n\n\r\nb\n'])).toEqual([
      [['a'], 1],
      [['b'], 4],
    ])
  })

  test('keeps a quote inside an unquoted cell', () => {
    expect(rowsOf(['5" pipe,1\n'])).toEqual([[['5" pipe', '1'], 1]])
  })

  test('splits at another separator', () => {
    expect(rowsOf(['a;"b;c"\n'], ';')).toEqual([[['a', 'b;c'], 1]])
  })

  test('refuses a quote that is never closed and names its line', () => {
    expect(refusalOf(['a,b\n1,"open\n2,3\n'])).toBe('line 2: a quoted cell is never closed')
  })

  test('refuses text after a closing quote', () => {
    expect(refusalOf(['a\n"b"c\n'])).toBe('line 2: text follows the closing quote of a cell')
  })

  test('refuses a row that never ends before it fills the memory', () => {
    const chunk = 'x'.repeat(maxRowLength / 4)
    expect(refusalOf([chunk, chunk, chunk, chunk, chunk])).toBe('line 1: a row is longer than 1000000 characters')
  })

  test('gives the same rows wherever the text is cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', ',', '"', '\n', '\r', ' ', 'é') })
    const row = fc.array(cell, { minLength: 2, maxLength: 4 })
    const lineEnd = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 6 }),
        lineEnd,
        fc.array(fc.nat(60), { maxLength: 6 }),
        (rows, eol, cuts) => {
          const text = rows.map(cells => cells.map(c => `"${c.replaceAll('"', '""')}"`).join(',') + eol).join('')
          const ends = [...new Set([...cuts.map(cut => Math.min(cut, text.length)), text.length])].sort((a, b) => a - b)
          const chunks = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
          expect(rowsOf(chunks).map(([cells]) => cells)).toEqual(rows)
          expect(rowsOf(chunks)).toEqual(rowsOf([text]))
        },
      ),
    )
  })
})
