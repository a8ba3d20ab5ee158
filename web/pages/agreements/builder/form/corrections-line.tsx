// Line about settled prices when the figures behind them are revised.
import { correctionsKeys, settleWords } from '../../../../../src/core/formula/check/document-keys.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { hasAt, rawAt, textAt } from '../document/document.ts'
import { readSettle, writeSettle } from '../document/shapes.ts'
import { formatCorrectionsInWords } from './contract-sentences.ts'
import { ChoiceBox, TextField, useNotes } from './fields.tsx'
import { Line, NotesAt } from './line.tsx'
import { SpecField } from './spec-field.tsx'

const specOf = (key: string) => correctionsKeys.find(({ path }) => path === `corrections.${key}`)!

export function CorrectionsLine() {
  const { document } = useBuilder()
  return (
    <Line place="corrections" sentence={formatCorrectionsInWords(document.root)}>
      <CorrectionFields />
    </Line>
  )
}

function CorrectionFields() {
  const { document, set } = useBuilder()
  const corrections = rawAt(document.root, ['corrections'])
  if (corrections === undefined || corrections === null)
    return (
      <button type="button" className={classes.textButton} onClick={() => set(['corrections'], { when: 'FINAL' })}>
        Add a rule for revised figures
      </button>
    )
  const toggle = (key: string, begun: Readonly<Record<string, string>>) =>
    set(['corrections', key], hasAt(corrections, [key]) ? null : begun)
  return (
    <>
      <NotesAt places={['corrections', 'corrections.min', 'corrections.within']} />
      <div className={classes.grid}>
        <SpecField spec={specOf('when')} />
        {(textAt(corrections, ['when']) === 'YEARLY' || hasAt(corrections, ['day'])) && (
          <TextField
            path={['corrections', 'day']}
            label="Each year on"
            placeholder="03-31"
            hint={specOf('day').help}
            isMono
          />
        )}
        <SpecField spec={specOf('level')} />
        <SettleField />
        {hasAt(corrections, ['settle', 'spread']) && <SpecField spec={specOf('settle.spread')} />}
      </div>
      {hasAt(corrections, ['min']) && (
        <div className={classes.grid}>
          <SpecField spec={specOf('min.amount')} label="Smallest correction" />
          <SpecField spec={specOf('min.below')} />
        </div>
      )}
      {hasAt(corrections, ['within']) && (
        <div className={classes.grid}>
          <SpecField spec={specOf('within.months')} label="Lapses after (months)" />
          <SpecField spec={specOf('within.of')} />
        </div>
      )}
      <div className={classes.row}>
        <button
          type="button"
          className={classes.textButton}
          onClick={() => toggle('min', { amount: '100', below: 'KEEP' })}
        >
          {hasAt(corrections, ['min']) ? 'However small' : 'Only above an amount'}
        </button>
        <button
          type="button"
          className={classes.textButton}
          onClick={() => toggle('within', { months: '12', of: 'PERIOD' })}
        >
          {hasAt(corrections, ['within']) ? 'Without a time limit' : 'Only within a time limit'}
        </button>
        <button type="button" className={classes.textButton} onClick={() => set(['corrections'], null)}>
          Remove the rules on corrections
        </button>
      </div>
    </>
  )
}

function SettleField() {
  const { document, set } = useBuilder()
  const path = ['corrections', 'settle']
  const kind = readSettle(rawAt(document.root, path))
  const notes = useNotes(path, undefined, false)
  return (
    <ChoiceBox
      {...notes}
      label={specOf('settle').label}
      value={kind === '' ? 'NOTE' : kind}
      onValue={chosen => set(path, writeSettle(chosen === 'NOTE' ? '' : chosen))}
      choices={[...Object.entries(settleWords), ['SPREAD', 'the next adjustments, in equal parts']]}
    />
  )
}
