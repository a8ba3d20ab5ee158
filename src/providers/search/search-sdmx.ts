// Searching the SDMX providers: downloads the list of data flows and filters it by words. It finds flows in the notation of
// our codes; the keys of a flow are described by its structure, which is not read here.
import { abs } from '../abs.ts'
import { bis } from '../bis.ts'
import { ecb } from '../ecb.ts'
import { eurostat } from '../eurostat.ts'
import { openBody } from '../formats/body.ts'
import { itemsOf, member, wordsOf } from '../formats/lossless.ts'
import { walkXml } from '../formats/xml.ts'
import { imf } from '../imf.ts'
import { oecd } from '../oecd.ts'
import type { Answer, Provider } from '../provider.ts'
import { get, matches, type ProviderSearch, rank, type SearchHit } from './search.ts'

interface Flow {
  readonly agency: string
  readonly id: string
  readonly version: string
  readonly name: string
}

function flowSearch(
  provider: Provider,
  path: string,
  writeCode: (flow: Flow) => string,
  read: (answer: Answer) => readonly Flow[] | null,
): ProviderSearch {
  return {
    name: provider.name,
    searchRequest: () => get(path),
    readSearch(answer, { text, limit }) {
      const flows = read(answer)
      if (flows === null) return { found: [], problems: provider.read({ ...answer, codes: [] }).problems }
      const found = flows
        .map((flow): SearchHit => {
          const code = writeCode(flow)
          return { kind: 'set', code, name: flow.name, unit: null, frequency: null, note: `followed as ${code}/<key>` }
        })
        .filter(each => matches(text, each.code, each.name))
      return { found: rank(found, text).slice(0, limit), problems: [] }
    },
  }
}

/** A structure message of SDMX-ML; the English name if there are several. */
function readFlowsXml(answer: Answer): readonly Flow[] | null {
  const flows: Flow[] = []
  let open: { agency: string; id: string; version: string; name: string | null } | null = null
  let language = ''
  let isStructure = false
  try {
    walkXml(answer.body, {
      open(name, attributes) {
        if (name === 'Structure' || name === 'Dataflows') isStructure = true
        if (name === 'Dataflow' && attributes.id !== undefined) {
          const { id, agencyID = '', version = '1.0' } = attributes
          open = { id, agency: agencyID, version, name: null }
        }
        if (name === 'Name') language = attributes['xml:lang'] ?? 'en'
      },
      close(name, content) {
        if (open === null) return
        if (name === 'Name' && (open.name === null || language === 'en')) open.name = content.trim()
        if (name !== 'Dataflow') return
        flows.push({ ...open, name: open.name ?? open.id })
        open = null
      },
    })
  } catch {
    return null
  }
  return isStructure ? flows : null
}

/** The structure message of SDMX-JSON 2.0. */
function readFlowsJson(answer: Answer): readonly Flow[] | null {
  const body = openBody(answer)
  const list = body.form === 'json' ? member(member(body.value, 'data'), 'dataflows') : undefined
  if (!Array.isArray(list)) return null
  return itemsOf(list).flatMap(flow => {
    const id = wordsOf(member(flow, 'id'))
    const agency = wordsOf(member(flow, 'agencyID'))
    if (id === null || agency === null) return []
    const name = wordsOf(member(member(flow, 'names'), 'en')) ?? wordsOf(member(flow, 'name')) ?? id
    return [{ agency, id, version: wordsOf(member(flow, 'version')) ?? '', name }]
  })
}

export const sdmxSearches: readonly ProviderSearch[] = [
  flowSearch(ecb, '/dataflow/ECB?detail=allstubs', ({ id }) => id, readFlowsXml),
  flowSearch(eurostat, '/sdmx/2.1/dataflow/ESTAT/all?detail=allstubs', ({ id }) => id.toLowerCase(), readFlowsXml),
  flowSearch(abs, '/dataflow/ABS?detail=allstubs', ({ id, version }) => `${id},${version}`, readFlowsXml),
  flowSearch(bis, '/dataflow/BIS?detail=allstubs', ({ id }) => id, readFlowsXml),
  flowSearch(
    oecd,
    '/dataflow/all?detail=allstubs',
    ({ agency, id, version }) => `${agency},${id},${version}`,
    readFlowsXml,
  ),
  flowSearch(imf, '/structure/dataflow/all/*/%2B', ({ agency, id }) => `${agency},${id}`, readFlowsJson),
]
