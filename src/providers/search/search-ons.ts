// Searching the ONS by words: its time series search, which names a series and its data set but not its frequencies.
import { query } from '../formats/address.ts'
import { openBody } from '../formats/body.ts'
import { itemsOf, member, wordsOf } from '../formats/lossless.ts'
import { ons } from '../ons.ts'
import { get, type ProviderSearch, type SearchHit } from './search.ts'

export const onsSearch: ProviderSearch = {
  name: 'ONS',
  searchRequest: ({ text, limit }) =>
    get(
      `/search${query([
        ['content_type', 'timeseries'],
        ['q', text],
        ['limit', limit.toString()],
      ])}`,
    ),
  readSearch(answer) {
    const body = openBody(answer)
    const items = body.form === 'json' ? member(body.value, 'items') : undefined
    if (!Array.isArray(items)) return { found: [], problems: ons.read({ ...answer, codes: [] }).problems }
    return { found: itemsOf(items).flatMap(readOne), problems: [] }
  },
}

function readOne(item: unknown): readonly SearchHit[] {
  const cdid = wordsOf(member(item, 'cdid'))?.toUpperCase()
  const uri = wordsOf(member(item, 'uri'))
  const dataset = (wordsOf(member(item, 'dataset_id')) ?? uri?.split('/').at(-1))?.toUpperCase()
  if (cdid === undefined || dataset === undefined) return []
  const code = `${cdid}/${dataset}`
  const name = wordsOf(member(item, 'title')) ?? cdid
  return [
    { kind: 'set', code, name, unit: null, frequency: null, note: `followed as ${code}/M, ${code}/Q or ${code}/A` },
  ]
}
