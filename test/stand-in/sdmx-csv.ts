// Imitates the services that answer in SDMX-CSV: ECB, Eurostat, ABS and OECD, each with its own columns, marks and
// errors. Eurostat's second route, JSON-stat, is in its own file.
import { type Ask, type ProviderStandIn, type Told, tellJson, tellText, tellTooMany, tellXml } from './exchange.ts'
import { tellJsonStat } from './json-stat.ts'
import { lastPublication, type Row } from './model.ts'
import { luxembourgStamp, sdmxPeriod, writeRow } from './notation.ts'
import {
  commonMarks,
  describeFlow,
  type Found,
  find,
  flowsServed,
  type Placed,
  parseReference,
  type SdmxSource,
  selectRows,
  tellFlows,
  tellSdmxError,
} from './sdmx.ts'

const ecb: SdmxSource = {
  agency: 'ECB',
  notation: ['id'],
  frequencyName: 'FREQ',
  marks: commonMarks,
  flows: [
    describeFlow('ECB', 'EXR', '1.0', 'Exchange rates', 'FREQ CURRENCY CURRENCY_DENOM EXR_TYPE EXR_SUFFIX'),
    describeFlow(
      'ECB',
      'ICP',
      '1.0',
      'Consumer prices',
      'FREQ REF_AREA ADJUSTMENT ICP_ITEM STS_INSTITUTION ICP_SUFFIX',
    ),
    describeFlow('ECB', 'HICP', '1.0', 'Consumer prices', 'FREQ REF_AREA ADJUSTMENT ICP_ITEM DATA_PROVIDER ICP_SUFFIX'),
  ],
}

const eurostat: SdmxSource = {
  agency: 'ESTAT',
  notation: ['id'],
  frequencyName: 'freq',
  marks: { PRELIMINARY: 'p', FINAL: '', REVISED: '', FORECAST: 'f', MISSING: '', WITHDRAWN: '' },
  flows: [
    describeFlow('ESTAT', 'PRC_HICP_MINR', '1.0', 'HICP, monthly data', 'freq unit coicop18 geo'),
    describeFlow('ESTAT', 'STS_INPP_M', '1.0', 'Producer prices in industry', 'freq indic_bt nace_r2 s_adj unit geo'),
    describeFlow(
      'ESTAT',
      'STS_INPPD_M',
      '1.0',
      'Producer prices, domestic market',
      'freq indic_bt nace_r2 s_adj unit geo',
    ),
    describeFlow('ESTAT', 'LC_LCI_R2_Q', '1.0', 'Labour cost index', 'freq s_adj unit nace_r2 lcstruct geo'),
  ],
}

const abs: SdmxSource = {
  agency: 'ABS',
  notation: ['id', 'version'],
  frequencyName: 'FREQ',
  marks: { PRELIMINARY: 'p', FINAL: '', REVISED: 'r', FORECAST: '', MISSING: 'q', WITHDRAWN: '' },
  flows: [
    describeFlow('ABS', 'CPI', '2.0.0', 'Consumer Price Index', 'MEASURE INDEX TSEST REGION FREQ'),
    describeFlow('ABS', 'CPI', '1.1.0', 'Consumer Price Index', 'MEASURE INDEX TSEST REGION FREQ'),
    describeFlow(
      'ABS',
      'AWE',
      '1.0.0',
      'Average Weekly Earnings',
      'MEASURE ESTIMATE_TYPE SEX SECTOR INDUSTRY TSEST REGION FREQ',
    ),
  ],
}

const oecd: SdmxSource = {
  agency: 'OECD',
  notation: ['agency', 'id', 'version'],
  frequencyName: 'FREQ',
  marks: commonMarks,
  flows: [
    describeFlow(
      'OECD.SDD.TPS',
      'DSD_PRICES@DF_PRICES_ALL',
      '1.0',
      'Consumer price indices',
      'REF_AREA FREQ METHODOLOGY MEASURE UNIT_MEASURE EXPENDITURE ADJUSTMENT TRANSFORMATION',
    ),
    describeFlow(
      'OECD.SDD.STES',
      'DSD_KEI@DF_KEI',
      '4.0',
      'Key short-term indicators',
      'REF_AREA FREQ MEASURE UNIT_MEASURE ACTIVITY ADJUSTMENT TRANSFORMATION',
    ),
  ],
}

export function writeCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type Cells = Readonly<Record<string, string>>

