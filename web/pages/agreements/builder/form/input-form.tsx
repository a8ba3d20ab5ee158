// Inputs in the form: each a sentence that opens to show how its series is read, with the sum of the weights below.
import { Button, Input, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useState } from 'react'
import { formatCarried } from '../../../../../src/core/numbers/ratio.ts'
import { State } from '../../../../components/figures/figures.tsx'
import { readTypedPeriod } from '../../../../components/inputs/typed-dates.ts'
import { IconPlus } from '../../../../components/page/icons.tsx'
import { formatFigure } from '../../../../components/words/words.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { hasAt, keysAt, knownKeys, rawAt, renameAt, setAt, textAt } from '../document/document.ts'
import { type BaseShape, readBase, writeBase } from '../document/shapes.ts'
import { freeName, renameInSteps } from '../document/steps.ts'
import { shownShare, sumWeights } from '../document/weights.ts'
import { Beside, ShareField, useNotes, useTyped } from './fields.tsx'
import { InputMore } from './input-more.tsx'
import { Line, NotesAt, NotesElse } from './line.tsx'
import { formatReadingInWords, formatShareInWords } from './sentences.ts'
import { SeriesBox, SeriesField } from './series-field.tsx'
import { inputFor, inputNameFor } from './series-search.ts'
import { LagField } from './span-fields.tsx'

export function InputsForm() {
  const { document, unit, setUnit } = useBuilder()
  const { root } = document
  const names = keysAt(root, ['inputs'])
  const hasClause = hasAt(root, ['clause'])
  return (
    <section className={classes.part} aria-labelledby="part-inputs">
      <h2 id="part-inputs" className={classes.partHead}>
        <span>Inputs</span>
        <SegmentedControl
          size="xs"
          aria-label="Weights are shown"
          value={unit}
          onChange={value => setUnit(value === 'fraction' ? 'fraction' : 'percent')}
          data={[
            { value: 'percent', label: '%' },
            { value: 'fraction', label: '0.00' },
          ]}
        />
      </h2>
      <NotesAt places={['inputs']} />
      {names.length === 0 && <p className={classes.quiet}>No series is read yet.</p>}
      {names.map(name => (
        <InputLine key={name} name={name} />
      ))}
      <AddInput />
      {hasClause && <WeightSumLine />}
    </section>
  )
}

function InputLine({ name }: { readonly name: string }) {
  const { document, series } = useBuilder()
  const input = rawAt(document.root, ['inputs', name])
  const weight = textAt(input, ['weight'])
  const reference = textAt(input, ['series'])
  const row = series.find(reference)
  return (
    <Line
      place={`inputs.${name}`}
      sentence={
        <>
          {weight !== '' && <strong className="figures">{formatShareInWords(weight)}</strong>}
          {weight === '' ? '' : ' follows '}
          <strong>{name}</strong>
          {', '}
          {formatReadingInWords(input)}.
          <span className={classes.under}>
            {row === undefined ? '' : `${row.name} · `}
            <span className="mono">{reference === '' ? 'no series picked' : reference}</span>
            {row?.last != null && (
              <>
                {' · '}
                <span className="figures">{formatFigure(row.last.value)}</span> in {row.last.period}
              </>
            )}
          </span>
        </>
      }
    >
      <InputFields name={name} />
    </Line>
  )
}

function InputFields({ name }: { readonly name: string }) {
  const { set } = useBuilder()
  const path = ['inputs', name]
  return (
    <>
      <NotesElse place={`inputs.${name}`} keys={knownKeys(path)} />
      <div className={classes.grid}>
        <div className={classes.wide}>
          <SeriesField path={[...path, 'series']} label="Series" />
        </div>
        <InputName name={name} />
        <ShareField path={[...path, 'weight']} label="Weight" hint="A share, or the name of a param" />
        <div className={classes.wide}>
          <BaseField name={name} />
        </div>
        <LagField path={[...path, 'lag']} label="Lag" hint="Before or after the adjustment date" />
      </div>
      <InputMore name={name} />
      <button type="button" className={classes.textButton} onClick={() => set(path, null)}>
        Remove {name}
      </button>
    </>
  )
}

/** The name is a key of the document: it is applied when the field loses focus, and the steps are updated. */
function InputName({ name }: { readonly name: string }) {
  const { document, change, toggle } = useBuilder()
  const taken = keysAt(document.root, ['inputs'])
  const rename = (typed: string) => {
    const next = typed.trim()
    if (next === '' || next === name || taken.includes(next)) return
    change(text => renameInSteps(renameAt(text, ['inputs', name], next), name, next))
    toggle(`inputs.${next}`)
  }
  return <NameBox name={name} label="Name in the formula" onName={rename} taken={taken} />
}

