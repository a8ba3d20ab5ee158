// Misbehaviour about the request: the stand-in answers as if another series had been requested, like a broken cache. The
// provider's own connector writes the other request.
import type { ProviderName } from '../../src/core/series/series.ts'
import { providers } from '../../src/providers/catalogue/catalogue.ts'
import type { ProviderRequest } from '../../src/providers/provider.ts'
import type { Ask } from './exchange.ts'
import { utcDay } from './notation.ts'

/** The request for the first other series at the same endpoint; the same request if there is no other. */
export function askForAnother(provider: ProviderName, ask: Ask): Ask {
  for (const { code } of ask.series.filter(({ rows }) => rows.length > 1)) {
    const requests = providers[provider].request({
      codes: [code],
      from: null,
      changedSince: null,
      today: utcDay(ask.now),
      key: ask.keys[0] ?? null,
    })
    const other = requests.map(request => toAsk(request, ask)).find(each => isAtSamePoint(each, ask))
    if (other !== undefined && isOther(other, ask)) return other
  }
  return ask
}

function toAsk(request: ProviderRequest, ask: Ask): Ask {
  const url = new URL(request.path, 'http://stand-in')
  return { ...ask, path: decodeURIComponent(url.pathname), query: url.searchParams, body: request.body ?? '' }
}

function isAtSamePoint(a: Ask, b: Ask): boolean {
  const [own, other] = [a.path.split('/'), b.path.split('/')]
  return own[1] === other[1] && own.length === other.length
}

/** What a request is about apart from its dates: another span of time is not another request. */
function isOther(a: Ask, b: Ask): boolean {
  const subject = ({ path, query, body }: Ask) => {
    const ids = ['series_id', 'facets[series][]', 'uri', 'db', 'code', 'cdids'].map(name => query.get(name))
    return JSON.stringify([path, ids, body.match(/"seriesid":\[[^\]]*\]|"vector\w+":[^,}]*/)?.[0]])
  }
  return subject(a) !== subject(b)
}
