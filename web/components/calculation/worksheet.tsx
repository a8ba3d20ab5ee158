// The worksheet: every line with its formula, the numbers filled in, the result, and how it was rounded.

import { cutDecimals } from '../../../src/core/text/words.ts'
import type { WorkedStep } from '../../../src/views/shapes/agreements.ts'
import { Breaking } from '../figures/breakable-code.tsx'
import { DataTable } from '../table/data-table.tsx'
import { asSentence, formatFigure } from '../words/words.ts'
import { formatRounding } from './rounding-words.ts'
import classes from './worksheet.module.css'

/** Decimals that are shown; the receipt has all of them. */
const readDecimals = 10

interface WorksheetProps {
  readonly steps: readonly WorkedStep[]
  /** The name of the line that differs. */
  readonly marked?: string | null
}

export function Worksheet({ steps, marked = null }: WorksheetProps) {
  const shownOf = ({ value, shown }: WorkedStep) => shown ?? cutDecimals(value, readDecimals)
  return (
    <DataTable
      label="The calculation"
      isTall
      className={classes.sheet}
      rows={steps}
      keyOf={({ name }) => name}
      rowProps={({ name }) => ({ 'data-marked': name === marked })}
      columns={[
        { head: 'Line', isRowHead: true, className: classes.name, cell: ({ name }) => <Breaking text={name} /> },
        {
          head: 'Formula, with its numbers',
          isMain: true,
          className: classes.formula,
          cell: ({ expr, numbers, told, note }) => (
            <>
              <span className={classes.expr}>{expr}</span>
              {numbers !== expr && <span className={classes.numbers}>= {numbers}</span>}
              {told.map(words => (
                <span key={words} className={classes.told}>
                  {asSentence(words)}
                </span>
              ))}
              {note !== null && <span className={classes.note}>{note}</span>}
            </>
          ),
        },
        {
          head: 'Result',
          figure: step => shownOf(step).replace('…', ''),
          narrow: step => (
            <>
              <strong>{formatFigure(shownOf(step))}</strong>
              {step.rounding !== null && <span className="soft">, {formatRounding(step.rounding)}</span>}
            </>
          ),
          cell: (step, text) => (
            <span title={step.value === shownOf(step) ? undefined : step.value}>
              <Result aligned={text} isCut={shownOf(step).endsWith('…')} />
            </span>
          ),
        },
        {
          head: 'Rounding',
          narrow: 'drop',
          className: classes.rounding,
          cell: ({ rounding }) => rounding !== null && formatRounding(rounding),
        },
      ]}
    />
  )
}

/** The mark of a cut figure follows its last digit and takes the same width in every line. */
function Result({ aligned, isCut }: { readonly aligned: string; readonly isCut: boolean }) {
  const digits = aligned.replace(/[\u2007\u2008]+$/, '')
  return (
    <>
      {digits}
      <span className={classes.mark}>{isCut ? '…' : ''}</span>
      {aligned.slice(digits.length)}
    </>
  )
}
