// Note on one period of the chart: value, tag and day of publication, and the other series.
import { formatDate } from '../../../../../src/core/text/words.ts'

import { shownAt } from '../../../../components/figures/exact-figures.ts'
import { Tag } from '../../../../components/figures/figures.tsx'
import { formatLabel } from '../../../../components/words/period-words.ts'
import { formatPublishedWords } from '../../../../components/words/publication-words.ts'
import { formatFigure, formatSigned } from '../../../../components/words/words.ts'
import { labelPlaceAt, type SeriesLine, type View } from '../view.ts'
import { publicationOf } from '../vintages.ts'
import classes from './chart.module.css'
import { lineColours } from './line-colours.ts'
import { type Plot, xOf } from './plot.ts'

const tipWidth = 240
const gap = 12

interface ChartTipProps {
  readonly view: View
  readonly plot: Plot
  readonly place: number
  readonly unit: string
}

export function ChartTip({ view, plot, place, unit }: ChartTipProps) {
  const { lines, today, mode } = view
  const main = lines[0]!
  const { history, cut } = main
  const x = xOf(plot, history.firstDays[place]!)
  const isLeft = x + gap + tipWidth > plot.width
  const row = cut[place]!
  const value = row < 0 ? null : history.value[row]!
  const tag = row < 0 ? null : history.tag[row]!
  const style = isLeft ? { right: plot.width - x + gap, top: plot.top } : { left: x + gap, top: plot.top }
  const later = today === null ? null : (history.value[today.cut[place]!] ?? null)
  return (
    <div className={classes.tip} style={style} aria-hidden="true">
      <div className={classes.tipHead}>
        <span>{formatLabel(history.labels[place]!)}</span>
        {tag !== null && <Tag tag={tag} isMany />}
      </div>
      {lines.map((line, i) => (
        <TipLine key={line.id} line={line} index={i} day={history.firstDays[place]!} unit={unit} view={view} />
      ))}
      {mode !== 'level' && value !== null && (
        <div className="soft">
          {formatFigure(value)} {main.unit}
        </div>
      )}
      {row >= 0 && (
        <div className="soft">
          {value === null
            ? `withdrawn ${formatDate(history.publishedAt[row]!)}`
            : formatPublishedWords(publicationOf(history, row))}
        </div>
      )}
      {today !== null && later !== value && (
        <div className="soft">
          {later === null
            ? `withdrawn since ${formatDate(history.publishedAt[today.cut[place]!]!)}`
            : `today ${formatFigure(later)}, ${formatPublishedWords(publicationOf(history, today.cut[place]!))}`}
        </div>
      )}
    </div>
  )
}

interface TipLineProps {
  readonly line: SeriesLine
  readonly index: number
  readonly day: number
  readonly unit: string
  readonly view: View
}

function TipLine({ line, index, day, unit, view }: TipLineProps) {
  const figure = figureAt(line, day)
  const isAlone = view.lines.length === 1
  return (
    <div className={classes.tipLine}>
      {!isAlone && <span className={classes.swatch} style={{ background: lineColours[index % lineColours.length]! }} />}
      {!isAlone && <span className={classes.tipName}>{line.name}</span>}
      <span className={classes.tipValue}>{figure === null ? 'no value' : write(figure, view, unit)}</span>
      {isAlone && view.mode === 'level' && figure !== null && <span className="soft">{line.unit}</span>}
    </div>
  )
}

function write(figure: string, { mode }: View, unit: string): string {
  return `${mode === 'yoy' ? formatSigned(figure) : formatFigure(figure)}${unit}`
}

/** The figure of the period of this series that contains the day. */
function figureAt({ history, cut, reading }: SeriesLine, day: number): string | null {
  const place = labelPlaceAt(history, day)
  return place < 0 ? null : shownAt(history, cut, place, reading)
}

export function tipWords(view: View, place: number, unit: string): string {
  const main = view.lines[0]!
  const { history, cut } = main
  const row = cut[place] ?? -1
  const day = history.firstDays[place]!
  const figures = view.lines.map(line => {
    const figure = figureAt(line, day)
    const words = figure === null ? 'no value' : write(figure, view, unit)
    return view.lines.length === 1 ? words : `${line.name} ${words}`
  })
  const tag = row < 0 ? null : history.tag[row]
  const about = row < 0 || tag === null ? [] : [tag!.toLowerCase(), formatPublishedWords(publicationOf(history, row))]
  return [formatLabel(history.labels[place]!), ...figures, ...about].join(', ')
}
