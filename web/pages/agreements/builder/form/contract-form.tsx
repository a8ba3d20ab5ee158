// Contract in the form: its name, its calendar, its price and its signers.
import { TextInput } from '@mantine/core'
import { contractKeys, frequencyWords, statusKey } from '../../../../../src/core/formula/check/document-keys.ts'
import { slugOf } from '../../../../../src/core/text/slug.ts'
import { sentenceCase } from '../../../../components/words/words.ts'
import classes from '../builder.module.css'
import { useBuilder } from '../builder-state.tsx'
import { hasAt, knownKeys, rawAt, setAll, textAt } from '../document/document.ts'
import { readFrequency, writeFrequency } from '../document/shapes.ts'
import {
  formatBillingInWords,
  formatCalendarInWords,
  formatChangeInWords,
  formatPartiesInWords,
  formatPriceInWords,
} from './contract-sentences.ts'
import { CorrectionsLine } from './corrections-line.tsx'
import { ChoiceBox, ChoiceField, DayField, NumberField, ProseField, TextField, useNotes, useTyped } from './fields.tsx'
import { Line, NotesAt, NotesElse } from './line.tsx'
import { ListField } from './list-field.tsx'
import { PartyFields } from './party-fields.tsx'
import { RoundingField } from './rounding-field.tsx'
import { SpecField } from './spec-field.tsx'

const calendarKeys = ['start', 'end', 'frequency', 'dates', 'firstAdjustment']
const billingKeys = ['references', 'priceDate', 'prorate']
const specOf = (key: string) => contractKeys.find(({ path }) => path === `contract.${key}`)!

export function ContractForm() {
  const { document, parties } = useBuilder()
  const { root } = document
  return (
    <section className={classes.part} aria-labelledby="part-contract">
      <h2 id="part-contract" className={classes.partHead}>
        Contract
      </h2>
      <NotesElse place="contract" keys={knownKeys(['contract'])} />
      <NameLine />
      <Line
        place="contract"
        places={[...calendarKeys.map(key => `contract.${key}`), 'effectiveFrom']}
        sentence={formatCalendarInWords(root)}
      >
        <CalendarFields />
      </Line>
      <Line place="contract.price" places={['contract.price', 'contract.restart']} sentence={formatPriceInWords(root)}>
        <PriceFields />
      </Line>
      <Line
        place="parties"
        places={['parties', 'contract.change']}
        sentence={`${formatPartiesInWords(root, parties.nameOf)} ${formatChangeInWords(root)}`.trim()}
      >
        <PartyFields />
        <SpecField spec={specOf('change')} />
      </Line>
      <Line
        place="contract.references"
        places={billingKeys.map(key => `contract.${key}`)}
        sentence={formatBillingInWords(root)}
      >
        <BillingFields />
      </Line>
      <CorrectionsLine />
    </section>
  )
}

const statuses = statusKey.value.choices.map(({ value }) => [value, value.toLowerCase()] as const)

function NameLine() {
  const { document, change, isNew } = useBuilder()
  const { root } = document
  const [name, slug, status] = ['name', 'slug', 'status'].map(key => textAt(root, [key])) as [string, string, string]
  /** The slug follows the name until somebody edits it. */
  const rename = (typed: string) => {
    const follows = isNew && (slug === '' || slug === slugOf(name))
    change(text =>
      setAll(text, [
        [['name'], typed === '' ? null : typed],
        ...(follows ? [[['slug'], slugOf(typed) === '' ? null : slugOf(typed)] as const] : []),
      ]),
    )
  }
  const state = statuses.find(([value]) => value === (status === '' ? 'DRAFT' : status))?.[1] ?? status
  return (
    <Line
      place="name"
      places={['slug', 'name', 'description', 'status']}
      sentence={
        <>
          <strong>{name === '' ? 'No name yet' : name}</strong>
          <span className={classes.under}>
            <span className="mono">{slug === '' ? 'no slug yet' : slug}</span>, {state}
          </span>
        </>
      }
    >
      <div className={classes.grid}>
        <div className={classes.wide}>
          <TextField path={['name']} label="Name" onCommit={rename} />
        </div>
        <TextField
          path={['slug']}
          label="Slug"
          isMono
          isReadOnly={!isNew}
          hint={isNew ? 'Its address; it cannot be changed later' : 'Its address; it cannot be changed'}
        />
        <ChoiceField path={['status']} label="Status" choices={statuses} otherwise="DRAFT" isWritten />
        <div className={classes.wide}>
          <ProseField path={['description']} label="Description" />
        </div>
      </div>
    </Line>
  )
}

