// Imitates the services that answer in SDMX-JSON: BIS (1.0, everything an index, figures as strings) and IMF (2.0,
// attributes of groups, literals among the indexes).

import { formatDay } from '../../src/core/time/day.ts'
import { lastDayOf } from '../../src/core/time/period.ts'
import { type Ask, type ProviderStandIn, type Told, tellJson, tellText, tellTooMany } from './exchange.ts'
import type { Row } from './model.ts'
import { firstDay, sdmxPeriod, writeRow } from './notation.ts'
import {
  commonMarks,
  describeFlow,
  type Flow,
  find,
  flowsServed,
  type Placed,
  parseReference,
  type SdmxSource,
  selectRows,
  tellFlows,
  tellSdmxError,
} from './sdmx.ts'

const bis: SdmxSource = {
  agency: 'BIS',
  notation: ['id'],
  frequencyName: 'FREQ',
  marks: commonMarks,
  flows: [
    describeFlow('BIS', 'WS_EER', '1.0', 'Effective exchange rates', 'FREQ EER_TYPE EER_BASKET REF_AREA'),
    describeFlow('BIS', 'WS_CBPOL', '1.0', 'Central bank policy rates', 'FREQ REF_AREA'),
    describeFlow('BIS', 'WS_XRU', '1.0', 'US dollar exchange rates', 'FREQ REF_AREA CURRENCY COLLECTION'),
    describeFlow('BIS', 'WS_SPP', '1.0', 'Selected residential property prices', 'FREQ REF_AREA VALUE UNIT_MEASURE'),
  ],
}

const imf: SdmxSource = {
  agency: 'IMF',
  notation: ['agency', 'id'],
  frequencyName: 'FREQUENCY',
  marks: { PRELIMINARY: '', FINAL: '', REVISED: '', FORECAST: '', MISSING: '', WITHDRAWN: '' },
  flows: [
    describeFlow(
      'IMF.RES',
      'PCPS',
      '9.0.0',
      'Primary Commodity Price System',
      'COUNTRY INDICATOR DATA_TRANSFORMATION FREQUENCY',
    ),
    describeFlow(
      'IMF.STA',
      'CPI',
      '5.0.0',
      'Consumer Price Index',
      'COUNTRY INDEX_TYPE COICOP_1999 TYPE_OF_TRANSFORMATION FREQUENCY',
    ),
  ],
}

/** The codes of each dimension in a message, and the times; a time that occurs twice in a series has two positions. */
interface Axes {
  readonly codes: readonly (readonly string[])[]
  readonly times: readonly Row[]
}

interface Cell {
  readonly placed: Placed
  readonly rows: readonly { readonly row: Row; readonly at: number }[]
}

function layOut(
  placed: readonly Placed[],
  query: URLSearchParams,
): { readonly axes: Axes; readonly cells: readonly Cell[] } {
  const dimensions = placed[0]?.flow.dimensions ?? []
  const codes = dimensions.map((_, at) => [...new Set(placed.map(({ key }) => key[at]!))])
  const places = new Map<string, number>()
  const times: Row[] = []
  const cells = placed.map(each => {
    const seen = new Map<string, number>()
    const rows = selectRows(each.series, query).map(row => {
      const written = writeRow(row, sdmxPeriod)
      const count = seen.get(written) ?? 0
      seen.set(written, count + 1)
      const id = `${written} ${count}`
      const at = places.get(id) ?? times.push(row) - 1
      places.set(id, at)
      return { row, at }
    })
    return { placed: each, rows }
  })
  return { axes: { codes, times }, cells }
}

function seriesKey({ key }: Placed, { codes }: Axes): string {
  return key.map((code, at) => codes[at]!.indexOf(code)).join(':')
}

