// The contract in the form: what it is called, its calendar, its price and who signs.
import { TagsInput, TextInput } from '@mantine/core'
import type { PamStatus } from '../../../src/http/console/wire/formulas.ts'
import { sentenceCase } from '../../components/words.ts'
import classes from './builder.module.css'
import { useBuilder } from './builder-state.tsx'
import { hasAt, knownKeys, rawAt, setAll, textAt } from './document.ts'
import {
  ChoiceBox,
  ChoiceField,
  NumberField,
  ProseField,
  RoundingField,
  TextField,
  useNotes,
  useTyped,
} from './fields.tsx'
import { Line, NotesAt, NotesElse } from './line.tsx'
import { sayCalendar, sayParties, sayPrice } from './sentences.ts'
import { namedFrequencies, readEmails, readFrequency, writeFrequency } from './shapes.ts'
import { slugOf } from './slug.ts'

export function ContractForm() {
  const { document } = useBuilder()
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
        places={['contract.start', 'contract.end', 'contract.frequency', 'contract.firstAdjustment', 'effectiveFrom']}
        sentence={sayCalendar(root)}
      >
        <CalendarFields />
      </Line>
      <Line place="contract.price" sentence={sayPrice(root)}>
        <PriceFields />
      </Line>
      <Line place="parties" sentence={sayParties(root)}>
        <PartyFields />
      </Line>
    </section>
  )
}

const statuses: readonly (readonly [PamStatus, string])[] = [
  ['DRAFT', 'draft'],
  ['ACTIVE', 'active'],
  ['SUSPENDED', 'suspended'],
  ['EXPIRED', 'expired'],
  ['ARCHIVED', 'archived'],
]

function NameLine() {
  const { document, change, isNew } = useBuilder()
  const { root } = document
  const [name, slug, status] = ['name', 'slug', 'status'].map(key => textAt(root, [key])) as [string, string, string]
  /** The slug goes along with the name until somebody writes one of their own. */
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
          hint={isNew ? 'Its address, for ever' : 'Its address; it stays'}
        />
        <ChoiceField path={['status']} label="Status" choices={statuses} otherwise="DRAFT" isWritten />
        <div className={classes.wide}>
          <ProseField path={['description']} label="Description" />
        </div>
      </div>
    </Line>
  )
}

const frequencyWords: Readonly<Record<string, string>> = {
  MONTHLY: 'every month',
  QUARTERLY: 'every quarter',
  SEMIANNUAL: 'every half-year',
  ANNUAL: 'every year',
  ONCE: 'once',
}

function CalendarFields() {
  const { document, set } = useBuilder()
  const path = ['contract', 'frequency']
  const shape = readFrequency(rawAt(document.root, path))
  const months = useTyped(shape.months, text => set(path, writeFrequency({ kind: 'MONTHS', months: text.trim() })))
  const choose = (kind: string) => set(path, writeFrequency({ kind, months: kind === 'MONTHS' ? '4' : '' }))
  return (
    <div className={classes.grid}>
      <TextField path={['contract', 'start']} label="Start" placeholder="2024-01-31" isMono />
      <TextField path={['contract', 'end']} label="End" placeholder="open" isMono />
      <ChoiceBox
        {...useNotes(path)}
        label="Adjusted"
        value={shape.kind}
        onValue={choose}
        choices={[
          ...namedFrequencies.map(each => [each, frequencyWords[each]!] as const),
          ['MONTHS', 'every so many months'],
        ]}
      />
      {shape.kind === 'MONTHS' && (
        <TextInput
          size="xs"
          label="Months"
          value={months.value}
          onChange={event => months.onChange(event.currentTarget.value)}
          onBlur={months.onBlur}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
      <TextField
        path={['contract', 'firstAdjustment']}
        label="First adjustment"
        placeholder={shape.kind === 'ONCE' ? '2024-01-31' : 'one period after the start'}
        isMono
      />
      <TextField
        path={['effectiveFrom']}
        label="This version governs from"
        placeholder="the start"
        hint="Adjustment dates before stay with the version before"
        isMono
      />
    </div>
  )
}

function PriceFields() {
  const { document, set } = useBuilder()
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
      </div>
      <button type="button" className={classes.textButton} onClick={() => set(['contract', 'price'], null)}>
        Without a price
      </button>
    </>
  )
}

function PartyFields() {
  return (
    <div className={classes.stack}>
      <NotesAt places={['parties']} />
      <PartyField party="buyer" />
      <PartyField party="supplier" />
    </div>
  )
}

const emptyWords = {
  buyer: 'Empty: every member who is a buyer signs',
  supplier: 'Empty: nobody can sign for the supplier',
} as const

function PartyField({ party }: { readonly party: 'buyer' | 'supplier' }) {
  const { document, set } = useBuilder()
  const path = ['parties', party]
  const emails = readEmails(rawAt(document.root, path))
  return (
    <TagsInput
      {...useNotes(path, emails === null ? emptyWords[party] : undefined)}
      size="xs"
      label={`Signs for the ${party}`}
      placeholder={emails === null || emails.length === 0 ? `${sentenceCase(party)}’s e-mail addresses` : ''}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      splitChars={[',', ';', ' ']}
      acceptValueOnBlur
      value={emails === null ? [] : [...emails]}
      onChange={list => set(path, list.length === 0 ? null : list)}
    />
  )
}
