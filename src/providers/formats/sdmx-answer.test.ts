import { describe, expect, test } from 'vitest'
import { ecb } from '../ecb.ts'
import { eurostat } from '../eurostat.ts'

/** Work that grows with the square of this length would not end within the limit of a test. */
const size = 2_000_000

describe('hostile answers', () => {
  test.each([
    ['one endless word', 'x'.repeat(size)],
    ['an endless header', `OBS_VALUE,${'['.repeat(900_000)}\n`],
    ['an endless quote', `KEY,TIME_PERIOD,OBS_VALUE\n"${'x\n'.repeat(size / 2)}`],
    ['nothing but separators', `KEY,TIME_PERIOD,OBS_VALUE\n${','.repeat(size)}`],
    ['a figure without end', `KEY,TIME_PERIOD,OBS_VALUE\nE.D,2024-01-02,${'1'.repeat(900_000)}\n`],
    ['nested lists', '['.repeat(size)],
    ['nested elements', '<a>'.repeat(size / 4)],
    ['nested elements of data', `<GenericData>${'<Value id="a">'.repeat(size / 20)}`],
    ['comments', '<!-- -->'.repeat(size / 8)],
    ['unclosed comments', '<!--'.repeat(size / 4)],
    ['a byte order mark and blanks', `\uFEFF${' '.repeat(size)}`],
  ])('with %s are reported as one problem', (_, body) => {
    const parsed = ecb.read({ status: 200, contentType: null, url: null, codes: [], body })
    expect(parsed.problems.map(problem => problem.kind)).toHaveLength(1)
  })

  test('with names of built-in members find nothing there', () => {
    const body =
      '{"id":["freq","time"],"size":[1,1],"dimension":{"freq":{"category":{"index":{"__proto__":0,"constructor":0}}},"time":{"category":{"index":["2024"]}}},"value":{"0":1},"status":"toString"}'
    const parsed = eurostat.read({ status: 200, contentType: null, url: null, codes: [], body })
    expect(parsed.problems).toHaveLength(1)
  })
})
