import { describe, expect, test } from 'vitest'
import { joinPath, maxDocumentLength, type Raw, readRaw } from './raw.ts'

function tree(text: string): unknown {
  const { root, problems } = readRaw(text)
  expect(problems).toEqual([])
  return plain(root)
}

function plain(raw: Raw): unknown {
  if (raw instanceof Map) return Object.fromEntries([...raw].map(([key, value]) => [key, plain(value)]))
  return Array.isArray(raw) ? raw.map(plain) : raw
}

const problemsOf = (text: string) => readRaw(text).problems.map(({ path, message }) => `${path}: ${message}`)

describe('the raw document', () => {
  test('keeps every scalar as its own text, so that no digit is lost', () => {
    expect(
      tree('a: 0.10\nb: 1e3\nc: 2024-01-01\nd: yes\ne: 0x10\nf: "007"\ng: 12345678901234567890.1234567890\n'),
    ).toEqual({
      a: '0.10',
      b: '1e3',
      c: '2024-01-01',
      d: 'yes',
      e: '0x10',
      f: '007',
      g: '12345678901234567890.1234567890',
    })
  })

  test('distinguishes null from the same word in quotes', () => {
    expect(tree('a:\nb: ~\nc: null\nd: "null"\ne: ""\n')).toEqual({ a: null, b: null, c: null, d: 'null', e: '' })
  })

  test('reads JSON, comments, block and flow alike', () => {
    expect(tree('{"a": [1, {"b": "c"}]}')).toEqual({ a: ['1', { b: 'c' }] })
    expect(tree('a: # why\n  - 1\n  - { b: c }\n')).toEqual({ a: ['1', { b: 'c' }] })
  })

  test('knows the line of every value', () => {
    const { lines } = readRaw('a: 1\nb:\n  - x\n  - { c: y }\n')
    expect(lines.get('a')).toBe(1)
    expect(lines.get('b[0]')).toBe(3)
    expect(lines.get('b[1].c')).toBe(4)
  })

  test('writes paths with dots and brackets', () => {
    expect(joinPath(joinPath(joinPath('', 'steps'), 2), 'expr')).toBe('steps[2].expr')
  })
})

describe('what only YAML can do', () => {
  test.each([
    ['a: &x 1\nb: *x\n', 'b: '],
    ['a: !mine 1\n', 'a: '],
    ['a: 1\n---\nb: 2\n', ': the file has more than one document'],
    ['? { a: 1 }\n: 2\n', ': a key'],
    ['a: 1\na: 2\n', ': line 2'],
    ['a:\n\tb: 1\n', ': line 2'],
    ['a: [1, 2\n', ': line'],
  ])('is refused in %j', (text, start) => {
    expect(problemsOf(text).some(problem => problem.startsWith(start))).toBe(true)
  })

  test('does not merge mappings', () => {
    expect(tree('a: { "<<": { b: 1 } }\n')).toEqual({ a: { '<<': { b: '1' } } })
  })
})

describe('bounds', () => {
  test('reads sixteen levels and refuses the next with its path', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
    expect(problemsOf(nested(16))).toEqual([])
    expect(problemsOf(nested(17))).toEqual([expect.stringContaining(`${'[0]'.repeat(17)}: `)])
  })

  test('refuses a text that is too long before reading it', () => {
    expect(problemsOf('a'.repeat(maxDocumentLength))).toEqual([])
    // Reading it would find that it is nested too deeply.
    expect(problemsOf('['.repeat(maxDocumentLength + 1))).toEqual([expect.stringContaining('characters; at most')])
  })

  test.each([
    ['brackets', '['],
    ['braces', '{a: '],
    ['list items', '- '],
    ['keys', '? '],
  ])('refuses thousands of nested %s with one problem', (_what, opening) => {
    const problems = problemsOf(opening.repeat(20_000))
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('nested')
  })
})
