// The less common ways to read a series: windows, vintages, missing values, conversion, other bases, rounding.
import { inputKeys } from '../../../../../src/core/formula/check/input-keys.ts'
import { IconCross } from '../../../../components/page/icons.tsx'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { addTo, hasAt, keysAt, knownKeys, listAt, type Path, rawAt, textAt } from '../document/document.ts'
import { type MissingKind, type MissingShape, readMissing, writeMissing } from '../document/shapes.ts'
import { nameOf } from '../editor/vocabulary.ts'
import { isAtOrUnder } from '../problems.ts'
import { AddRow } from './add-row.tsx'
import { ChoiceBox, NumberField, TextField, useNotes } from './fields.tsx'
import { More } from './line.tsx'
import { RoundingField } from './rounding-field.tsx'
import { SeriesField } from './series-field.tsx'
import { LagField, SpanField, WindowField } from './span-fields.tsx'
import { SpecField } from './spec-field.tsx'
import { SuccessorFields } from './successor-fields.tsx'

const commonKeys = ['series', 'weight', 'base', 'lag']
const specOf = (key: string) => inputKeys.find(({ path }) => path === `inputs.*.${key}`)!

/** Choices that only make sense for series of certain frequencies. */
const frequenciesOf: Readonly<Record<string, readonly string[]>> = {
  expand: ['QUARTERLY', 'SEMIANNUAL', 'ANNUAL'],
  week: ['WEEKLY'],
}
/** The default if the key is left out, where that is not one of the choices. */
const leftOut: Readonly<Record<string, string>> = { week: 'as its provider defines it, otherwise Monday' }

const choiceKeys = inputKeys
  .filter(({ path, value }) => value.kind === 'choice' && path.split('.').length === 3)
  .map(nameOf)

export function InputMore({ name }: { readonly name: string }) {
  const { document, problems, warnings, series } = useBuilder()
  const path = ['inputs', name]
  const input = rawAt(document.root, path)
  const rareKeys = knownKeys(path).filter(key => !commonKeys.includes(key))
  const hasProblems = [...problems, ...warnings].some(({ path: at }) =>
    rareKeys.some(key => isAtOrUnder(at, `inputs.${name}.${key}`)),
  )
  const row = series.find(textAt(input, ['series']))
  const isAsked = (key: string) =>
    hasAt(input, [key]) || row === undefined || (frequenciesOf[key]?.includes(row.frequency) ?? true)
  return (
    <More label="More about reading it" isNeeded={hasProblems || rareKeys.some(key => hasAt(input, [key]))}>
      <div className={classes.grid}>
        <WindowField path={[...path, 'window']} label="Over" otherwise="one period of the series" />
        {choiceKeys.filter(isAsked).map(key => {
          const words = leftOut[key]
          return (
            <SpecField
              key={key}
              spec={specOf(key)}
              path={[...path, key]}
              {...(words === undefined ? {} : { otherwise: words })}
            />
          )
        })}
        <div className={classes.wide}>
          <RoundingField path={[...path, 'round']} label="The reading is" />
        </div>
      </div>
      <MissingFields path={[...path, 'missing']} />
      <ConvertFields path={[...path, 'convert']} />
      <LinkFields path={[...path, 'links']} />
      <SuccessorFields path={[...path, 'successor']} />
    </More>
  )
}

const missingChoices: readonly (readonly [MissingKind, string])[] = [
  ['BLOCK', 'block the adjustment'],
  ['LAST_KNOWN', 'take the last known value'],
  ['YOY_ESTIMATE', 'estimate from the year before'],
  ['TREND', 'go on with the trend'],
  ['FALLBACK', 'take another series'],
  ['AGREED', 'take values we agreed on'],
]

/** The trend rule of the U.S. Treasury for a CPI that is not published. */
const usualTrend = { over: '12 months', dp: '3' }

function MissingFields({ path }: { readonly path: Path }) {
  const { document, set } = useBuilder()
  const shape = readMissing(rawAt(document.root, path))
  const put = (next: MissingShape) => set(path, writeMissing(next))
  const notes = useNotes(path, undefined, shape.kind === 'OTHER')
  const choose = (kind: string) => {
    const chosen = missingChoices.find(([each]) => each === kind)?.[0] ?? 'BLOCK'
    put({ ...shape, kind: chosen, capPct: chosen === 'YOY_ESTIMATE' ? '2' : '', trend: usualTrend })
  }
  return (
    <div className={classes.group}>
      <ChoiceBox
        {...notes}
        label="If a value is missing"
        value={shape.kind}
        onValue={choose}
        choices={shape.kind === 'OTHER' ? [...missingChoices, ['OTHER', 'as written in YAML']] : missingChoices}
      />
      {shape.kind === 'YOY_ESTIMATE' && (
        <NumberField
          path={[...path, 'yoyEstimate', 'capPct']}
          label="Largest change from the month before"
          suffix="%"
        />
      )}
      {shape.kind === 'TREND' && (
        <div className={classes.grid}>
          <SpanField
            path={[...path, 'trend', 'over']}
            label={specOf('missing.trend.over').label}
            hint={specOf('missing.trend.over').help}
          />
          <NumberField
            path={[...path, 'trend', 'dp']}
            label={specOf('missing.trend.dp').label}
            hint={specOf('missing.trend.dp').help}
          />
        </div>
      )}
      {shape.kind === 'FALLBACK' && <SeriesField path={[...path, 'fallback']} label="The other series" />}
      {shape.kind === 'AGREED' && <AgreedFields path={[...path, 'agreed']} />}
    </div>
  )
}

