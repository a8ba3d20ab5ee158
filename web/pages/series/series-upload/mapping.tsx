// Layout of a file from elsewhere: its columns, and the form of its numbers and dates. Facts that the file does not show are
// asked, never guessed, and a chart shows the result at once.

import { NativeSelect, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { guessLayout, type OpenQuestion } from '../../../../src/core/series/table-guess.ts'
import {
  codeOf,
  columnTargets,
  type Frequency,
  layoutProblems,
  seriesOfColumn,
  type TableLayout,
  type TableShape,
} from '../../../../src/core/series/table-layout.ts'
import { readDate } from '../../../../src/core/time/loose-period.ts'
import type { UploadLook } from '../../../../src/views/shapes/series.ts'
import { State } from '../../../components/figures/figures.tsx'
import { Section } from '../../../components/page/page.tsx'
import { countOf } from '../../../components/words/words.ts'
import { Choice, DateOrderChoice, DecimalChoice, FileColumns, HeaderLine, ReadButton } from './table-questions.tsx'
import { understand } from './understood.ts'
import { UnderstoodChart } from './understood-chart.tsx'
import classes from './upload.module.css'

interface MappingProps {
  readonly look: UploadLook
  /** Whether a series was entered for the whole file. */
  readonly hasSeries: boolean
  readonly read: (layout: TableLayout) => void
}

export function Mapping({ look, hasSeries, read }: MappingProps) {
  const [layout, setLayout] = useState(look.layout)
  const [open, setOpen] = useState(look.open)
  const change = (next: Partial<TableLayout>, answered?: OpenQuestion) => {
    setLayout({ ...layout, ...next })
    if (answered !== undefined) setOpen(open.filter(each => each !== answered))
  }
  const understood = useMemo(() => understand(look, layout), [look, layout])
  const lacking = whatLacks(layout, open, hasSeries)
  return (
    <Section title="How is this file read?">
      <p className="prose">
        {look.isRemembered
          ? 'A file with this header was read before; it is read the same way unless you change something.'
          : 'The file is not in the usual form. Check the meaning of its columns, and answer the questions that the file leaves open.'}{' '}
        {formatLetters(look, layout)}
      </p>
      <Questions {...{ look, layout, open, change }} />
      <Columns {...{ look, layout, change }} setOpen={() => setOpen(open.filter(each => each !== 'codes'))} />
      <div className={classes.understood}>
        <UnderstoodChart understood={understood} />
        {understood.problems.length > 0 && (
          <p>
            <State kind="trouble">
              {countOf(understood.problems.length, 'cell')} of the first rows cannot be read this way: line{' '}
              {understood.problems[0]!.line}, {understood.problems[0]!.column} {understood.problems[0]!.message}
            </State>
          </p>
        )}
      </div>
      <ReadButton lacking={lacking} read={() => read(layout)} />
    </Section>
  )
}

const openWords: Readonly<Record<OpenQuestion, string>> = {
  dates: 'say what a date stands for',
  dateOrder: 'say which number of a date is the month',
  decimal: 'say how decimals are written',
  codes: 'give the series a code',
}

function whatLacks(layout: TableLayout, open: readonly OpenQuestion[], hasSeries: boolean): string[] {
  const problems = layoutProblems(layout)
  const isNameless = layout.shape === 'ROWS' && !layout.columns.includes('series') && !hasSeries
  const asked = open.filter(each => each !== 'codes' || problems.some(({ kind }) => kind !== 'columns'))
  return [
    ...asked.map(each => openWords[each]),
    ...problems.filter(({ kind }) => kind !== 'no-code').map(({ message }) => message),
    ...(isNameless ? ['choose the column of the series, or say above which series it is'] : []),
  ]
}

const separatorWords = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' } as const

function formatLetters({ isWorkbook }: UploadLook, { separator, encoding }: TableLayout): string {
  if (isWorkbook) return ''
  const letters = encoding === 'utf-8' ? '' : ', its characters are Western European (Windows-1252)'
  return `Its cells are separated by ${separatorWords[separator]}${letters}.`
}

interface QuestionProps {
  readonly look: UploadLook
  readonly layout: TableLayout
  readonly open: readonly OpenQuestion[]
  readonly change: (next: Partial<TableLayout>, answered?: OpenQuestion) => void
}

const dateChoices: readonly (readonly [Frequency, string])[] = [
  ['DAILY', 'the day itself'],
  ['WEEKLY', 'its week'],
  ['MONTHLY', 'its month'],
  ['QUARTERLY', 'its quarter'],
  ['SEMIANNUAL', 'its half-year'],
  ['ANNUAL', 'its year'],
]

function Questions({ look, layout, open, change }: QuestionProps) {
  const periods = cellsOf(look, layout, layout.columns.indexOf('period'))
  const dates = periods.filter(cell => readDate(cell.trim(), 'DMY') !== null || readDate(cell.trim(), 'MDY') !== null)
  const isSlashed = dates.some(cell => /^\d{1,2}[/-]/.test(cell.trim()))
  const isAsked = (question: OpenQuestion) => open.includes(question)
  return (
    <div className={classes.questions}>
      <HeaderLine line={layout.headerLine} change={line => change(headerAt(look, layout, line))} />
      <Choice<TableShape>
        label="The table has"
        value={layout.shape}
        isAsked={false}
        choose={shape => change(shaped(look, layout, shape))}
        data={[
          { value: 'ROWS', label: 'one value per row' },
          { value: 'COLUMNS', label: 'one series per column' },
        ]}
      />
      <DecimalChoice
        value={layout.decimal}
        isAsked={isAsked('decimal')}
        choose={decimal => change({ decimal }, 'decimal')}
      />
      {dates.length > 0 && (
        <NativeSelect
          size="xs"
          label={`What ${dates[0]!.trim()} stands for`}
          description={isAsked('dates') ? 'The dates are far apart: please choose.' : undefined}
          value={isAsked('dates') ? '' : layout.dates}
          onChange={event => change({ dates: event.currentTarget.value as Frequency }, 'dates')}
          data={[
            ...(isAsked('dates') ? [{ value: '', label: 'choose', disabled: true }] : []),
            ...dateChoices.map(([value, label]) => ({ value, label })),
          ]}
        />
      )}
      {isSlashed && (
        <DateOrderChoice
          value={layout.dateOrder}
          isAsked={isAsked('dateOrder')}
          choose={dateOrder => change({ dateOrder }, 'dateOrder')}
        />
      )}
    </div>
  )
}

function cellsOf({ rows }: UploadLook, { headerLine }: TableLayout, at: number): readonly string[] {
  return at < 0 ? [] : rows.filter(({ line }) => line > headerLine).map(({ cells }) => cells[at] ?? '')
}

/** Layout with another header line: the columns are detected again. */
function headerAt(look: UploadLook, layout: TableLayout, line: number): Partial<TableLayout> {
  const rows = look.rows.filter(each => each.line >= line)
  if (rows.length === 0 || rows[0]!.line !== line) return {}
  const { separator, encoding } = layout
  const guess = guessLayout({ rows, separator, encoding, isWorkbook: look.isWorkbook, hasSeries: false })
  const width = rows[0]!.cells.length
  const columns = Array.from({ length: width }, (_, i) => guess.layout.columns[i] ?? 'ignore')
  return { headerLine: line, columns, shape: guess.layout.shape }
}

function headerCells({ rows }: UploadLook, { headerLine }: TableLayout): readonly string[] {
  return rows.find(({ line }) => line === headerLine)?.cells ?? []
}

const seriesTarget = (name: string) => `=CUSTOM/${codeOf(name)}`

/** The columns converted to a table of the other shape. */
function shaped(look: UploadLook, layout: TableLayout, shape: TableShape): Partial<TableLayout> {
  const names = headerCells(look, layout)
  const first = layout.columns.findIndex(target => target.startsWith('='))
  const columns = layout.columns.map((target, i) => {
    if (shape === 'COLUMNS')
      return target === 'value' ? seriesTarget(names[i] ?? '') : target === 'series' ? 'ignore' : target
    return target.startsWith('=') ? (i === first ? 'value' : 'ignore') : target
  })
  return { shape, columns }
}

const targetWords: Readonly<Record<string, string>> = {
  ignore: 'left out',
  period: 'the period',
  value: 'the value',
  series: 'the series',
  version: 'the version',
  published: 'when it was published',
  flag: 'a flag',
  name: 'the name',
  unit: 'the unit',
  frequency: 'the frequency',
  dataType: 'the kind of data',
}

function Columns({ look, layout, change, setOpen }: Omit<QuestionProps, 'open'> & { readonly setOpen: () => void }) {
  const isWide = layout.shape === 'COLUMNS'
  const targets = columnTargets.filter(target => !isWide || (target !== 'value' && target !== 'series'))
  const put = (at: number, target: string) =>
    change({ columns: layout.columns.map((each, i) => (i === at ? target : each)) })
  return (
    <FileColumns
      rows={look.rows}
      headerLine={layout.headerLine}
      columns={layout.columns}
      question={({ at, name, label }) => {
        const target = layout.columns[at]!
        const code = seriesOfColumn(target)
        return (
          <>
            <NativeSelect
              size="xs"
              aria-label={`Meaning of the column ${label}`}
              value={code === null ? target : '='}
              onChange={event => {
                const chosen = event.currentTarget.value
                put(at, chosen === '=' ? seriesTarget(name) : chosen)
              }}
              data={[
                ...(isWide ? [{ value: '=', label: 'a series' }] : []),
                ...targets.map(value => ({ value, label: targetWords[value] ?? value })),
              ]}
            />
            {code !== null && (
              <TextInput
                size="xs"
                aria-label={`Code of the series in the column ${label}`}
                placeholder="CUSTOM/code"
                value={code}
                onChange={event => {
                  put(at, `=${event.currentTarget.value.trim()}`)
                  setOpen()
                }}
                onBlur={() => {
                  if (code !== '' && !code.includes('/')) put(at, `=CUSTOM/${codeOf(code)}`)
                }}
              />
            )}
          </>
        )
      }}
    />
  )
}
