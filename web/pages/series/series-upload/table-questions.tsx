// Questions about a table, whatever is in it: the place of its header, the form of its numbers and dates, the kind of each
// column.
import { Button, NumberInput, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DateOrder, DecimalMark } from '../../../../src/core/series/table-layout.ts'
import { State } from '../../../components/figures/figures.tsx'
import type { Column } from '../../../components/table/column.ts'
import { DataTable } from '../../../components/table/data-table.tsx'
import { sentenceCase } from '../../../components/words/words.ts'
import classes from './upload.module.css'

export function HeaderLine({ line, change }: { readonly line: number; readonly change: (line: number) => void }) {
  return (
    <NumberInput label="Line of the header" size="xs" min={1} value={line} onChange={value => change(Number(value))} />
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly value: T
  /** Nothing is chosen until it is answered. */
  readonly isAsked: boolean
  readonly data: readonly { readonly value: T; readonly label: string }[]
  readonly choose: (value: T) => void
}

export function Choice<T extends string>({ label, value, isAsked, data, choose }: ChoiceProps<T>) {
  return (
    <div>
      <p className={classes.question}>
        {label}
        {isAsked && <State kind="waiting">please choose</State>}
      </p>
      <SegmentedControl
        size="xs"
        aria-label={label}
        value={isAsked ? '' : value}
        onChange={next => choose(next as T)}
        data={[...data]}
      />
    </div>
  )
}

type Answered<T extends string> = Pick<ChoiceProps<T>, 'value' | 'isAsked' | 'choose'>

export function DecimalChoice(answered: Answered<DecimalMark>) {
  return (
    <Choice
      label="Decimals are written"
      data={[
        { value: 'POINT', label: '1234.5' },
        { value: 'COMMA', label: '1234,5' },
      ]}
      {...answered}
    />
  )
}

export function DateOrderChoice(answered: Answered<DateOrder>) {
  return (
    <Choice
      label="Dates begin with"
      data={[
        { value: 'DMY', label: 'the day' },
        { value: 'MDY', label: 'the month' },
      ]}
      {...answered}
    />
  )
}

/** Reads the file, once nothing is lacking any more. */
export function ReadButton({ lacking, read }: { readonly lacking: readonly string[]; readonly read: () => void }) {
  return (
    <div className={classes.actions}>
      <Button disabled={lacking.length > 0} onClick={read}>
        Show the changes
      </Button>
      {lacking.length > 0 && <span className="soft">{sentenceCase(lacking.join('; '))}.</span>}
    </div>
  )
}

interface TableLine {
  readonly line: number
  readonly cells: readonly string[]
}

interface FileColumnsProps {
  readonly rows: readonly TableLine[]
  readonly headerLine: number
  /** Kind of each column; `ignore` if it is left out. */
  readonly columns: readonly string[]
  readonly question: (column: { readonly at: number; readonly name: string; readonly label: string }) => ReactNode
}

const sampleRows = 5

export function FileColumns({ rows, headerLine, columns, question }: FileColumnsProps) {
  const names = rows.find(({ line }) => line === headerLine)?.cells ?? []
  return (
    <DataTable
      label="Columns of the file"
      className={classes.mapping}
      rows={rows.filter(({ line }) => line > headerLine).slice(0, sampleRows)}
      keyOf={({ line }) => line}
      columns={columns.map((target, at): Column<TableLine> => {
        const name = names[at]?.trim() ?? ''
        const label = name === '' ? `column ${at + 1}` : name
        return {
          // Columns of a file have no other identity.
          key: String(at),
          className: target === 'ignore' ? classes.leftOut : undefined,
          cell: ({ cells }) => cells[at] ?? '',
          head: (
            <>
              <span className={classes.columnName}>{label}</span>
              {question({ at, name, label })}
            </>
          ),
        }
      })}
    />
  )
}
