// Eurostat's second route: a cube in JSON-stat 2.0, sparse, with the marks next to the figures.
import { type Ask, numberOf, type Told, tellJson } from './exchange.ts'
import { sdmxPeriod, writeRow } from './notation.ts'
import type { Flow, Placed } from './sdmx.ts'

/** Every dimension is a parameter; repeating it means "or". */
export function tellJsonStat(ask: Ask, flow: Flow, placed: readonly Placed[]): Told {
  const wanted = placed.filter(({ key }) =>
    flow.dimensions.every((name, at) => {
      const values = ask.query.getAll(name)
      return values.length === 0 || values.includes(key[at]!)
    }),
  )
  const codes = flow.dimensions.map((_, at) => [...new Set(wanted.map(({ key }) => key[at]!))].sort())
  const times = [...new Set(wanted.flatMap(({ series }) => series.rows.map(row => writeRow(row, sdmxPeriod))))].sort()
  const axes = [...codes, times]
  const value: Record<string, unknown> = {}
  const status: Record<string, string> = {}
  for (const { series, key } of wanted) {
    for (const row of series.rows) {
      const places = [...key.map((code, at) => codes[at]!.indexOf(code)), times.indexOf(writeRow(row, sdmxPeriod))]
      const index = places.reduce((sum, place, at) => sum * axes[at]!.length + place, 0).toString()
      if (row.value !== null) value[index] = numberOf(row.value)
      const mark = { PRELIMINARY: 'p', FORECAST: 'f', MISSING: '|C' }[row.stage as string]
      if (mark !== undefined) status[index] = mark
    }
  }
  const names = [...flow.dimensions, 'time']
  return tellJson({
    version: '2.0',
    class: 'dataset',
    label: flow.name,
    source: 'ESTAT',
    updated: ask.now,
    value,
    status,
    id: names,
    size: axes.map(axis => axis.length),
    dimension: Object.fromEntries(names.map((name, at) => [name, writeDimension(name, axes[at]!)])),
    extension: {
      lang: 'EN',
      id: flow.id,
      agencyId: flow.agency,
      version: flow.version,
      status: { label: { p: 'provisional', f: 'forecast', '|C': '|confidential' } },
    },
  })
}

/** The index is an unordered map. */
function writeDimension(label: string, codes: readonly string[]) {
  const index = codes.map((code, at) => [code, at] as const).reverse()
  return {
    label,
    category: { index: Object.fromEntries(index), label: Object.fromEntries(codes.map(code => [code, code])) },
  }
}
