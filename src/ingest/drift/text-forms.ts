// Columns and fields of answers that are not JSON: tables, XML, calendar files.
import { CsvSplitter } from '../../providers/formats/csv.ts'
import { walkXml } from '../../providers/formats/xml.ts'
import { driftLimits } from './drift-limits.ts'
import type { Tally } from './field-tally.ts'

export function tallyTable(text: string, tally: Tally): void {
  const [first = ''] = text.split('\n', 1)
  const separator = first.includes(',') ? ',' : ';'
  const rows: string[][] = []
  const splitter = new CsvSplitter(cells => {
    if (rows.length <= driftLimits.rowsLooked) rows.push(cells)
  }, separator)
  splitter.push(text.slice(0, driftLimits.formBytes))
  splitter.end()
  const [header = [], ...data] = rows
  tally.columns = header.map(cell => cell.trim())
  for (const cells of data)
    tally.columns.forEach((column, at) => {
      tally.describe(column, column.split(':', 1)[0]!.trim(), cells[at]?.trim() ?? '')
    })
  tally.noteRows(
    'rows',
    data.map(cells => JSON.stringify(cells)),
  )
}

export function tallyXml(text: string, tally: Tally): void {
  const open: string[] = []
  walkXml(text, {
    open(name, attributes) {
      const parent = open.at(-1) ?? null
      const path = parent === null ? name : `${parent}/${name}`
      open.push(path)
      // An element may be left out where there is nothing to say; its attributes may not.
      tally.count(path, 'object', null)
      for (const [attribute, value] of Object.entries(attributes)) {
        tally.count(`${path}@${attribute}`, 'text', path)
        tally.describe(`${path}@${attribute}`, attribute, value)
      }
    },
    close() {
      open.pop()
    },
  })
}

/** Lines of an event begin with the name of a property; longer ones go on behind a space. */
export function tallyCalendar(text: string, tally: Tally): void {
  let seen = new Set<string>()
  for (const line of text.split(/\r?\n/)) {
    const name = /^([A-Z][A-Z0-9-]*)[;:]/.exec(line)?.[1]
    if (name === 'BEGIN') {
      seen = new Set()
      tally.count(line.slice(6).trim(), 'object', null)
    } else if (name === 'END') {
      const part = line.slice(4).trim()
      for (const each of seen) tally.count(`${part}.${each}`, 'text', part)
      seen = new Set()
    } else if (name !== undefined) seen.add(name)
  }
}