/** A table with the columns of the flow around the time and the figure. */
function tellTable(found: Extract<Found, { kind: 'found' }>, query: URLSearchParams, columns: Columns): Told {
  const { flow: described, placed } = found
  const header = [...columns.before, ...described.dimensions, 'TIME_PERIOD', 'OBS_VALUE', ...columns.after]
  const lines = placed.flatMap(each =>
    selectRows(each.series, query).map(row => {
      const cells: Cells = {
        ...Object.fromEntries(described.dimensions.map((name, at) => [name, each.key[at]!])),
        TIME_PERIOD: writeRow(row, sdmxPeriod),
        OBS_VALUE: row.value ?? '',
        ...columns.write(each, row),
      }
      return header.map(name => writeCell(cells[name] ?? '')).join(',')
    }),
  )
  return tellText(`${[header.join(','), ...lines].join('\n')}\n`, 200, columns.contentType)
}

interface Columns {
  readonly contentType: string
  readonly before: readonly string[]
  readonly after: readonly string[]
  write(placed: Placed, row: Row): Cells
}

/** The flow and the key of `…/data/{flow}/{key}`. */
function findIn(ask: Ask, source: SdmxSource, pattern: RegExp): Found | null {
  const match = pattern.exec(ask.path)
  return match === null ? null : find(ask, source, parseReference(match[1]!), match[2]!)
}

function newestOf(placed: readonly Placed[]): string {
  return placed.map(({ series }) => lastPublication(series) ?? '').reduce((a, b) => (a > b ? a : b), '')
}

const ecbColumns: Columns = {
  contentType: 'application/vnd.sdmx.data+csv;version=1.0.0',
  before: ['KEY'],
  after: [
    'OBS_STATUS',
    'OBS_CONF',
    'OBS_PRE_BREAK',
    'OBS_COM',
    'TIME_FORMAT',
    'COLLECTION',
    'UNIT_INDEX_BASE',
    'DECIMALS',
    'TITLE',
    'TITLE_COMPL',
    'UNIT',
    'UNIT_MULT',
  ],
  write: ({ series, flow: { id }, key }, row) => ({
    KEY: [id, ...key].join('.'),
    OBS_STATUS: ecb.marks[row.stage],
    OBS_CONF: 'F',
    COLLECTION: 'A',
    UNIT_INDEX_BASE: series.details.base ?? '99Q1=100',
    TITLE: series.name,
    TITLE_COMPL: `${series.name}, served by a stand-in`,
    UNIT: series.unit,
    UNIT_MULT: series.details.multiplier ?? '0',
  }),
}

function answerEcb(ask: Ask): Told {
  if (/^\/dataflow(?:\/|$)/.test(ask.path)) return tellFlows(ask, ecb)
  const found = findIn(ask, ecb, /^\/data\/([^/]+)\/([^/]+)$/)
  if (found === null) return tellSdmxError(140, 'Syntax error', 400)
  if (found.kind === 'wrong-arity') return tellSdmxError(150, 'Not enough key values in query', 400)
  if (found.kind === 'unknown-flow' || found.placed.length === 0) return tellSdmxError(100, 'No results found', 404)
  const isBare = ask.query.get('detail') === 'dataonly'
  const told = tellTable(found, ask.query, isBare ? { ...ecbColumns, after: [] } : ecbColumns)
  const changed = new Date(newestOf(found.placed)).toUTCString()
  return { ...told, headers: { 'Last-Modified': changed, 'Cache-Control': 'max-age=30' } }
}

function answerEurostat(ask: Ask): Told {
  if (ask.path.startsWith('/sdmx/2.1/dataflow/')) return tellFlows(ask, eurostat)
  if (ask.path === '/catalogue/toc/txt') return tellContents(ask)
  const cube = /^\/statistics\/1\.0\/data\/([^/]+)$/.exec(ask.path)
  const found =
    cube === null
      ? findIn(ask, eurostat, /^\/sdmx\/2\.1\/data\/([^/]+)\/([^/]+)$/)
      : find(ask, eurostat, parseReference(cube[1]!), 'all')
  if (found === null || found.kind === 'unknown-flow') {
    const label = `ERR_NOT_FOUND_4: ${ask.path.split('/')[4] ?? ''} is not available for dissemination.`
    return tellJson({ error: [{ status: 404, id: 100, label }] }, 404)
  }
  if (found.kind === 'wrong-arity' || (cube === null && found.placed.length === 0)) return eurostatFault()
  if (cube !== null) return tellJsonStat(ask, found.flow, found.placed)
  if (ask.query.get('format') !== 'SDMX-CSV') return tellXml('<m:GenericData xmlns:m="m"/>', 200)
  const updated = luxembourgStamp(newestOf(found.placed) || ask.now)
  return tellTable(found, ask.query, {
    contentType: 'application/vnd.sdmx.data+csv;version=1.0.0',
    before: ['DATAFLOW', 'LAST UPDATE'],
    after: ['OBS_FLAG', 'CONF_STATUS'],
    write: (_, row) => ({
      DATAFLOW: `ESTAT:${found.flow.id}(1.0)`,
      'LAST UPDATE': updated,
      OBS_FLAG: eurostat.marks[row.stage],
      CONF_STATUS: row.stage === 'MISSING' ? 'C' : '',
    }),
  })
}

