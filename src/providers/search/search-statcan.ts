// Searching Statistics Canada: the list of all its tables (cubes), filtered by words. Archived tables are left out.
import { openBody } from '../formats/body.ts'
import { member, wholeOf, wordsOf } from '../formats/lossless.ts'
import { statcan } from '../statcan.ts'
import { get, matches, type ProviderSearch, rank, type SearchHit } from './search.ts'

export const statcanSearch: ProviderSearch = {
  name: 'STATCAN',
  searchRequest: () => get('/getAllCubesListLite'),
  readSearch(answer, { text, limit }) {
    const body = openBody(answer)
    if (body.form !== 'json' || !Array.isArray(body.value))
      return { found: [], problems: statcan.read({ ...answer, codes: [] }).problems }
    const found = body.value.flatMap(readOne).filter(each => matches(text, each.code, each.name))
    return { found: rank(found, text).slice(0, limit), problems: [] }
  },
}

const archived = '1'

function readOne(cube: unknown): readonly SearchHit[] {
  const product = wholeOf(member(cube, 'productId'))
  const name = wordsOf(member(cube, 'cubeTitleEn'))
  if (product === null || name === null || wordsOf(member(cube, 'archived')) === archived) return []
  const code = product.toString().replace(/^(\d{2})(\d{2})(\d{4})$/, '$1-$2-$3')
  const last = wordsOf(member(cube, 'cubeEndDate'))
  const note = `a table: its vectors are followed as v…${last === null ? '' : `; to ${last}`}`
  return [{ kind: 'set', code, name, unit: null, frequency: null, note }]
}
