// Every route of the console asked by each supplier of an agreement that changed its supplier: the words and figures of the other are
// in none of the answers.
import type { ConsoleRoute } from '../../../src/http/console/frame/route.ts'
import type { SeriesRow } from '../../../src/views/shapes/series.ts'
import type { Api } from '../houses/api.ts'
import { type Browser, tableOfRoutes } from '../houses/console.ts'
import { someOf } from '../run/long-form.ts'
import {
  type ChangedHouse,
  newFigures,
  newSupplier,
  oldFigures,
  oldSupplier,
  shared,
  sharedDocument,
  thirdSupplier,
} from './changed-supplier.ts'

/** Every address of a route here. */
function addressesOf({ path, method }: ConsoleRoute, ids: readonly string[]): readonly string[] {
  const choices = { ':slug': [shared], ':period': ['2024-Q2', '2024-Q4', '2025-Q1'], ':id': ids }
  let addresses = [path]
  for (const [name, values] of Object.entries(choices))
    addresses = addresses.flatMap(each =>
      each.includes(name) ? values.map(value => each.replace(name, value)) : [each],
    )
  if (method !== 'GET') return addresses
  const cuts = ['', '?asOf=2025-03-01', '?knownAt=2026-01-01', '?due=2025-01', '?q=fennel', '?q=pepper']
  if (path === '/agreements/:slug' || path.endsWith('/:period') || path === '/agreements' || path === '/sign-offs')
    return addresses.flatMap(each => cuts.map(query => `${each}${query}`))
  if (path === '/find')
    return ['', 'fennel', 'pepper', 'FENNEL-47', 'pepper-1', 'fay', 'pia', 'parts'].map(text => `${path}?q=${text}`)
  if (path === '/series/sparks') return addresses.map(each => `${each}?ids=${ids.join(',')}`)
  if (path === '/sign-offs/waiting') return addresses.flatMap(each => [`${each}?side=mine`, `${each}?side=others`])
  if (path === '/revisions') return addresses.flatMap(each => [each, `${each}?since=2024-01-01`])
  if (path === '/price-file')
    return ['json', 'd365-sales'].flatMap(format =>
      ['', `&agreement=${shared}`, '&date=2024-10-01'].map(query => `${path}?format=${format}&only=all${query}`),
    )
  if (path.endsWith('/prices'))
    return addresses.flatMap(each => [each, `${each}?date=2024-04-01`, `${each}?date=2024-10-01`])
  return addresses
}

const bodies: Readonly<Record<string, object>> = {
  '/agreements/preview': { text: sharedDocument({ ...thirdSupplier, word: 'any', side: 'any' }), against: shared },
  '/agreements/compare': { text: sharedDocument({ ...thirdSupplier, word: 'any', side: 'any' }) },
}

/**
 * Asks every route as a browser, and reports the answers in which one of the words is, until there are enough of them. Every third
 * address of a route, by turn, so that each is asked by one of the three; of routes with many, every sixth. Every one in the long
 * form.
 */
export async function findWords(
  api: Api,
  house: ChangedHouse,
  browser: Browser,
  words: readonly string[],
  { turn = 0, enough = Number.POSITIVE_INFINITY }: { readonly turn?: number; readonly enough?: number } = {},
): Promise<readonly string[]> {
  const series = await house.as.owner.json<readonly SeriesRow[]>('/series')
  const ids = [...series.map(({ id }) => id), ...Object.values(house.corrections), ...Object.values(house.objections)]
  const found: string[] = []
  for (const [at, route] of tableOfRoutes(api).entries()) {
    // A waiver needs no more than its address: it would be made.
    if (route.takes === 'file' || route.path.endsWith('/waive')) continue
    const addresses = addressesOf(route, ids)
    const isLarge = addresses.length > 6
    const some = someOf('every-status', 'addresses of every route of one agreement after the other', addresses, {
      oneIn: isLarge ? 6 : 3,
      from: isLarge ? 2 * turn + (at % 2) : turn,
    })
    for (const address of some) {
      if (found.length >= enough) return found
      const path = `/w/${house.slug}${address}`
      const reply =
        route.method === 'GET'
          ? await browser.get(address, { headers: { 'accept-encoding': 'identity' } })
          : await browser.send(route.method, path, bodies[route.path] ?? {})
      // A package is stored, not packed: its files are in it as they are. What a text that was just sent comes to with
      // figures that everybody sees is no news to its sender.
      const told = route.path in bodies ? JSON.stringify({ ...(reply.json as object), entries: [], readings: [] }) : ''
      const all = route.path in bodies ? told : `${reply.body.toString('latin1')} ${reply.text}`
      const text = `${JSON.stringify(reply.headers)} ${all}`.toLowerCase()
      const word = words.find(each => text.includes(each))
      if (word !== undefined) found.push(`${route.method} ${address} ${reply.status}: ${word}`)
    }
  }
  return found
}

export const foreignTo = {
  old: [newSupplier.word, thirdSupplier.word, ...newFigures],
  next: [oldSupplier.word, thirdSupplier.word, ...oldFigures],
  third: [oldSupplier.word, newSupplier.word, ...oldFigures, ...newFigures, 'parts of'],
} as const
