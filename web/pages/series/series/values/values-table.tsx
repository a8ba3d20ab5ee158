// The table of values: every period in the chosen range, aligned on the decimal point. Only visible rows are rendered.

import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useMemo, useRef } from 'react'
import type { VersionTag } from '../../../../../src/views/shapes/series.ts'
import { changeAt, type Mode, shownAt } from '../../../../components/figures/exact-figures.ts'
import { Change, Tag } from '../../../../components/figures/figures.tsx'
import { formatOriginShort } from '../../../../components/words/origin-words.ts'
import { formatLabel } from '../../../../components/words/period-words.ts'
import { publishedCell } from '../../../../components/words/publication-words.ts'
import { decimalsOf, fillToPoint, formatFigure } from '../../../../components/words/words.ts'
import type { SeriesLine, View } from '../view.ts'
import { countAt, type History, publicationOf } from '../vintages.ts'
import { figureHeads, isInStep, placesOf, valueBeside } from './values-rows.ts'
import classes from './values-table.module.css'

const rowHeight = 37
/** Longer figures need a column as wide as they are. */
const longValue = 14

interface ValuesTableProps {
  readonly view: View
  readonly isUp: boolean
  readonly setUp: (isUp: boolean) => void
  readonly chosen: string | undefined
  readonly openPeriod: (label: string) => void
}

export function ValuesTable({ view, isUp, setUp, chosen, openPeriod }: ValuesTableProps) {
  const box = useRef<HTMLElement>(null)
  const main = view.lines[0]!
  const places = useMemo(() => placesOf(main, isUp), [main, isUp])
  const { decimals, isLong } = useMemo(() => widthsOf(main.history), [main.history])
  const virtual = useVirtualizer({
    count: places.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    initialRect: { width: 0, height: 640 },
  })
  const items = virtual.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = items.length === 0 ? 0 : virtual.getTotalSize() - items.at(-1)!.end
  const beside = view.lines.slice(1).filter(other => isInStep(main, other))
  const columns = 6 + (isUploaded(main) ? 1 : 0) + beside.length + (figureHeads[view.mode] === null ? 0 : 1)
  return (
    <section ref={box} className={classes.scroll} data-several={beside.length > 0} aria-label="Values, scrolls">
      <table
        className={`ledger ${classes.table}`}
        data-even={beside.length === 0 && !isLong}
        aria-rowcount={places.length + 1}
      >
        <Head view={view} beside={beside} isUp={isUp} setUp={setUp} />
        <tbody>
          {above > 0 && <Spacer height={above} columns={columns} />}
          {items.map(({ index }) => {
            const place = places[index]
            return (
              place !== undefined && (
                <Row
                  key={place}
                  {...rowOf(view, beside, place)}
                  {...{ index, decimals, openPeriod }}
                  isChosen={main.history.labels[place] === chosen}
                />
              )
            )
          })}
          {below > 0 && <Spacer height={below} columns={columns} />}
        </tbody>
      </table>
    </section>
  )
}

/** Widths for all values ever published, so that nothing moves while the table scrolls. */
function widthsOf({ value }: History): { decimals: number; isLong: boolean } {
  let [decimals, longest] = [0, 0]
  for (const text of value) {
    if (text === null) continue
    decimals = Math.max(decimals, decimalsOf(text))
    longest = Math.max(longest, text.length)
  }
  return { decimals, isLong: longest > longValue }
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it can be focused.
    <tr aria-hidden="true" className={classes.spacer}>
      <td colSpan={columns} style={{ height }} />
    </tr>
  )
}

interface HeadProps extends Pick<ValuesTableProps, 'view' | 'isUp' | 'setUp'> {
  readonly beside: readonly SeriesLine[]
}

function Head({ view, beside, isUp, setUp }: HeadProps) {
  const figureHead = figureHeads[view.mode]
  return (
    <thead>
      <tr>
        <th scope="col" aria-sort={isUp ? 'ascending' : 'descending'}>
          <button type="button" className={classes.sort} onClick={() => setUp(!isUp)}>
            Period <span aria-hidden="true">{isUp ? '↑' : '↓'}</span>
          </button>
        </th>
        <th scope="col" className="right">
          Value
        </th>
        {figureHead !== null && (
          <th scope="col" className="right">
            {figureHead}
          </th>
        )}
        <th scope="col">Tag</th>
        <th scope="col">Published</th>
        {isUploaded(view.lines[0]!) && (
          <th scope="col" className={classes.less}>
            From
          </th>
        )}
        <th scope="col" className={`right ${classes.less}`}>
          Change
        </th>
        <th scope="col" className={`right ${classes.less}`}>
          Vintages
        </th>
        {beside.map(({ id, name }) => (
          <th key={id} scope="col" className={`right ${classes.beside} ${classes.less}`} title={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

/** Values of a row, all plain, so that it does not render again while the day is dragged past vintages of other periods. */
interface RowProps {
  readonly index: number
  readonly label: string
  readonly value: string | null
  readonly decimals: number
  readonly mode: Mode
  readonly figure: string | null
  readonly tag: VersionTag | null
  readonly published: string
  /** Origin of uploaded figures. */
  readonly origin: string | null
  readonly changePct: string | null
  readonly count: number
  readonly isChosen: boolean
  readonly besides: readonly string[] | null
  readonly openPeriod: (label: string) => void
}

/** Figures read from a provider say so once, under the name of the series. */
function isUploaded({ originOf }: SeriesLine): boolean {
  return 'upload' in originOf('')
}

function rowOf(view: View, beside: readonly SeriesLine[], place: number) {
  const main = view.lines[0]!
  const { history, cut, reading } = main
  const row = cut[place]!
  return {
    label: history.labels[place]!,
    value: history.value[row]!,
    mode: view.mode,
    figure: view.mode === 'level' ? null : shownAt(history, cut, place, reading),
    tag: history.tag[row]!,
    published: publishedCell(publicationOf(history, row)),
    origin: isUploaded(main) ? formatOriginShort(main.originOf(history.recordedAt[row]!)) : null,
    changePct: changeAt(history, cut, place),
    count: countAt(history, cut, place),
    besides: beside.length === 0 ? null : beside.map(other => valueBeside(main, other, place) ?? ''),
  }
}

const Row = memo(function Row(props: RowProps) {
  const { index, label, value, decimals, mode, figure, tag, published, origin, changePct, count, besides } = props
  return (
    // The button in the period cell does the same for the keyboard.
    <tr
      className={classes.row}
      aria-rowindex={index + 2}
      data-chosen={props.isChosen}
      onClick={() => props.openPeriod(label)}
    >
      <td>
        <button type="button" className={classes.open} aria-label={`${formatLabel(label)}, vintages`}>
          {formatLabel(label)}
        </button>
      </td>
      <td className="right">
        {value === null ? <span className="soft">withdrawn</span> : fillToPoint(value, decimals)}
      </td>
      {mode !== 'level' && (
        <td className="right">
          {figure !== null && (mode === 'yoy' ? <Change pct={figure} /> : formatFigure(figure))}
        </td>
      )}
      <td>{tag !== null && <Tag tag={tag} isMany />}</td>
      <td>{published}</td>
      {origin !== null && <td className={classes.less}>{origin}</td>}
      <td className={`right ${classes.less}`}>{changePct !== null && <Change pct={changePct} />}</td>
      <td className={`right ${classes.less}`}>{count}</td>
      {besides?.map((text, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places.
        <td key={i} className={`right ${classes.less}`}>
          {formatFigure(text)}
        </td>
      ))}
    </tr>
  )
})
