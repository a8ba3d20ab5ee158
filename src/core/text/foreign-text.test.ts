import { expect, test } from 'vitest'
import { visibleJson, visibleLines, visibleText } from './foreign-text.ts'

test('every sign that nobody sees, or that moves the others, is an escape', () => {
  expect(visibleText('a\r\nb\t\u001b[8m\u007f\u0085\u009b')).toBe('a\\u{d}\\u{a}b\\u{9}\\u{1b}[8m\\u{7f}\\u{85}\\u{9b}')
  expect(visibleText('\u00ad\u061c\u200b\u200d\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff')).not.toMatch(/[^ -~]/)
  expect(visibleText('\u{e0041}\ud800\ufe0f\u3164')).toBe('\\u{e0041}\\u{d800}\\u{fe0f}\\u{3164}')
})

test('whatever people write stays as it is', () => {
  const names = 'Müller & Søn, 株式会社, Ελλάς, שלום, नमस्ते, “€” – 😀 C:\\new\\u{a}'
  expect([visibleText, visibleLines, visibleJson].map(write => write(names))).toEqual([names, names, names])
})

test('nothing that has become visible changes again', () => {
  const signs = Array.from({ length: 0x3100 }, (_, code) => String.fromCodePoint(code)).join('')
  const shown = visibleText(signs)
  expect(visibleText(shown)).toBe(shown)
  expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u)
})
