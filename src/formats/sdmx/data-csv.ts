// SDMX-CSV 2.0: one row for each observation, under the columns of the data structure.

import { neutraliseCsv } from '../../core/text/sheet-text.ts'
import { referenceOf } from './artefacts.ts'
import { type Action, attributesOf, type DataMessage, type SeriesOfData } from './data-set.ts'

const actions: Readonly<Record<Action, string>> = { Information: 'I', Replace: 'R', Delete: 'D' }

/** Pieces of text: the header, then rows. */
export async function* writeDataCsv({ structure, series, hasValidity }: DataMessage): AsyncGenerator<string> {
  const { id, dimensions, time, measure } = structure
  const components = [
    ...[...dimensions, time, measure],
    ...[...attributesOf(structure, 'observation'), ...attributesOf(structure, 'series')],
  ]
  const columns = ['STRUCTURE', 'STRUCTURE_ID', 'ACTION', ...components.map(each => each.id)]
  yield `${[...columns, ...(hasValidity ? ['VALID_FROM', 'VALID_TO'] : [])].join(',')}\r\n`
  const beginning = `dataflow,${referenceOf(id)},`
  for await (const each of series) yield* writeSeries(each, beginning, hasValidity)
}

/** About as many rows as a piece has. */
const rowsTogether = 400

function* writeSeries(
  { key, attributes, observations }: SeriesOfData,
  beginning: string,
  hasValidity: boolean,
): Generator<string> {
  const named = `,${key.join(',')},`
  const ending = attributes.map(text => `,${cell(text)}`).join('')
  let rows = ''
  let count = 0
  for (const { period, value, attributes: own, action, validFrom, validTo } of observations) {
    rows += `${beginning}${actions[action]}${named}${period},`
    // A deletion names its key alone: a value beside it would say that only that value is deleted.
    if (action === 'Delete') rows += ','.repeat(own.length + attributes.length)
    else {
      rows += value ?? ''
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
