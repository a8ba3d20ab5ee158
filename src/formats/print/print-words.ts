// Every word on a printed note or adjustment, in each language, and nowhere else. A language that lacks a word does not
// compile.
import type { Language } from '../../core/billing/languages.ts'
import { clauseLines, type PrintWords } from './print-shape.ts'
import { deWords } from './words-de.ts'
import { enWords } from './words-en.ts'
import { frWords } from './words-fr.ts'

export const printWords: Readonly<Record<Language, PrintWords>> = { en: enWords, de: deWords, fr: frWords }

export function lineName(words: PrintWords, name: string, isCompiled: boolean): string {
  if (!isCompiled) return words.lineOf(name.replaceAll('_', ' '))
  const known = clauseLines.find(each => each === name)
  return known === undefined ? words.ratioOf(name.replace(/^ratio_/, '').replaceAll('_', ' ')) : words.lines[known]
}
