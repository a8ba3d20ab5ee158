// Parts of the percentage: each component and control with its points, drawn one after the other from zero to the adjustment. The
// figures are a table; the drawing is beside them and prints as lines.

import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { formatDate } from '../../../src/core/text/words.ts'
import type { AdjustmentPage, ComponentView } from '../../../src/views/shapes/agreements.ts'
import { DataTable } from '../table/data-table.tsx'
import { alignOnPoint, formatPct, formatSigned, sentenceCase } from '../words/words.ts'
import classes from './contributions.module.css'
import { type Bar, hasBoth, partsSince, type Reference, type Waterfall, waterfallOf } from './waterfall.ts'

interface ContributionsProps extends Pick<AdjustmentPage, 'components' | 'controls' | 'lastApplied' | 'isChained'> {
  readonly adjustmentPct: string | null
  readonly cumulativePct: string
  /** Price in its currency; null if there is no price or it is not known. */
  readonly priceBefore: string | null
  readonly basePrice: string | null
}

export function Contributions(props: ContributionsProps) {
  const { components, controls, adjustmentPct, cumulativePct } = props
  const [chosen, setReference] = useState<Reference>('last')
  const canChoose = hasBoth(components)
  const reference = canChoose || props.isChained ? chosen : 'base'
  const whole = { components, controls, adjustmentPct }
  const isSinceStart = canChoose && reference === 'base'
  const waterfall = waterfallOf(
    partsSince(reference, whole, cumulativePct),
    isSinceStart ? 'Since the start' : 'Adjustment',
  )
  if (waterfall !== null)
    return (
      <>
        {canChoose && (
          <SegmentedControl
            className="no-print"
            size="xs"
            mb={8}
            aria-label="Measured from"
            data={[
              { value: 'last', label: 'From the last adjustment' },
              { value: 'base', label: 'From the base' },
            ]}
            value={reference}
            onChange={value => setReference(value as Reference)}
          />
        )}
        <WaterfallTable waterfall={waterfall} since={sinceWords(props, reference)} />
        <p className={`${classes.remark} no-print`}>{remark(props, reference, canChoose)}</p>
      </>
    )
  if (components.length > 0) return <Components components={components} />
  return (
    <p className="soft prose">
      This formula is written as steps, so no weighted parts add up to the number. The lines of the calculation below
      show how it was computed.
    </p>
  )
}

/** Start from which changes and points are measured, for the column headings. */
function sinceWords({ lastApplied }: ContributionsProps, reference: Reference): string {
  return reference === 'base' || lastApplied === null ? 'base' : formatDate(lastApplied)
}

function remark({ priceBefore, basePrice, lastApplied }: ContributionsProps, reference: Reference, canChoose: boolean) {
  const worth = (when: string, price: string | null) =>
    `A point is 1 % of the price ${when}${price === null ? '' : `, ${price}`}.`
  if (canChoose && reference === 'base')
    return `Change and points both count from the base: points are weight × change. ${worth('at the start', basePrice)}`
  if (!canChoose) return worth('before', priceBefore)
  const day = lastApplied === null ? 'then' : formatDate(lastApplied)
  return `Change and points both count from the readings of ${day}. ${worth('before', priceBefore)} An index that has risen more than the price since the base moves the price by more than its written weight.`
}

function WaterfallTable({ waterfall, since }: { readonly waterfall: Waterfall; readonly since: string }) {
  const { bars, total, zero } = waterfall
  const points = alignOnPoint([...bars, total].map(bar => formatSigned(bar.points)))
  return (
    <DataTable
      className={classes.table}
      rows={bars}
      // Two inputs may read the same series.
      keyOf={(_, i) => i}
      columns={[
        {
          head: 'Part',
          isRowHead: true,
          className: classes.part,
          cell: ({ kind, label }) => (kind === 'control' ? sentenceCase(label) : label),
          foot: total.label,
        },
        {
          head: 'Weight',
          narrow: ({ weight, changePct }) =>
            weight !== null &&
            changePct !== null && <span className="under">{`weight ${weight}, ${formatPct(changePct)}`}</span>,
          figure: ({ weight }) => weight,
        },
        {
          head: `Change since ${since}, %`,
          narrow: 'drop',
          headClass: classes.figureHead,
          figure: ({ changePct }) => (changePct === null ? null : formatSigned(changePct)),
        },
        {
          head: `Points since ${since}`,
          isRight: true,
          headClass: classes.figureHead,
          cell: (_bar, _, i) => points[i],
          foot: points.at(-1),
        },
        {
          head: 'Drawn from 0 to the sum',
          isHeadUnseen: true,
          headClass: classes.drawing,
          className: classes.drawing,
          cell: (bar, _, i) => <Drawing bar={bar} zero={zero} isFirst={i === 0} />,
          foot: <Drawing bar={total} zero={zero} isFirst={false} />,
        },
      ]}
    />
  )
}

const share = (part: number) => `${(part * 100).toFixed(3)}%`

function Drawing({ bar, zero, isFirst }: { readonly bar: Bar; readonly zero: number; readonly isFirst: boolean }) {
  const [left, right] = bar.from < bar.to ? [bar.from, bar.to] : [bar.to, bar.from]
  const isTotal = bar.kind === 'total'
  // The total is connected to where the last part ended, every other part to where the previous one ended.
  const hook = isTotal ? bar.to : bar.from
  return (
    <svg aria-hidden="true" focusable="false">
      <line className={classes.zero} x1={share(zero)} x2={share(zero)} y1="0" y2="100%" />
      {!isFirst && <line className={classes.hook} x1={share(hook)} x2={share(hook)} y1="0" y2="28%" />}
      {!isTotal && <line className={classes.hook} x1={share(bar.to)} x2={share(bar.to)} y1="72%" y2="100%" />}
      <rect
        className={classes.bar}
        data-kind={bar.kind}
        data-falls={bar.to < bar.from}
        x={share(left)}
        width={share(Math.max(right - left, 0.002))}
        y="28%"
        height="44%"
      />
    </svg>
  )
}

/** Components of steps: weight times change shows where the adjustment comes from, but does not add up to it. */
function Components({ components }: { readonly components: readonly ComponentView[] }) {
  return (
    <>
      <DataTable
        className={classes.table}
        rows={components}
        keyOf={({ input }) => input}
        columns={[
          { head: 'Part', isRowHead: true, className: classes.part, cell: ({ name }) => name },
          { head: 'Weight', figure: ({ weight }) => weight },
          { head: 'Change, %', figure: ({ changePct }) => formatSigned(changePct) },
          { head: 'Weight × change', figure: ({ contribution }) => formatSigned(contribution) },
        ]}
      />
      <p className="soft prose">
        This formula is written as steps. These parts show what moved; the lines of the calculation below show how the
        number follows.
      </p>
    </>
  )
}
