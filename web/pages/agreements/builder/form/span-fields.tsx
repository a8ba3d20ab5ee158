// Lengths of time in the form: a lag before or after the adjustment date, and the window that is read.
import { Input, NativeSelect } from '@mantine/core'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { type Path, rawAt } from '../document/document.ts'
import {
  beginWindow,
  type LagShape,
  readLag,
  readSpan,
  readWindow,
  spanUnits,
  writeLag,
  writeSpan,
} from '../document/shapes.ts'
import { Beside, ChoiceBox, type Choices, type FieldProps, NumberField, useNotes, useTyped } from './fields.tsx'

interface CountProps {
  readonly id: string
  readonly isWrong: boolean
  readonly count: string
  readonly onCount: (count: string) => void
}

function CountBox({ id, isWrong, count, onCount }: CountProps) {
  const typed = useTyped(count, text => onCount(text.trim()))
  return (
    <Input
      id={id}
      size="xs"
      error={isWrong}
      classNames={{ input: classes.figures ?? '' }}
      value={typed.value}
      onChange={event => typed.onChange(event.currentTarget.value)}
      onBlur={typed.onBlur}
      inputMode="numeric"
      autoComplete="off"
    />
  )
}

function UnitBox({
  label,
  unit,
  onUnit,
}: {
  readonly label: string
  readonly unit: string
  readonly onUnit: (unit: string) => void
}) {
  return (
    <NativeSelect
      size="xs"
      aria-label={`${label}, unit`}
      data={spanUnits.map(each => ({ value: each, label: `${each}s` }))}
      value={unit}
      onChange={event => onUnit(event.currentTarget.value)}
    />
  )
}

/** A number of days, weeks, months, quarters or years before or after the adjustment date. */
export function LagField({ path, label, hint }: FieldProps) {
  const { document, set } = useBuilder()
  const shape = readLag(rawAt(document.root, path))
  const notes = useNotes(path, hint)
  const put = (next: Partial<LagShape>) => set(path, writeLag({ ...shape, ...next }))
  const begun = shape.count === '' ? '0' : shape.count
  return (
    <Beside label={label} notes={notes} className={classes.lag}>
      <NativeSelect
        size="xs"
        aria-label={`${label}, before or after`}
        data={[
          { value: 'before', label: 'before' },
          { value: 'after', label: 'after' },
        ]}
        value={shape.isAfter ? 'after' : 'before'}
        onChange={event => {
          const isAfter = event.currentTarget.value === 'after'
          put({ isAfter, count: begun === '0' && isAfter ? '1' : begun })
        }}
      />
      <CountBox
        id={notes.id}
        isWrong={notes.error !== undefined}
        count={shape.count}
        onCount={count => put({ count })}
      />
      <UnitBox label={label} unit={shape.unit} onUnit={unit => put({ unit, count: begun })} />
    </Beside>
  )
}

/** A number of days, weeks, months, quarters or years. */
export function SpanField({ path, label, hint }: FieldProps) {
  const { document, set } = useBuilder()
  const span = readSpan(rawAt(document.root, path))
  const notes = useNotes(path, hint)
  const put = (next: Partial<typeof span>) => set(path, writeSpan({ ...span, ...next }))
  return (
    <Beside label={label} notes={notes} className={classes.pair}>
      <CountBox
        id={notes.id}
        isWrong={notes.error !== undefined}
        count={span.count}
        onCount={count => put({ count: count === '' ? '0' : count })}
      />
      <UnitBox label={label} unit={span.unit} onUnit={unit => put({ unit })} />
    </Beside>
  )
}

const windowKinds: Choices = [
  ['SPAN', 'a length of time'],
  ['LAST', 'the newest observations'],
  ['DAYS', 'from a day of the month to another'],
]

/** Window that is read: a length of time, the newest observations, or days of the month. */
export function WindowField({
  path,
  label,
  otherwise,
}: {
  readonly path: Path
  readonly label: string
  /** The default, in words. */
  readonly otherwise: string
}) {
  const { document, set } = useBuilder()
  const { kind, span } = readWindow(rawAt(document.root, path))
  const notes = useNotes(path, undefined, kind === 'SPAN' || kind === 'OTHER')
  const choices: Choices = [
    ['LEFT_OUT', otherwise],
    ...windowKinds,
    ...(kind === 'OTHER' ? [['OTHER', 'as written in YAML'] as const] : []),
  ]
  const least = (
    <NumberField
      path={[...path, 'least']}
      label="Missing with fewer than"
      placeholder="1"
      hint="The minimum number of observations"
    />
  )
  return (
    <>
      <div className={kind === 'LAST' || kind === 'DAYS' ? classes.wide : ''}>
        <ChoiceBox
          {...notes}
          label={label}
          value={kind}
          onValue={chosen => set(path, beginWindow(chosen))}
          choices={choices}
        />
      </div>
      {kind === 'SPAN' && (
        <Beside
          label="Its length"
          notes={{ id: `${notes.id}-length`, error: undefined, description: undefined }}
          className={classes.pair}
        >
          <CountBox
            id={`${notes.id}-length`}
            isWrong={notes.error !== undefined}
            count={span.count}
            onCount={count => set(path, writeSpan({ ...span, count: count === '' ? '0' : count }))}
          />
          <UnitBox label="Its length" unit={span.unit} onUnit={unit => set(path, writeSpan({ ...span, unit }))} />
        </Beside>
      )}
      {kind === 'LAST' && (
        <>
          <NumberField path={[...path, 'last']} label="How many" hint="Up to the lagged day" />
          {least}
        </>
      )}
      {kind === 'DAYS' && (
        <>
          <NumberField
            path={[...path, 'from']}
            label="From day"
            hint="In the month before if it is later than the last day"
          />
          <NumberField path={[...path, 'to']} label="To day" hint="Of the month that holds the lagged day" />
          {least}
        </>
      )}
    </>
  )
}