function eurostatFault(): Told {
  return tellXml(
    '<S:Fault xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><faultcode>150</faultcode><faultstring>' +
      'INVALID_QUERY_DIMENSION_VALUE: Query is invalid as per its structure&apos;s definition.</faultstring></S:Fault>',
    400,
  )
}

/** The table of contents: one line per data set, tab-separated. */
function tellContents(ask: Ask): Told {
  const lines = flowsServed(ask, eurostat).map(({ id, name }) =>
    [`"${name}"`, `"${id.toLowerCase()}"`, '"dataset"', '"01.10.2026"', '""', '"2015M01"', '"2026M12"', '0'].join('\t'),
  )
  const head = [
    'title',
    'code',
    'type',
    'last update of data',
    'last table structure change',
    'data start',
    'data end',
    'values',
  ]
  return tellText([head.map(name => `"${name}"`).join('\t'), ...lines].join('\n'), 200)
}

function answerAbs(ask: Ask): Told {
  if (/^\/dataflow(?:\/|$)/.test(ask.path)) return tellFlows(ask, abs)
  const found = findIn(ask, abs, /^\/data\/([^/]+)\/([^/]+)$/)
  if (found === null || found.kind === 'unknown-flow') {
    return tellText('Could not find Dataflow and/or DSD related with this data request', 404)
  }
  if (found.kind === 'wrong-arity') return wrongArity(found.expected, found.got)
  if (found.placed.length === 0) return tellText('NoRecordsFound', 404)
  return tellTable(found, ask.query, {
    contentType: 'application/vnd.sdmx.data+csv;version=1.0.0;charset=utf-8',
    before: ['DATAFLOW'],
    after: ['UNIT_MEASURE', 'OBS_STATUS', 'UNIT_MULT', 'DECIMALS', 'OBS_COMMENT', 'BASE_PERIOD'],
    write: ({ series }, row) => ({
      DATAFLOW: `ABS:${found.flow.id}(${found.flow.version})`,
      UNIT_MEASURE: series.unit,
      OBS_STATUS: abs.marks[row.stage],
      UNIT_MULT: series.details.multiplier ?? '',
      BASE_PERIOD: series.details.base ?? '',
    }),
  })
}

function wrongArity(expected: number, got: number): Told {
  const word = got < expected ? 'Not enough' : 'Too many'
  return tellText(`${word} key values in query, expecting ${expected} got ${got}`, 422)
}

function answerOecd(ask: Ask): Told {
  if (/^\/dataflow(?:\/|$)/.test(ask.path)) return tellFlows(ask, oecd)
  const found = findIn(ask, oecd, /^\/data\/([^/]+)\/([^/]+)$/)
  if (found === null || found.kind === 'unknown-flow') {
    return tellText('Could not find Dataflow and/or DSD related with this data request', 404)
  }
  if (found.kind === 'wrong-arity') return wrongArity(found.expected, found.got)
  if (found.placed.length === 0) return tellText('NoRecordsFound', 404)
  const isFull = ask.query.get('detail') === 'full'
  const told = tellTable(found, ask.query, {
    contentType: 'application/vnd.sdmx.data+csv;charset=utf-8',
    before: ['DATAFLOW'],
    after: ['OBS_STATUS', 'UNIT_MULT', 'DECIMALS', 'BASE_PER'],
    write: ({ series }, row) => ({
      DATAFLOW: `${found.flow.agency}:${found.flow.id}(${found.flow.version})`,
      OBS_STATUS: isFull ? oecd.marks[row.stage] : '',
      UNIT_MULT: isFull ? (series.details.multiplier ?? '0') : '',
      BASE_PER: isFull ? (series.details.base ?? '') : '',
    }),
  })
  return { ...told, body: shuffleLines(told.body) }
}

/** Unordered rows: every third first. */
function shuffleLines(body: string): string {
  const [header = '', ...lines] = body.trimEnd().split('\n')
  const shuffled = [0, 1, 2].flatMap(rest => lines.filter((_, at) => at % 3 === rest))
  return `${[header, ...shuffled].join('\n')}\n`
}

export const ecbStandIn: ProviderStandIn = { pageSize: 1, answer: answerEcb, tooMany: tellTooMany }
export const eurostatStandIn: ProviderStandIn = { pageSize: 1, answer: answerEurostat, tooMany: tellTooMany }
export const absStandIn: ProviderStandIn = { pageSize: 1, answer: answerAbs, tooMany: tellTooMany }
export const oecdStandIn: ProviderStandIn = {
  pageSize: 1,
  answer: answerOecd,
  tooMany: seconds =>
    tellTooMany(seconds, 'You have exceeded the number of requests currently permitted in the OECD Data API.'),
}
