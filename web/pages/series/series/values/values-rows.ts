// Values of a series as rows: the shown periods, and a table of them to download. Only needed rows are computed.
import { firstAtLeast } from '../../../../../src/core/time/period.ts'
import type { Cell, Sheet } from '../../../../../src/formats/sheet.ts'
import { changeAt, type Mode, shownAt } from '../../../../components/figures/exact-figures.ts'
import { formatOriginInFull } from '../../../../components/words/origin-words.ts'
import { publishedColumns } from '../../../../components/words/publication-words.ts'
import type { SeriesLine, View } from '../view.ts'
import { countAt, publicationOf } from '../vintages.ts'

/** The visible periods with a published vintage, newest first by default, including withdrawn ones. */
export function placesOf({ cut, first, end }: SeriesLine, isUp: boolean): Int32Array {
  const places: number[] = []
  for (let i = first; i < end; i++) if (cut[i]! >= 0) places.push(i)
  return Int32Array.from(isUp ? places : places.reverse())
}

/** The value of another series for the same period, if both have the same periods. */
export function valueBeside(main: SeriesLine, { history, cut }: SeriesLine, place: number): string | null {
  const ordinal = main.history.ordinals[place]!
  const at = firstAtLeast(history.ordinals, ordinal)
  const row = history.ordinals[at] === ordinal ? cut[at]! : -1
  return row < 0 ? null : history.value[row]!
}

export function isInStep(main: SeriesLine, other: SeriesLine): boolean {
  return main.history.frequency === other.history.frequency
}

export const figureHeads: Readonly<Record<Mode, string | null>> = {
  level: null,
  yoy: 'Year on year, %',
  rebased: 'Rebased to 100',
}

/** The table's contents, with days in ISO form. */
export function valuesSheet(view: View, isUp: boolean): Sheet {
  const main = view.lines[0]!
  const { history, cut, reading } = main
  const beside = view.lines.slice(1).filter(other => isInStep(main, other))
  const figureHead = figureHeads[view.mode]
  const figure = (text: string | null): Cell => (text === null ? null : { figure: text })
  const head = ['Period', `Value (${main.unit})`, ...(figureHead === null ? [] : [figureHead])]
  const rest = ['Tag', ...Object.keys(publishedColumns), 'Change, %', 'Vintages', 'From']
  return {
    name: main.name,
    head: [...head, ...rest, ...beside.map(({ name, unit }) => `${name} (${unit})`)],
    rows: [...placesOf(main, isUp)].map(place => {
      const row = cut[place]!
      return [
        history.labels[place]!,
        figure(history.value[row]!),
        ...(figureHead === null ? [] : [figure(shownAt(history, cut, place, reading))]),
        history.value[row] === null ? 'withdrawn' : history.tag[row]!,
        ...Object.values(publishedColumns).map(write => write(publicationOf(history, row))),
        figure(changeAt(history, cut, place)),
        { figure: countAt(history, cut, place).toString() },
        formatOriginInFull(main.originOf(history.recordedAt[row]!)),
        ...beside.map(other => figure(valueBeside(main, other, place))),
      ]
    }),
  }
}
