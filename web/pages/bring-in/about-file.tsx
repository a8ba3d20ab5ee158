// Facts that a person gives about a file: its kind, its agreement, and values that it has no columns for.
import { NativeSelect, Select, TextInput } from '@mantine/core'
import { templates } from '../../../src/core/formula/many/templates.ts'
import { type ImportKind, kindColumns } from '../../../src/core/invoices/table-kinds.ts'
import { useSlugs } from '../../components/agreements/queries.ts'
import { formatFrequency, sentenceCase } from '../../components/words/words.ts'
import classes from '../series/series-upload/upload.module.css'
import { kindWords } from './kinds.ts'
import type { GivenColumns } from './said.ts'

interface KindChoiceProps {
  readonly kinds: readonly ImportKind[]
  /** Kind; null until it is recognised. */
  readonly kind: ImportKind | null
  readonly isRecognised: boolean
  readonly choose: (kind: ImportKind) => void
}

export function KindChoice({ kinds, kind, isRecognised, choose }: KindChoiceProps) {
  return (
    <NativeSelect
      className={classes.kind ?? ''}
      label="Kind of file"
      description={isRecognised ? 'Recognised from its columns; change it if that is wrong.' : undefined}
      value={kind ?? ''}
      onChange={event => choose(event.currentTarget.value as ImportKind)}
      data={[
        ...(kind === null ? [{ value: '', label: 'Recognised from its columns' }] : []),
        ...kinds.map(value => ({ value, label: kindWords[value].label })),
      ]}
    />
  )
}

export interface AboutProps {
  readonly given: GivenColumns
  readonly change: (given: GivenColumns) => void
}

type Put = (name: keyof GivenColumns) => (text: string | null) => void

/** The agreement of a price list, and from when it governs. */
export function PriceListFields({ given, change }: AboutProps) {
  const put: Put = name => text => change({ ...given, [name]: text ?? '' })
  return (
    <div className={classes.fields}>
      <AgreementChoice label="Agreement of the list" given={given} put={put} isRequired />
      <Field
        name="from"
        label="Governs from the period"
        placeholder="the first that nobody has signed"
        given={given}
        put={put}
      />
    </div>
  )
}

/** Template of many agreements, and whether they are in force at once. */
export function AgreementsFields({ given, change }: AboutProps) {
  const { data: slugs = [] } = useSlugs()
  return (
    <div className={classes.fields}>
      <Select
        label="Template of the clause"
        placeholder="Choose one"
        data={[
          { group: 'Agreements', items: [...slugs] },
          { group: 'Templates', items: templates.map(({ id, title }) => ({ value: id, label: title })) },
        ]}
        value={given.agreement === '' ? null : given.agreement}
        onChange={text => change({ ...given, agreement: text ?? '' })}
        limit={100}
        searchable
        nothingFoundMessage="No agreement and no template has this name"
      />
      <NativeSelect
        label="New agreements are"
        value={given.status}
        onChange={event => change({ ...given, status: event.currentTarget.value as GivenColumns['status'] })}
        data={[
          { value: '', label: 'drafts, not in force yet' },
          { value: 'ACTIVE', label: 'active, to be signed' },
        ]}
      />
    </div>
  )
}

interface WholeFileProps extends AboutProps {
  readonly kind: ImportKind
  /** Values that no column of the file has; undefined before it was read. */
  readonly lacks: readonly string[] | undefined
}

/** Fields for files from elsewhere: missing columns are entered here. */
export function WholeFileFields({ kind, lacks, given, change }: WholeFileProps) {
  const put: Put = name => text => change({ ...given, [name]: text ?? '' })
  const shared = { given, put }
  const asked = kind === 'observations' ? [] : (lacks ?? kindColumns[kind].givable)
  if (kind !== 'observations' && asked.length === 0) return null
  return (
    <details className={classes.given}>
      <summary>
        {kind === 'observations'
          ? 'For a file about one series without a column for it'
          : `${lacks === undefined ? 'If the file has no column for' : 'The file has no column for'} ${orList(asked)}`}
      </summary>
      <div className={classes.fields}>
        {kind === 'observations' && <SeriesFields {...shared} />}
        {asked.includes('agreement') && <AgreementChoice label="Agreement" {...shared} />}
        {asked.includes('supplier') && (
          <Field
            name="supplier"
            label="Supplier"
            placeholder={kind === 'agreements' ? 'As the template’s' : 'As the agreement’s'}
            {...shared}
          />
        )}
        {asked.includes('period') && <Field name="period" label="Period" placeholder="2024-Q2" {...shared} />}
        {asked.includes('currency') && <Field name="currency" label="Currency" placeholder="EUR" {...shared} />}
        {asked.includes('unit') && <Field name="unit" label="Unit" placeholder="As the contract’s" {...shared} />}
      </div>
    </details>
  )
}

/** `the agreement, the supplier or the currency` */
function orList(names: readonly string[]): string {
  return names
    .map(name => `the ${name}`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')
}

interface FieldProps {
  readonly name: keyof GivenColumns
  readonly label: string
  readonly placeholder: string
  readonly given: GivenColumns
  readonly put: Put
}

function Field({ name, label, placeholder, given, put }: FieldProps) {
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={given[name]}
      onChange={event => put(name)(event.currentTarget.value)}
    />
  )
}

interface AgreementChoiceProps extends Pick<FieldProps, 'label' | 'given' | 'put'> {
  readonly isRequired?: boolean
}

function AgreementChoice({ label, given, put, isRequired = false }: AgreementChoiceProps) {
  const { data: slugs = [] } = useSlugs()
  return (
    <Select
      label={label}
      placeholder={isRequired ? 'Choose one' : 'Found by each line'}
      data={[...slugs]}
      value={given.agreement === '' ? null : given.agreement}
      onChange={put('agreement')}
      limit={100}
      searchable
      clearable={!isRequired}
      nothingFoundMessage="No agreement has this name"
    />
  )
}

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUAL', 'ANNUAL']
const dataTypes = ['INDEX', 'PRICE', 'RATE', 'FX', 'WAGE']

function SeriesFields({ given, put }: Pick<FieldProps, 'given' | 'put'>) {
  return (
    <>
      <Field name="series" label="Code of the series" placeholder="scrap-e3" given={given} put={put} />
      <Field name="name" label="Name" placeholder="Scrap, grade E3" given={given} put={put} />
      <Field name="unit" label="Unit" placeholder="EUR/t" given={given} put={put} />
      <Select
        label="Frequency"
        placeholder="Taken from the periods"
        data={frequencies.map(value => ({ value, label: sentenceCase(formatFrequency(value)) }))}
        value={given.frequency === '' ? null : given.frequency}
        onChange={put('frequency')}
        clearable
      />
      <Select
        label="Kind"
        placeholder="Index"
        data={dataTypes.map(value => ({
          value,
          label: value === 'FX' ? 'Exchange rate' : sentenceCase(value.toLowerCase()),
        }))}
        value={given.dataType === '' ? null : given.dataType}
        onChange={put('dataType')}
        clearable
      />
    </>
  )
}