function NameBox({
  name,
  label,
  onName,
  taken,
}: {
  readonly name: string
  readonly label: string
  readonly onName: (name: string) => void
  readonly taken: readonly string[]
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const isTaken = typed !== null && typed.trim() !== name && taken.includes(typed.trim())
  return (
    <TextInput
      size="xs"
      label={label}
      classNames={{ input: classes.mono ?? '' }}
      value={typed ?? name}
      error={isTaken ? `“${typed.trim()}” is taken` : undefined}
      onChange={event => setTyped(event.currentTarget.value)}
      onBlur={() => {
        if (typed !== null) onName(typed)
        setTyped(null)
      }}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur()
      }}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

function BaseField({ name }: { readonly name: string }) {
  const { document, set } = useBuilder()
  const path = ['inputs', name, 'base']
  const shape = readBase(rawAt(document.root, path))
  const put = (next: BaseShape) => set(path, writeBase(next))
  const typed = useTyped(shape.text, text =>
    put({ ...shape, text: shape.kind === 'PERIOD' ? readTypedPeriod(text) : text.trim() }),
  )
  const notes = useNotes(
    path,
    shape.kind === 'PERIOD' ? 'Such as Dec 2023, 2023-Q4 or 2023-10..2023-12' : 'Taken as it is, not converted',
  )
  return (
    <Beside label="Compared with" notes={notes} className={classes.pair}>
      <NativeSelect
        size="xs"
        aria-label="Compared with a period or a figure"
        data={[
          { value: 'PERIOD', label: 'the value of' },
          { value: 'VALUE', label: 'the figure' },
        ]}
        value={shape.kind}
        onChange={event => put({ kind: event.currentTarget.value === 'VALUE' ? 'VALUE' : 'PERIOD', text: shape.text })}
      />
      <Input
        id={notes.id}
        size="xs"
        error={notes.error !== undefined}
        classNames={{ input: classes.figures ?? '' }}
        value={typed.value}
        onChange={event => typed.onChange(event.currentTarget.value)}
        onBlur={typed.onBlur}
        spellCheck={false}
        autoComplete="off"
      />
    </Beside>
  )
}

/** A series is searched for first; the new input then starts with settings that suit it. */
function AddInput() {
  const { document, series, change, toggle } = useBuilder()
  const [isSearching, setSearching] = useState(false)
  const { root } = document
  const names = keysAt(root, ['inputs'])
  const add = (reference: string) => {
    setSearching(false)
    if (reference === '') return
    const row = series.find(reference)
    const weight = hasAt(root, ['clause']) ? '0' : null
    const name = row === undefined ? freeName(names, 'input') : inputNameFor(row, names)
    const start = textAt(root, ['contract', 'start'])
    const bare = { series: reference, ...(weight === null ? {} : { weight }) }
    change(text => setAt(text, ['inputs', name], row === undefined ? bare : inputFor(row, start, weight)))
    toggle(`inputs.${name}`)
  }
  if (!isSearching)
    return (
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconPlus />}
        onClick={() => setSearching(true)}
        className={classes.add ?? ''}
      >
        Add an input
      </Button>
    )
  return (
    <div className={classes.adding}>
      <SeriesBox id="new-input" label="Series of the new input" written="" onReference={add} isBegun />
      <button type="button" className={classes.textButton} onClick={() => setSearching(false)}>
        Cancel
      </button>
    </div>
  )
}

/** `85 % + 15 % fixed = 100 %`, exact, updated during typing. */
function WeightSumLine() {
  const { document, set, unit } = useBuilder()
  const { weights, fixed, total, isWhole, rest, unread, isDated } = sumWeights(document.root)
  const show = (text: string) => (unit === 'percent' ? `${shownShare(text, 'percent')}\u202f%` : text)
  const fixedText = textAt(document.root, ['clause', 'fixed'])
  if (isDated)
    return (
      <div className={classes.sum} aria-live="polite">
        The weights change with dates; together with the fixed share they must add up to {show('1')} on each date.
      </div>
    )
  return (
    <div className={classes.sum} aria-live="polite">
      <span className="figures">
        Weights {show(formatCarried(weights))}
        {' + fixed '}
        {fixed === null ? fixedText : show(formatCarried(fixed))}
        {total === null ? '' : ` = ${show(formatCarried(total))}`}
      </span>
      {isWhole && unread.length === 0 && <State kind="good">adds up</State>}
      {total !== null && !isWhole && <State kind="trouble">not {show('1')}</State>}
      {!isWhole && rest !== null && unread.length === 0 && (
        <button
          type="button"
          className={classes.textButton}
          onClick={() => set(['clause', 'fixed'], rest === '0' ? null : rest)}
        >
          Make the fixed share {show(rest)}
        </button>
      )}
    </div>
  )
}
