// Suggestions of the editors at the cursor.
import type { SeriesRow } from '../../../../../src/views/shapes/series.ts'
import { keysAt, listAt, type OpenDocument, textAt } from '../document/document.ts'
import { namesFor } from '../document/steps.ts'
import { referenceOf } from '../form/series-search.ts'
import type { Offer } from './notes-and-offers.ts'
import { isParamPlace, isSeriesPlace, keysFor, valuesFor, type Word } from './vocabulary.ts'
import { placeAt } from './yaml-place.ts'

/** Suggestions in an expression: the names it may use, completing the name being typed. */
export function offerNames(names: readonly Word[], text: string, offset: number): Offer | null {
  const word = /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(text.slice(0, offset))?.[0] ?? ''
  if (word === '' && /\d\.?$/.test(text.slice(0, offset))) return null
  return { words: names, word, from: offset - word.length, isEager: false }
}

/** Suggestions in the document: keys, or the values a key may have. */
export function offerYaml(
  document: OpenDocument,
  series: readonly SeriesRow[],
  text: string,
  offset: number,
): Offer | null {
  const place = placeAt(text, offset)
  if (place === null) return null
  const { path, key, word, from } = place
  if (key === null) return { words: keysFor(path), word, from, isEager: false }
  const at = [...path, key]
  if (at.join('.') === 'steps.*.expr') {
    // While the text is incomplete the steps cannot be told apart, so all of them are suggested.
    return offerNames(namesFor(document.root, listAt(document.root, ['steps']).length), text, offset)
  }
  return { words: valueWords(document, series, at), word, from, isEager: true }
}

function valueWords(document: OpenDocument, series: readonly SeriesRow[], at: readonly string[]): readonly Word[] {
  if (isSeriesPlace(at)) return series.map(row => ({ label: referenceOf(row), detail: row.name }))
  if (isParamPlace(at)) return keysAt(document.root, ['params']).map(label => ({ label, detail: 'a param' }))
  if (at.join('.') === 'result.step')
    return listAt(document.root, ['steps'])
      .map(step => ({ label: textAt(step, ['name']), detail: 'a step' }))
      .filter(({ label }) => label !== '')
  return valuesFor(at)
}
