// Browsing the EIA, which has no search: the routes below a route, filtered by words at the top level. The outlooks are
// left out, because their forecasts look like data.
import { eia } from '../eia.ts'
import { openBody } from '../formats/body.ts'
import { itemsOf, member, wordsOf } from '../formats/lossless.ts'
import { get, matches, type ProviderSearch, type SearchHit } from './search.ts'

const tops = [
  'co2-emissions',
  'coal',
  'crude-oil-imports',
  'densified-biomass',
  'electricity',
  'international',
  'natural-gas',
  'nuclear-outages',
  'petroleum',
  'seds',
  'total-energy',
]
const outlooks = ['steo', 'aeo', 'ieo']

/** `petroleum/pri` is a route; anything else is words for the list of all routes. */
function routeOf(text: string): string | null {
  const route = text.trim().replace(/^\/+|\/+$/g, '')
  return /^[a-z0-9-]+(?:\/[a-z0-9-]+)*$/.test(route) && tops.includes(route.split('/')[0]!) ? route : null
}

export const eiaSearch: ProviderSearch = {
  name: 'EIA',
  searchRequest({ text, key }) {
    const route = routeOf(text)
    const path = route === null ? '/' : `/${route}/`
    return get(key === null ? path : `${path}?api_key=${encodeURIComponent(key)}`, key === null ? [] : [key])
  },
  readSearch(answer, { text }) {
    const body = openBody(answer)
    const response = body.form === 'json' ? member(body.value, 'response') : undefined
    const route = routeOf(text)
    const children = member(response, 'routes')
    if (Array.isArray(children)) {
      const found = itemsOf(children).flatMap(child => readChild(child, route))
      return {
        found: route === null ? found.filter(each => matches(text, each.code, each.name, each.note)) : found,
        problems: [],
      }
    }
    if (route !== null && Array.isArray(member(response, 'frequency')))
      return { found: [readLeaf(response, route)], problems: [] }
    return { found: [], problems: eia.read({ ...answer, codes: [] }).problems }
  },
}

function readChild(child: unknown, parent: string | null): readonly SearchHit[] {
  const id = wordsOf(member(child, 'id'))
  if (id === null || (parent === null && outlooks.includes(id))) return []
  const code = parent === null ? id : `${parent}/${id}`
  const name = wordsOf(member(child, 'name')) ?? id
  return [{ kind: 'set', code, name, unit: null, frequency: null, note: wordsOf(member(child, 'description')) }]
}

/** A route with data, and the notation of its codes. */
function readLeaf(response: unknown, route: string): SearchHit {
  const names = (list: string) => itemsOf(member(response, list)).map(each => wordsOf(member(each, 'id')))
  const facets = names('facets').filter(facet => facet !== null)
  const letters = itemsOf(member(response, 'frequency')).map(each => wordsOf(member(each, 'query')))
  const form = facets.includes('series')
    ? `${route}/<series>`
    : `${route}/<column>;${facets.map(each => `${each}=…`).join(';')}`
  return {
    kind: 'set',
    code: route,
    name: wordsOf(member(response, 'name')) ?? wordsOf(member(response, 'description')) ?? route,
    unit: null,
    frequency: null,
    note: `followed as ${form}/<${letters.filter(letter => letter !== null).join(' or ')}>`,
  }
}
