// The worksheet: every line with its formula, the numbers filled in, the result, and how it was rounded.
import { cutDecimals } from '../../../src/core/text/words.ts'
import type { WorkedStep } from '../../../src/views/shapes/agreements.ts'
import { Breaking } from '../figures/breaking.tsx'
import { ScrollX } from '../table/scroll-x.tsx'
import { alignOnPoint, asSentence, writeFigure } from '../words/words.ts'
import { writeRounding } from './rounding-words.ts'
import classes from './worksheet.module.css'

/** Decimals that are shown; the receipt has all of them. */
const readDecimals = 10

interface WorksheetProps {
  readonly steps: readonly WorkedStep[]
  /** The name of the line that differs. */
  readonly marked?: string | null
}

export function Worksheet({ steps, marked = null }: WorksheetProps) {
  const values = steps.map(({ value, shown }) => shown ?? cutDecimals(value, readDecimals))
  const aligned = alignOnPoint(values.map(value => value.replace('…', '')))
  return (
    <ScrollX label="The calculation">
      <table className={`ledger ${classes.sheet}`}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Formula, with its numbers</th>
            <th scope="col" className="right on-wide">
              Result
            </th>
            <th scope="col" className="on-wide">
              Rounding
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ name, expr, numbers, told, rounding, note, value }, i) => (
            <tr key={name} data-marked={name === marked}>
              <th scope="row" className={classes.name}>
                <Breaking text={name} />
              </th>
              <td className={classes.formula}>
                <span className={classes.expr}>{expr}</span>
                {numbers !== expr && <span className={classes.numbers}>= {numbers}</span>}
                {told.map(words => (
                  <span key={words} className={classes.told}>
                    {asSentence(words)}
                  </span>
                ))}
                {note !== null && <span className={classes.note}>{note}</span>}
                <span className={`${classes.folded} on-narrow`}>
                  {writeFigure(values[i]!)}
                  {rounding !== null && <span className="soft">, {writeRounding(rounding)}</span>}
                </span>
              </td>
              <td className="right on-wide" title={value === values[i] ? undefined : value}>
                <Result aligned={aligned[i]!} isCut={values[i]!.endsWith('…')} />
              </td>
              <td className={`${classes.rounding} on-wide`}>{rounding !== null && writeRounding(rounding)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
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