function answerBis(ask: Ask): Told {
  if (/^\/dataflow(?:\/|$)/.test(ask.path)) return tellFlows(ask, bis)
  const match = /^\/data\/([^/]+)\/([^/]+)$/.exec(ask.path)
  if (match === null) return tellSdmxError(150, 'Unable to parse the path', 400)
  if (!/sdmx\.data\+json/.test(ask.headers.accept ?? '')) return tellText('Not Acceptable', 406)
  const found = find(ask, bis, parseReference(match[1]!), match[2]!)
  if (found.kind === 'wrong-arity') return tellSdmxError(150, 'The key has the wrong number of parts', 400)
  if (found.kind === 'unknown-flow' || found.placed.length === 0) return tellSdmxError(100, 'No results for query', 404)
  return { ...tellBis(ask, found.flow, found.placed), contentType: 'application/vnd.sdmx.data+json;version=1.0.0' }
}

function tellBis(ask: Ask, described: Flow, placed: readonly Placed[]): Told {
  const { axes, cells } = layOut(placed, ask.query)
  const marks = [
    ...new Set(axes.times.length === 0 ? [] : cells.flatMap(({ rows }) => rows.map(({ row }) => bis.marks[row.stage]))),
  ]
  const titles = [...new Set(placed.map(({ series }) => series.name))]
  const units = [...new Set(placed.map(({ series }) => series.unit))]
  const series = cells.map(({ placed: each, rows }) => [
    seriesKey(each, axes),
    {
      attributes: [null, 0, titles.indexOf(each.series.name), units.indexOf(each.series.unit)],
      observations: Object.fromEntries(
        rows.map(({ row, at }) => [at, [row.value, marks.indexOf(bis.marks[row.stage]), 0, null]]),
      ),
    },
  ])
  const named = (id: string, values: readonly unknown[]) => ({ id, name: id, role: null, values })
  return tellJson({
    meta: { id: 'IDREF1', prepared: ask.now.slice(0, 19), test: false, sender: { id: 'UNKNOWN' } },
    data: {
      dataSets: [
        {
          links: [{ rel: 'dataflow', urn: urnOf(described) }],
          action: 'Information',
          series: Object.fromEntries(series),
        },
      ],
      structure: {
        name: described.name,
        dimensions: {
          dataset: [],
          series: described.dimensions.map((id, at) => ({
            ...named(
              id,
              axes.codes[at]!.map(code => ({ id: code, name: `${code} in words` })),
            ),
            keyPosition: at,
          })),
          observation: [
            {
              ...named('TIME_PERIOD', axes.times.map(writeTime)),
              role: 'time',
              keyPosition: described.dimensions.length,
            },
          ],
        },
        attributes: {
          dataset: [],
          series: [
            named('TIME_FORMAT', []),
            named('COLLECTION', [{ id: 'A', name: 'Average of observations through period' }]),
            named(
              'TITLE_TS',
              titles.map(title => ({ id: title, name: title })),
            ),
            // A flow with the unit in its key has no such attribute.
            named(
              described.dimensions.includes('UNIT_MEASURE') ? 'UNIT_TEXT' : 'UNIT_MEASURE',
              units.map((unit, at) => ({ id: (882 + at).toString(), name: unit })),
            ),
          ],
          observation: [
            named(
              'OBS_STATUS',
              marks.map(mark => ({ id: mark, name: mark === 'A' ? 'Normal value' : `status ${mark}` })),
            ),
            named('OBS_CONF', [{ id: 'F', name: 'Free' }]),
            named('OBS_PRE_BREAK', []),
          ],
        },
      },
    },
  })
}

function writeTime(row: Row): unknown {
  const id = writeRow(row, sdmxPeriod)
  return {
    start: `${firstDay(row.period)}T00:00:00`,
    end: `${formatDay(lastDayOf(row.period))}T23:59:59`,
    id,
    name: id,
  }
}

function urnOf({ agency, id, version }: Flow): string {
  return `urn:sdmx:org.sdmx.infomodel.datastructure.Dataflow=${agency}:${id}(${version})`
}