const frequencies = [
  ...Object.entries(frequencyWords),
  ['weeks', 'every few weeks'],
  ['months', 'every few months'],
  ['DATES', 'on listed dates'],
] as const

function CalendarFields() {
  const { document, set, change } = useBuilder()
  const path = ['contract', 'frequency']
  const shape = readFrequency(rawAt(document.root, path))
  const isDates = hasAt(document.root, ['contract', 'dates'])
  const isEvery = shape.kind === 'weeks' || shape.kind === 'months'
  const count = useTyped(shape.count, text => set(path, writeFrequency({ kind: shape.kind, count: text.trim() })))
  const choose = (kind: string) => {
    const isChosen = kind === 'DATES'
    const every = kind === 'months' ? '4' : kind === 'weeks' ? '2' : ''
    change(text =>
      setAll(text, [
        [['contract', 'dates'], isChosen ? [] : null],
        [path, isChosen ? null : writeFrequency({ kind, count: every })],
        ...(isChosen ? [[['contract', 'firstAdjustment'], null] as const] : []),
      ]),
    )
  }
  return (
    <div className={classes.grid}>
      <DayField path={['contract', 'start']} label="Start" placeholder="2024-01-31" />
      <DayField path={['contract', 'end']} label="End" placeholder="open" />
      <ChoiceBox
        {...useNotes(path)}
        label="Adjusted"
        value={isDates && shape.kind === '' ? 'DATES' : shape.kind}
        onValue={choose}
        choices={frequencies}
      />
      {isEvery && (
        <TextInput
          size="xs"
          label={sentenceCase(shape.kind)}
          value={count.value}
          onChange={event => count.onChange(event.currentTarget.value)}
          onBlur={count.onBlur}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
      {isDates ? (
        <div className={classes.wide}>
          <ListField
            path={['contract', 'dates']}
            label="Adjustment dates"
            placeholder="2024-02-10"
            hint="In order, each written as 2024-02-10"
            splitAt={[',', ';', ' ']}
            write={list => list.toSorted()}
          />
        </div>
      ) : (
        <DayField
          path={['contract', 'firstAdjustment']}
          label="First adjustment"
          placeholder={shape.kind === 'ONCE' ? '2024-01-31' : 'one period after the start'}
        />
      )}
      <DayField
        path={['effectiveFrom']}
        label="This version governs from"
        placeholder="the start"
        hint="Earlier adjustment dates stay with the previous version"
      />
    </div>
  )
}

function PriceFields() {
  const { document, set, isNew } = useBuilder()
  const hasPrice = hasAt(document.root, ['contract', 'price'])
  if (!hasPrice)
    return (
      <button
        type="button"
        className={classes.textButton}
        onClick={() => set(['contract', 'price'], { amount: '100.00', currency: 'EUR', round: { dp: '2' } })}
      >
        Add a price
      </button>
    )
  return (
    <>
      <NotesAt places={['contract.price']} />
      <div className={classes.grid}>
        <NumberField path={['contract', 'price', 'amount']} label="Amount at the start" />
        <TextField path={['contract', 'price', 'currency']} label="Currency" placeholder="EUR" />
        <TextField path={['contract', 'price', 'unit']} label="Unit" placeholder="piece, tonne, month" />
        <div className={classes.wide}>
          <RoundingField path={['contract', 'price', 'round']} label="The price is" />
        </div>
        {(!isNew || hasAt(document.root, ['contract', 'restart'])) && (
          <div className={classes.wide}>
            <SpecField spec={specOf('restart')} />
          </div>
        )}
      </div>
      <button type="button" className={classes.textButton} onClick={() => set(['contract', 'price'], null)}>
        Without a price
      </button>
    </>
  )
}

/** Fields by which invoices find the price. None of them affects an adjustment. */
function BillingFields() {
  return (
    <div className={classes.grid}>
      <div className={classes.wide}>
        <ListField
          path={['contract', 'references']}
          label={specOf('references').label}
          placeholder="FA-2024-17"
          hint={specOf('references').help}
          splitAt={[',', ';']}
        />
      </div>
      <SpecField spec={specOf('priceDate')} />
      <SpecField spec={specOf('prorate')} />
    </div>
  )
}
