// Layout of a table from another system: its columns, and the form of its decimals and dates. Facts that the file does not show
// are asked, never guessed.
import { NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import {
  type ColumnLayout,
  type ColumnQuestion,
  columnProblems,
  guessColumns,
} from '../../../src/core/invoices/column-layout.ts'
import { formOf, kindColumns } from '../../../src/core/invoices/table-kinds.ts'
import type { TableLook } from '../../../src/views/shapes/imports.ts'
import { Section } from '../../components/page/page.tsx'
import {
  DateOrderChoice,
  DecimalChoice,
  FileColumns,
  HeaderLine,
  ReadButton,
} from '../series/series-upload/table-questions.tsx'
import classes from '../series/series-upload/upload.module.css'

interface ColumnMappingProps {
  readonly look: TableLook
  /** Columns that are said for the whole file. */
  readonly given: readonly string[]
  /** Facts that have to be given first. */
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
          : 'Check the meaning of its columns, and answer the questions that the file leaves open.'}
      </p>
      {children}
      <Questions look={look} layout={layout} open={open} change={change} />
      <Columns look={look} layout={layout} change={change} />
      <ReadButton lacking={lacking} read={() => read(layout)} />
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
      <HeaderLine line={layout.headerLine} change={line => change(headerAt(look, layout, line))} />
      {hasForm('number') && (
        <DecimalChoice
          value={layout.decimal}
          isAsked={open.includes('decimal')}
          choose={decimal => change({ decimal }, 'decimal')}
        />
      )}
      {hasForm('day') && (
        <DateOrderChoice
          value={layout.dateOrder}
          isAsked={open.includes('dateOrder')}
          choose={dateOrder => change({ dateOrder }, 'dateOrder')}
        />
      )}
    </div>
  )
}

/** Layout with another header line: the columns are detected again. */
function headerAt(look: TableLook, { kind, separator, encoding }: ColumnLayout, line: number): Partial<ColumnLayout> {
  const at = look.rows.findIndex(row => row.line === line)
  if (at < 0) return {}
  const { rows, isWorkbook } = look
  const { columns } = guessColumns(kind, { rows, separator, encoding, isWorkbook }, at).layout
  return { headerLine: line, columns }
}

function Columns({ look, layout, change }: Omit<QuestionProps, 'open'>) {
  const { columns: names, prefix } = kindColumns[layout.kind]
  const put = (at: number, target: string) =>
    change({ columns: layout.columns.map((each, i) => (i === at ? target : each)) })
  return (
    <FileColumns
      rows={look.rows}
      headerLine={layout.headerLine}
      columns={layout.columns}
      question={({ at, label }) => {
        const target = layout.columns[at]!
        const others = [...names, ...(prefix !== null && target.startsWith(prefix) ? [target] : [])]
        return (
          <NativeSelect
            size="xs"
            aria-label={`Meaning of the column ${label}`}
            value={target}
            onChange={event => put(at, event.currentTarget.value)}
            data={[
              { value: 'ignore', label: 'left out' },
              ...others.map(value => ({ value, label: value.replaceAll('_', ' ') })),
            ]}
          />
        )
      }}
    />
  )
}
