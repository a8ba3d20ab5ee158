import { describe, expect, test } from 'vitest'
import { visibleProps } from '../../web/jsx/jsx-runtime.ts'

describe('an element of a page', () => {
  test('shows every sign of a text that is inside of it or told about it', () => {
    const name = 'Acme\u202e\u200b'
    expect(visibleProps({ children: name, title: name, 'aria-label': name, value: name })).toEqual({
      children: 'Acme\\u{202e}\\u{200b}',
      title: 'Acme\\u{202e}\\u{200b}',
      'aria-label': 'Acme\\u{202e}\\u{200b}',
      // What is typed and sent stays as it is.
      value: name,
    })
    expect(visibleProps({ children: ['of ', name, 1, null] })).toEqual({
      children: ['of ', 'Acme\\u{202e}\\u{200b}', 1, null],
    })
  })

  test('is as it was where nothing is hidden in it', () => {
    const props = { children: ['a\n\tb', 'c\u202f%'], title: 'd' }
    expect(visibleProps(props)).toBe(props)
  })
})
