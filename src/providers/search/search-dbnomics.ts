// Searching DBnomics by words: data sets of all its sources, with the number of their series.
import { dbnomics } from '../dbnomics.ts'
import { query } from '../formats/address.ts'
import { openBody } from '../formats/body.ts'
import { itemsOf, member, wholeOf, wordsOf } from '../formats/lossless.ts'
import { get, type ProviderSearch, type SearchHit } from './search.ts'

export const dbnomicsSearch: ProviderSearch = {
  name: 'DBNOMICS',
  searchRequest: ({ text, limit }) =>
    get(
      `/search${query([
        ['q', text],
        ['limit', limit.toString()],
      ])}`,
    ),
  readSearch(answer) {
    const body = openBody(answer)
    const docs = body.form === 'json' ? member(member(body.value, 'results'), 'docs') : undefined
    if (!Array.isArray(docs)) return { found: [], problems: dbnomics.read({ ...answer, codes: [] }).problems }
    return { found: itemsOf(docs).flatMap(readOne), problems: [] }
  },
}

function readOne(doc: unknown): readonly SearchHit[] {
  const provider = wordsOf(member(doc, 'provider_code'))
  const dataset = wordsOf(member(doc, 'code')) ?? wordsOf(member(doc, 'dataset_code'))
  if (provider === null || dataset === null) return []
  const count = wholeOf(member(doc, 'nb_series'))
  return [
    {
      kind: 'set',
      code: `${provider}/${dataset}`,
      name: wordsOf(member(doc, 'name')) ?? dataset,
      unit: null,
      frequency: null,
      note: count === null ? null : `${count} series`,
    },
  ]
}
