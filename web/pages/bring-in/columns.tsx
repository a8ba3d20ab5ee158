// How a table from another system is read: what its columns are, how its decimals and dates are written. What the file does not
// show is asked, never guessed.
import { Button, NativeSelect, NumberInput, SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  type ColumnLayout,
  type ColumnQuestion,
  columnProblems,
  guessColumns,
} from '../../../src/core/invoices/column-layout.ts'
import { formOf, kindColumns } from '../../../src/core/invoices/table-kinds.ts'
import type { DateOrder, DecimalMark } from '../../../src/core/series/table-layout.ts'
import type { TableLook } from '../../../src/views/shapes/imports.ts'
import { State } from '../../components/figures/figures.tsx'
import { Section } from '../../components/page/page.tsx'
import type { Column } from '../../components/table/column.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { sentenceCase } from '../../components/words/words.ts'
import classes from '../series/series-upload/upload.module.css'

interface ColumnMappingProps {
  readonly look: TableLook
  /** Columns that are said for the whole file. */
  readonly given: readonly string[]
  /** What else has to be said first. */
  readonly lacking: readonly string[]
  readonly read: (layout: ColumnLayout) => void
  readonly children: ReactNode
}

export function ColumnMapping({ look, given, lacking: others, read, children }: ColumnMappingProps) {
  const [layout, setLayout] = useState(look.layout)
  const [open, setOpen] = useState(look.open)
  const change = (next: Partial<ColumnLayout>, answered?: ColumnQuestion) => {
    setLayout({ ...layout, ...next })
    if (answered !== undefined) setOpen(open.filter(each => each !== answered))
  }
  const lacking = [...others, ...open.map(each => openWords[each]), ...columnProblems(layout, given)]
  return (
    <Section title="How is this file read?">
      <p className="prose">
        {look.isRemembered
          ? 'A file with this header was read before; it is read the same way unless you change something.'
          : 'Check what its columns are, and answer what the file does not show.'}
      </p>
      {children}
      <Questions look={look} layout={layout} open={open} change={change} />
      <Columns look={look} layout={layout} change={change} />
      <div className={classes.actions}>
        <Button disabled={lacking.length > 0} onClick={() => read(layout)}>
          See what it would change
        </Button>
        {lacking.length > 0 && <span className="soft">{sentenceCase(lacking.join('; '))}.</span>}
      </div>
    </Section>
  )
}

const openWords: Readonly<Record<ColumnQuestion, string>> = {
  decimal: 'say how decimals are written',
  dateOrder: 'say which number of a date is the month',
}

interface QuestionProps {
  readonly look: TableLook
  readonly layout: ColumnLayout
  readonly open: readonly ColumnQuestion[]
  readonly change: (next: Partial<ColumnLayout>, answered?: ColumnQuestion) => void
}

function Questions({ look, layout, open, change }: QuestionProps) {
  const hasForm = (form: 'number' | 'day') => layout.columns.some(name => name !== 'ignore' && formOf(name) === form)
  return (
    <div className={classes.questions}>
      <NumberInput
        label="Line of the header"
        size="xs"
        min={1}
        value={layout.headerLine}
        onChange={value => change(headerAt(look, layout, Number(value)))}
      />
      {hasForm('number') && (
        <Choice label="Decimals are written" isAsked={open.includes('decimal')}>
          <SegmentedControl
            size="xs"
            aria-label="Decimals are written"
            value={open.includes('decimal') ? '' : layout.decimal}
            onChange={value => change({ decimal: value as DecimalMark }, 'decimal')}
            data={[
              { value: 'POINT', label: '1234.5' },
              { value: 'COMMA', label: '1234,5' },
            ]}
          />
        </Choice>
      )}
      {hasForm('day') && (
        <Choice label="What comes first in dates" isAsked={open.includes('dateOrder')}>
          <SegmentedControl
            size="xs"
            aria-label="What comes first in dates"
            value={open.includes('dateOrder') ? '' : layout.dateOrder}
            onChange={value => change({ dateOrder: value as DateOrder }, 'dateOrder')}
            data={[
              { value: 'DMY', label: 'the day' },
              { value: 'MDY', label: 'the month' },
            ]}
          />
        </Choice>
      )}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly isAsked: boolean
  readonly children: ReactNode
}

function Choice({ label, isAsked, children }: ChoiceProps) {
  return (
    <div>
      <p className={classes.question}>
        {label}
        {isAsked && <State kind="waiting">please choose</State>}
      </p>
      {children}
    </div>
  )
}

/** With another header line, the columns are detected again. */
function headerAt(look: TableLook, { kind, separator, encoding }: ColumnLayout, line: number): Partial<ColumnLayout> {
  const at = look.rows.findIndex(row => row.line === line)
  if (at < 0) return {}
  const { rows, isWorkbook } = look
  const { columns } = guessColumns(kind, { rows, separator, encoding, isWorkbook }, at).layout
  return { headerLine: line, columns }
}

/** Sample rows below the header. */
const sampleRows = 5

function Columns({ look, layout, change }: Omit<QuestionProps, 'open'>) {
  const { columns: names, prefix } = kindColumns[layout.kind]
  const header = look.rows.find(({ line }) => line === layout.headerLine)?.cells ?? []
  const rows = look.rows.filter(({ line }) => line > layout.headerLine).slice(0, sampleRows)
  const put = (at: number, target: string) =>
    change({ columns: layout.columns.map((each, i) => (i === at ? target : each)) })
  return (
    <DataTable
      label="Columns of the file"
      className={classes.mapping}
      rows={rows}
      keyOf={({ line }) => line}
      columns={layout.columns.map((target, i): Column<TableLook['rows'][number]> => {
        const label = header[i]?.trim() || `column ${i + 1}`
        const others = [...names, ...(prefix !== null && target.startsWith(prefix) ? [target] : [])]
        return {
          // Columns of a file have no other identity.
          key: String(i),
          className: target === 'ignore' ? classes.leftOut : undefined,
          cell: ({ cells }) => cells[i] ?? '',
          head: (
            <>
              <span className={classes.columnName}>{label}</span>
              <NativeSelect
                size="xs"
                aria-label={`What the column ${label} is`}
                value={target}
                onChange={event => put(i, event.currentTarget.value)}
                data={[
                  { value: 'ignore', label: 'left out' },
                  ...others.map(value => ({ value, label: value.replaceAll('_', ' ') })),
                ]}
              />
            </>
          ),
        }
      })}
    />
  )
}
