// Controls of the chart: its reading, the range, revisions, and the series to compare with.
import { ActionIcon, Button, SegmentedControl, Select, Switch, TextInput } from '@mantine/core'
import { memo, type ReactNode, useEffect, useMemo, useState } from 'react'
import { formatDay } from '../../../../../src/core/time/day.ts'
import type { Mode } from '../../../../components/figures/exact-figures.ts'
import type { ChangeAddress } from '../../../../components/page/address.ts'
import { IconCross } from '../../../../components/page/icons.tsx'
import { formatReference } from '../../../../components/words/provider-words.ts'
import { useRead } from '../../../../session.ts'
import { labelPlaceAt, type Span, type Subject, type View, yearsBack } from '../view.ts'
import chartClasses from './chart.module.css'
import classes from './chart-tools.module.css'
import { lineColours } from './line-colours.ts'

interface ChartToolsProps {
  readonly mode: Mode
  readonly cover: Span
  readonly from: string | undefined
  readonly to: string | undefined
  readonly hasFan: boolean
  readonly canHaveFan: boolean
  readonly change: ChangeAddress
  readonly children: ReactNode
}

const modeLabels = [
  { value: 'level', label: 'Level' },
  { value: 'yoy', label: 'Year on year' },
  { value: 'rebased', label: 'Rebased to 100' },
]

export const ChartTools = memo(function ChartTools(props: ChartToolsProps) {
  const { mode, cover, from, to, hasFan, canHaveFan, change, children } = props
  return (
    <div className={`${classes.tools} no-print`}>
      <SegmentedControl
        size="xs"
        aria-label="What the chart shows"
        data={modeLabels}
        value={mode}
        onChange={value => change({ mode: value === 'level' ? undefined : value })}
      />
      <RangeButtons cover={cover} from={from} to={to} change={change} />
      <Switch
        size="xs"
        label="Show revisions"
        checked={hasFan}
        disabled={!canHaveFan && !hasFan}
        onChange={event => change({ revisions: event.currentTarget.checked ? '1' : undefined })}
      />
      {children}
    </div>
  )
})

const ranges = [
  { years: 1, label: '1 y' },
  { years: 5, label: '5 y' },
  { years: 10, label: '10 y' },
]

function RangeButtons({ cover, from, to, change }: Pick<ChartToolsProps, 'cover' | 'from' | 'to' | 'change'>) {
  const useful = ranges.filter(({ years }) => yearsBack(cover, years) > formatDay(cover.fromDay))
  const isAll = from === undefined && to === undefined
  return (
    <Button.Group>
      {useful.map(({ years, label }) => {
        const start = yearsBack(cover, years)
        const isChosen = from === start && to === undefined
        return (
          <Button
            key={years}
            size="xs"
            variant="default"
            className={classes.range ?? ''}
            aria-pressed={isChosen}
            onClick={() => change({ from: start, to: undefined })}
          >
            {label}
          </Button>
        )
      })}
      <Button
        size="xs"
        variant="default"
        className={classes.range ?? ''}
        aria-pressed={isAll}
        onClick={() => change({ from: undefined, to: undefined })}
      >
        All
      </Button>
    </Button.Group>
  )
}

/** Most series besides the main one: as many as there are colours. */
export const mostBeside = 4

interface CompareProps {
  readonly id: string
  readonly beside: readonly Subject[]
  readonly choose: (ids: readonly string[]) => void
}

export const Compare = memo(function Compare({ id, beside, choose }: CompareProps) {
  const list = useRead('/series').data
  const ids = beside.map(each => each.id)
  const data = useMemo(
    () =>
      (list ?? [])
        .filter(row => row.id !== id)
        .map(row => ({ value: row.id, label: `${row.name} (${formatReference(row)})` })),
    [list, id],
  )
  return (
    <div className={classes.compare}>
      {beside.map((each, i) => (
        <span key={each.id} className={classes.chosen}>
          <span className={chartClasses.swatch} style={{ background: lineColours[i + 1]! }} />
          <span className={classes.chosenName} title={each.name}>
            {each.name}
          </span>
          <ActionIcon
            size="sm"
            variant="subtle"
            aria-label={`Remove ${each.name}`}
            onClick={() => choose(ids.filter(other => other !== each.id))}
          >
            <IconCross />
          </ActionIcon>
        </span>
      ))}
      {ids.length < mostBeside && data.length > 0 && (
        <Select
          key={ids.join()}
          size="xs"
          className={classes.picker ?? ''}
          aria-label="Compare with another series"
          placeholder="Compare with …"
          searchable
          limit={30}
          data={data.filter(({ value }) => !ids.includes(value))}
          nothingFoundMessage="No name or code contains these words"
          value={null}
          onChange={value => value !== null && choose([...ids, value])}
          comboboxProps={{ width: 420, position: 'bottom-start' }}
        />
      )}
    </div>
  )
})

interface BaseFieldProps {
  readonly view: View
  readonly change: ChangeAddress
}

/** The period that equals 100, and why the lines are rebased even though nobody asked for it. */
export function BaseField({ view, change }: BaseFieldProps) {
  const { history } = view.lines[0]!
  const label =
    view.baseDay === null ? '' : (history.labels[labelPlaceAt(history, view.baseDay)] ?? formatDay(view.baseDay))
  const [typed, setTyped] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new base replaces what was typed.
  useEffect(() => setTyped(null), [label])
  if (view.mode !== 'rebased') return null
  const settle = () => {
    if (typed === null) return
    change({ base: typed.trim() === '' ? undefined : typed.trim() })
    setTyped(null)
  }
  const lacking = view.lines.filter(({ reading }) => reading.base < 0)
  return (
    <>
      <div className={`${classes.tools} no-print`}>
        <span className={classes.base}>
          <label htmlFor="base-period">100 is</label>
          <TextInput
            id="base-period"
            size="xs"
            value={typed ?? label}
            error={view.baseTrouble !== null}
            onChange={event => setTyped(event.currentTarget.value)}
            onBlur={settle}
            onKeyDown={event => event.key === 'Enter' && settle()}
          />
        </span>
        {view.isForced && <span className="soft">Rebased because the units differ: levels cannot share one axis.</span>}
      </div>
      {view.baseTrouble !== null && (
        <p className={classes.say} data-kind="problem" role="alert">
          {view.baseTrouble}
        </p>
      )}
      {view.baseDay !== null && lacking.length > 0 && (
        <p className={classes.say}>
          {lacking.map(({ name }) => name).join('; ')}: no value for {label}, so it is not drawn.
        </p>
      )}
    </>
  )
}
