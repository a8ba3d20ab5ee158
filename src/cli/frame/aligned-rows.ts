// Tables on a terminal: columns as wide as their widest cell. Apart from the worksheet, so that a command that lists
// something does not load the rules of formulas.

import { visibleText } from '../../core/text/foreign-text.ts'

type CellTexts = readonly string[]

/** Lines of columns padded to their widest cell; those named in `right` are right-aligned. */
export function alignRows(rows: readonly CellTexts[], right: readonly number[] = [], indent = '  '): string[] {
  const shown = rows.map(row => row.map(visibleText))
  const widths = (shown[0] ?? []).map((_, i) => shown.reduce((widest, row) => Math.max(widest, row[i]!.length), 0))
  return shown.map(row => {
    const cells = row.map((cell, i) => (right.includes(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
    return `${indent}${cells.join('  ').trimEnd()}`
  })
}

/** Like `alignRows`, for figures that align on the decimal point. */
export function alignOnPoint(figures: readonly string[]): string[] {
  const parts = figures.map(figure => {
    const point = figure.search(/[.…]/)
    return point < 0 ? [figure, ''] : [figure.slice(0, point), figure.slice(point)]
  })
  const [left, right] = [0, 1].map(i => Math.max(0, ...parts.map(part => part[i]!.length)))
  return parts.map(([whole, rest]) => whole!.padStart(left!) + rest!.padEnd(right!))
}