const nothing: Told = { status: 204, contentType: 'application/json', body: '' }

function answerImf(ask: Ask): Told {
  if (ask.path.startsWith('/structure/dataflow/')) return tellImfFlows(ask)
  const match = /^\/data\/dataflow\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(ask.path)
  if (match === null) return nothing
  const [, agency, id, version, key] = match as unknown as [string, string, string, string, string]
  if (/^[*.]+$/.test(key)) return tellText('Internal Server Error', 500)
  const found = find(ask, imf, parseReference(`${agency},${id},${version}`), key)
  // An unknown flow gives no body; a key that matches nothing gives no series.
  if (found.kind !== 'found') return nothing
  return tellImf(ask, found.flow, found.placed)
}

function tellImf(ask: Ask, described: Flow, placed: readonly Placed[]): Told {
  const { axes, cells } = layOut(placed, ask.query)
  const units = [...new Set(placed.map(({ series }) => series.unit))]
  const indicator = Math.max(described.dimensions.indexOf('INDICATOR'), 0)
  const groups = placed.map(({ series, key }) => {
    const parts = [...described.dimensions, 'TIME_PERIOD'].map((_, at) =>
      at === indicator ? axes.codes[indicator]!.indexOf(key[indicator]!).toString() : '',
    )
    return [parts.join(':'), [units.indexOf(series.unit), 0]]
  })
  const series = cells.map(({ placed: each, rows }) => [
    seriesKey(each, axes),
    {
      attributes: [each.series.name, each.series.details.latestActual ?? null],
      observations: Object.fromEntries(rows.map(({ row, at }) => [at, [row.value, null, 0]])),
    },
  ])
  const attribute = (id: string, values: readonly unknown[]) => ({ id, roles: [], isMandatory: false, values })
  return tellJson({
    meta: {},
    data: {
      dataSets: [
        {
          structure: 0,
          action: 'Replace',
          ...(series.length === 0 ? {} : { series: Object.fromEntries(series) }),
          dimensionGroupAttributes: Object.fromEntries(groups),
        },
      ],
      structures: [
        {
          dataSets: [0],
          links: [{ urn: urnOf(described), title: 'Dataflow' }],
          dimensions: {
            series: described.dimensions.map((id, at) => ({
              id,
              keyPosition: at,
              roles: id === 'FREQUENCY' ? ['FREQ'] : [],
              values: (axes.codes[at] ?? []).map(code => ({ id: code })),
            })),
            observation: [
              {
                id: 'TIME_PERIOD',
                keyPosition: described.dimensions.length,
                values: axes.times.map(row => ({ value: writeRow(row, sdmxPeriod) })),
              },
            ],
          },
          measures: { observation: [{ id: 'OBS_VALUE', roles: [] }] },
          attributes: {
            dimensionGroup: [
              attribute(
                'UNIT',
                units.map(id => ({ id })),
              ),
              attribute('SCALE', [{ id: '0' }]),
            ],
            series: [attribute('SERIES_NAME', []), attribute('LATEST_ACTUAL_ANNUAL_DATA', [])],
            observation: [attribute('STATUS', []), attribute('DERIVATION_TYPE', [{ id: 'O' }])],
          },
          annotations: [],
        },
      ],
    },
  })
}

function tellImfFlows(ask: Ask): Told {
  const dataflows = flowsServed(ask, imf).map(({ agency, id, version, name }) => ({
    id,
    name,
    names: { en: name },
    version,
    agencyID: agency,
  }))
  return tellJson({ data: { dataflows }, meta: { id: 'IDREF1', test: false, prepared: ask.now } })
}

export const bisStandIn: ProviderStandIn = { pageSize: 1, answer: answerBis, tooMany: tellTooMany }
export const imfStandIn: ProviderStandIn = { pageSize: 1, answer: answerImf, tooMany: tellTooMany }
