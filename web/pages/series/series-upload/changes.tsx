// What a file would change, before anything is imported: every value old → new, and the contracts whose numbers move.
import { Anchor } from '@mantine/core'
import { useState } from 'react'
import type { MovedContract, MovedSide, UploadResult } from '../../../../src/views/shapes/series.ts'
import { TextLink } from '../../../components/page/links.tsx'
import { ScrollX } from '../../../components/table/scroll-x.tsx'
import { writeLabel } from '../../../components/words/period-words.ts'
import { countOf, writeFigure, writePct, writePrice } from '../../../components/words/words.ts'
import classes from './upload.module.css'

interface ChangeProps {
  readonly result: UploadResult
  readonly slug: string
}

/** More are shown on request. */
const firstShown = 50

export function Changes({ result: { changes, changeCount }, slug }: ChangeProps) {
  const [count, setCount] = useState(firstShown)
  if (changeCount === 0) return null
  const shown = changes.slice(0, count)
  return (
    <>
      <h3 className={classes.part}>{countOf(changeCount, 'value')} would be changed</h3>
      <ScrollX label="Changed values">
        <table className="ledger">
          <thead>
            <tr>
              <th scope="col">Series</th>
              <th scope="col">Period</th>
              <th scope="col" className="right">
                Old
              </th>
              <th scope="col" className="right">
                New
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, name, period, before, after }) => (
              <tr key={`${id} ${period}`}>
                <td>
                  <TextLink to="/w/$ws/series/$id" params={{ ws: slug, id }}>
                    {name}
                  </TextLink>
                </td>
                <td className="figures">{writeLabel(period)}</td>
                <td className="right figures">{before === null ? 'withdrawn' : writeFigure(before)}</td>
                <td className="right figures">{after === null ? 'withdrawn' : writeFigure(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      <More
        shown={shown.length}
        listed={changes.length}
        of={changeCount}
        what="changed values"
        more={() => setCount(count * 4)}
      />
    </>
  )
}

export function Moves({ result: { effects }, slug }: ChangeProps) {
  const [count, setCount] = useState(firstShown)
  if (effects === null || effects.readers === 0) return null
  const { contracts, readers, notComputed } = effects
  const rest =
    notComputed === 0 ? '' : ` ${countOf(notComputed, 'contract')} took too long to compute and may move too.`
  if (contracts.length === 0)
    return (
      <p>
        {countOf(readers, 'contract')} {readers === 1 ? 'reads' : 'read'} these series, and no number of{' '}
        {readers === 1 ? 'it' : 'them'} moves.{rest}
      </p>
    )
  const lines = contracts.flatMap(contract => contract.periods.map(period => ({ contract, ...period })))
  const shown = lines.slice(0, count)
  return (
    <>
      <h3 className={classes.part}>
        {countOf(contracts.length, 'contract')} would move, of {readers} that {readers === 1 ? 'reads' : 'read'} these
        series
      </h3>
      {rest !== '' && <p>{rest}</p>}
      <ScrollX label="Contracts that would move">
        <table className="ledger">
          <thead>
            <tr>
              <th scope="col">Contract</th>
              <th scope="col">Period</th>
              <th scope="col" className="right">
                Now
              </th>
              <th scope="col" className="right">
                With this file
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ contract, period, before, after }) => (
              <tr key={`${contract.slug} ${period}`}>
                <td>
                  <TextLink to="/w/$ws/formulas/$slug" params={{ ws: slug, slug: contract.slug }}>
                    {contract.name}
                  </TextLink>
                </td>
                <td className="figures">{period}</td>
                <td className="right figures">{sayEntry(before, contract)}</td>
                <td className="right figures">{sayEntry(after, contract)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollX>
      <More
        shown={shown.length}
        listed={lines.length}
        of={lines.length}
        what="periods"
        more={() => setCount(count * 4)}
      />
    </>
  )
}

function sayEntry(entry: MovedSide | null, { currency, unit }: MovedContract): string {
  if (entry === null) return 'no number'
  const pct = writePct(entry.adjustmentPct)
  return entry.price === null ? pct : `${pct}, ${writePrice(entry.price, currency, unit)}`
}

interface MoreProps {
  readonly shown: number
  readonly listed: number
  readonly of: number
  readonly what: string
  readonly more: () => void
}

function More({ shown, listed, of, what, more }: MoreProps) {
  if (shown >= of) return null
  return (
    <p className="soft">
      And {of - shown} more {what}.{' '}
      {shown < listed && (
        <Anchor component="button" type="button" inherit onClick={more}>
          Show more
        </Anchor>
      )}
    </p>
  )
}
