// Printed notes in three languages: no word is missing, and figures keep their digits.
import { expect, test } from 'vitest'
import { languages } from '../../src/core/billing/languages.ts'
import { readBillingFile } from '../../src/formats/notes/billing-file.ts'
import { formatNote } from '../../src/formats/notes/note-file.ts'
import { formatPrintedDate, formatPrintedFigure } from '../../src/formats/print/print-figures.ts'
import { printWords } from '../../src/formats/print/print-words.ts'
import { specimenFile, specimenNote } from '../support/files/note-specimens.ts'

test('no language lacks a word, and none has the English one in place of its own', () => {
  const same = [':', 'Part', 'Date', 'Contact', 'BIC', 'Points', 'Signatures']
  const wordsOf = (language: (typeof languages)[number]) => {
    const { lines, versionTags, ...words } = printWords[language]
    return Object.entries({ ...words, ...lines, ...versionTags }).filter(([, word]) => typeof word === 'string')
  }
  const english = new Map(wordsOf('en'))
  for (const language of languages)
    for (const [name, word] of wordsOf(language)) {
      expect([language, name, `${word}`.trim()]).not.toEqual([language, name, ''])
      if (language !== 'en' && !same.includes(`${word}`)) expect([name, word]).not.toEqual([name, english.get(name)])
    }
})

test('a note has its labels, days and decimal signs in each language, and the same digits', () => {
  const note = { ...specimenNote('-250.00'), said: readBillingFile(specimenFile('S')) }
  const pages = languages.map(language => formatNote(note, 'print', language))
  for (const [i, wanted] of [
    ['<h1>Credit note CN-1</h1>', '1\u00a0September\u00a02024', '300.00\u00a0EUR', '103.50 in place of 106.00'],
    ['<h1>Rechnungskorrektur CN-1</h1>', '1.\u00a0September\u00a02024', '300,00\u00a0EUR', '103,50 statt 106,00'],
    ['<h1>Avoir CN-1</h1>', '1er\u00a0septembre\u00a02024', '300,00\u00a0EUR', '103,50 au lieu de 106,00'],
  ].entries())
    for (const text of wanted) expect(pages[i]).toContain(text)
  expect(formatNote({ ...note, ...specimenNote('250.00') }, 'print', 'de')).toContain('Zahlbar bis')
})

test('figures keep every digit, and what is no figure stays as it is', () => {
  expect(languages.map(language => formatPrintedFigure('-1234567.8900', language))).toEqual([
    '−1\u202f234\u202f567.8900',
    '−1\u202f234\u202f567,8900',
    '−1\u202f234\u202f567,8900',
  ])
  expect(formatPrintedFigure('2024-Q2', 'de')).toBe('2024-Q2')
  expect(formatPrintedDate('2024-03-02T10:00:00Z', 'fr')).toBe('2\u00a0mars\u00a02024')
})