function AgreedFields({ path }: { readonly path: Path }) {
  const { document, set } = useBuilder()
  return (
    <div className={classes.stack}>
      {keysAt(document.root, path).map(each => (
        <div key={each} className={classes.row}>
          <NumberField path={[...path, each]} label={each} />
          <RemoveButton label={`Remove the agreed value of ${each}`} onRemove={() => set([...path, each], null)} />
        </div>
      ))}
      <AddRow
        name={{ label: 'Period', placeholder: '2025-10' }}
        value={{ label: 'Agreed value', placeholder: '325.604' }}
        onAdd={(period, value) => set([...path, period], value)}
      />
    </div>
  )
}

export function RemoveButton({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <button
      type="button"
      className={`${classes.iconAct} ${classes.beside}`}
      aria-label={label}
      title={label}
      onClick={onRemove}
    >
      <IconCross />
    </button>
  )
}

function ConvertFields({ path }: { readonly path: Path }) {
  const { document, set } = useBuilder()
  const convert = rawAt(document.root, path)
  const hasFx = hasAt(convert, ['fx'])
  const hasScale = hasAt(convert, ['scale'])
  return (
    <div className={classes.group}>
      {hasFx && (
        <>
          <SeriesField path={[...path, 'fx']} label="Converted with the rate" />
          <div className={classes.grid}>
            <SpecField spec={specOf('convert.operation')} path={[...path, 'operation']} />
            <LagField path={[...path, 'lag']} label="The rate is read" hint="Empty: same as the input" />
            <WindowField path={[...path, 'window']} label="The rate over" otherwise="the input’s own window" />
            <SpecField spec={specOf('convert.using')} path={[...path, 'using']} otherwise="same as the input" />
          </div>
          <SpecField spec={specOf('convert.each')} path={[...path, 'each']} />
        </>
      )}
      {hasScale && <NumberField path={[...path, 'scale']} label="Times the constant" placeholder="0.45359237" />}
      <div className={classes.row}>
        <button
          type="button"
          className={classes.textButton}
          onClick={() =>
            hasFx
              ? set(path, hasScale ? { scale: textAt(convert, ['scale']) } : null)
              : set(path, {
                  fx: '',
                  operation: 'MULTIPLY',
                  ...(hasScale ? { scale: textAt(convert, ['scale']) } : {}),
                })
          }
        >
          {hasFx ? 'Without the exchange rate' : 'Convert with an exchange rate'}
        </button>
        <button
          type="button"
          className={classes.textButton}
          onClick={() => set([...path, 'scale'], hasScale ? null : '1')}
        >
          {hasScale ? 'Without the constant' : 'Scale by a constant'}
        </button>
      </div>
    </div>
  )
}

function LinkFields({ path }: { readonly path: Path }) {
  const { document, set, change } = useBuilder()
  const links = listAt(document.root, path)
  return (
    <div className={classes.group}>
      {links.map((_, i) => {
        const at = [...path, i]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a link is identified only by its position in the list.
          <div key={i} className={classes.stack}>
            <SeriesField path={[...at, 'series']} label={`Other base ${i + 1}`} />
            <div className={classes.grid}>
              <TextField path={[...at, 'from']} label="From" placeholder="2020-01" />
              <TextField path={[...at, 'until']} label="Until" placeholder="2015-12" />
              <NumberField path={[...at, 'coefficient']} label="Coefficient" placeholder="1.1276" />
              <div className={classes.wide}>
                <RoundingField path={[...at, 'round']} label="Rounding of the joined value" />
              </div>
            </div>
            <button type="button" className={classes.textButton} onClick={() => set(at, null)}>
              Remove this base
            </button>
          </div>
        )
      })}
      <button
        type="button"
        className={classes.textButton}
        onClick={() => change(text => addTo(text, path, { series: '', until: '', coefficient: '1' }))}
      >
        Join with another base of the index
      </button>
    </div>
  )
}
