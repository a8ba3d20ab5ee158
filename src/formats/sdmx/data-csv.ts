// SDMX-CSV 2.0: one row for each observation, under the columns of the data structure; with several structures, under the
// columns of all.

import { neutraliseCsv } from '../../core/text/sheet-text.ts'
import type { DataStructure } from './artefacts.ts'
import { referenceOf } from './artefacts.ts'
import { type Action, attributesOf, type DataMessage, type SeriesOfData } from './data-set.ts'

const actions: Readonly<Record<Action, string>> = { Information: 'I', Replace: 'R', Delete: 'D' }

/** Pieces of text: the header, then rows. */
export async function* writeDataCsv({ parts, hasValidity }: DataMessage): AsyncGenerator<string> {
  const components = [...new Set(parts.flatMap(({ structure }) => componentsOf(structure)))]
  const columns = ['STRUCTURE', 'STRUCTURE_ID', 'ACTION', ...components]
  yield `${[...columns, ...(hasValidity ? ['VALID_FROM', 'VALID_TO'] : [])].join(',')}\r\n`
  for (const { structure, series } of parts) {
    const own = componentsOf(structure)
    const isWhole = own.join() === components.join()
    const layout: Layout = {
      beginning: `dataflow,${referenceOf(structure.id)},`,
      hasValidity,
      places: isWhole ? null : components.map(id => own.indexOf(id)),
    }
    for await (const each of series) yield* writeSeries(each, layout)
  }
}

interface Layout {
  readonly beginning: string
  readonly hasValidity: boolean
  /** The place of each column among those of the structure, -1 for a column that it lacks; null where both are equal. */
  readonly places: readonly number[] | null
}

function componentsOf(structure: DataStructure): readonly string[] {
  const { dimensions, time, measure } = structure
  const attributes = [...attributesOf(structure, 'observation'), ...attributesOf(structure, 'series')]
  return [...dimensions, time, measure, ...attributes].map(({ id }) => id)
}

/** About as many rows as a piece has. */
const rowsTogether = 400

function* writeSeries(
  { key, attributes, observations }: SeriesOfData,
  { beginning, hasValidity, places }: Layout,
): Generator<string> {
  const named = `,${key.join(',')},`
  const endings = attributes.map(cell)
  const ending = endings.map(text => `,${text}`).join('')
  let rows = ''
  let count = 0
  for (const { period, value, attributes: own, action, validFrom, validTo } of observations) {
    rows += `${beginning}${actions[action]}`
    if (places !== null) {
      const facts = action === 'Delete' ? [] : [value, ...own, ...endings]
      const cells = [...key, period, ...facts]
      for (const place of places) rows += `,${cells[place] ?? ''}`
    } else if (action === 'Delete') {
      // A deletion names its key alone: a value beside it would say that only that value is deleted.
      rows += `${named}${period},${','.repeat(own.length + attributes.length)}`
    } else {
      rows += `${named}${period},${value ?? ''}`
      for (const text of own) rows += `,${text === null ? '' : text}`
      rows += ending
    }
    rows += hasValidity ? `,${validFrom ?? ''},${validTo ?? ''}\r\n` : '\r\n'
    if (++count % rowsTogether === 0) {
      yield rows
      rows = ''
    }
  }
  if (rows !== '') yield rows
}

function cell(text: string | null): string {
  if (text === null) return ''
  const safe = neutraliseCsv(text)
  return /[",;\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
