// Searching FRED by words: the provider's own full-text search, best matches first.
import { query } from '../formats/address.ts'
import { openBody } from '../formats/body.ts'
import { itemsOf, member, wordsOf } from '../formats/lossless.ts'
import { fred, frequencyOfLetter } from '../fred.ts'
import { get, type ProviderSearch, type SearchHit } from './search.ts'

export const fredSearch: ProviderSearch = {
  name: 'FRED',
  searchRequest({ text, key, limit }) {
    const path = `/series/search${query([
      ['search_text', text],
      ['file_type', 'json'],
      ['order_by', 'search_rank'],
      ['sort_order', 'desc'],
      ['limit', limit.toString()],
      ['api_key', key],
    ])}`
    return get(path, key === null ? [] : [key])
  },
  readSearch(answer) {
    const body = openBody(answer)
    const list = body.form === 'json' ? member(body.value, 'seriess') : undefined
    // Errors look alike everywhere, so the reader for series handles them.
    if (!Array.isArray(list)) return { found: [], problems: fred.read({ ...answer, codes: [] }).problems }
    return { found: itemsOf(list).flatMap(readOne), problems: [] }
  },
}

function readOne(value: unknown): readonly SearchHit[] {
  const code = wordsOf(member(value, 'id'))
  const letter = wordsOf(member(value, 'frequency_short')) ?? ''
  if (code === null) return []
  const last = wordsOf(member(value, 'observation_end'))
  return [
    {
      kind: 'series',
      code,
      name: wordsOf(member(value, 'title')) ?? code,
      unit: wordsOf(member(value, 'units')),
      frequency: Object.hasOwn(frequencyOfLetter, letter) ? frequencyOfLetter[letter]! : null,
      note: [wordsOf(member(value, 'seasonal_adjustment_short')), last === null ? null : `to ${last}`]
        .filter(part => part !== null)
        .join(', '),
    },
  ]
}
