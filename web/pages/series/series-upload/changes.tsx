// What a file would change, before anything is imported: every value old → new, and the contracts whose numbers move.

import { Anchor } from '@mantine/core'
import { useState } from 'react'
import type { MovedContract, MovedSide, UploadResult } from '../../../../src/views/shapes/series.ts'
import { TextLink } from '../../../components/page/links.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
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
      <DataTable
        label="Changed values"
        rows={shown}
        keyOf={({ id, period }) => `${id} ${period}`}
        columns={[
          {
            head: 'Series',
            cell: ({ id, name }) => (
              <TextLink to="/w/$ws/series/$id" params={{ ws: slug, id }}>
                {name}
              </TextLink>
            ),
          },
          { head: 'Period', className: 'figures', cell: ({ period }) => writeLabel(period) },
          { head: 'Old', isRight: true, cell: ({ before }) => (before === null ? 'withdrawn' : writeFigure(before)) },
          { head: 'New', isRight: true, cell: ({ after }) => (after === null ? 'withdrawn' : writeFigure(after)) },
        ]}
      />
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
    notComputed === 0 ? '' : ` ${countOf(notComputed, 'agreement')} took too long to compute and may move too.`
  if (contracts.length === 0)
    return (
      <p>
        {countOf(readers, 'agreement')} {readers === 1 ? 'reads' : 'read'} these series, and no number of{' '}
        {readers === 1 ? 'it' : 'them'} moves.{rest}
      </p>
    )
  const lines = contracts.flatMap(contract => contract.periods.map(period => ({ contract, ...period })))
  const shown = lines.slice(0, count)
  return (
    <>
      <h3 className={classes.part}>
        {countOf(contracts.length, 'agreement')} would move, of {readers} that {readers === 1 ? 'reads' : 'read'} these
        series
      </h3>
      {rest !== '' && <p>{rest}</p>}
      <DataTable
        label="Agreements that would move"
        rows={shown}
        keyOf={({ contract, period }) => `${contract.slug} ${period}`}
        columns={[
          {
            head: 'Agreement',
            cell: ({ contract }) => (
              <TextLink to="/w/$ws/agreements/$slug" params={{ ws: slug, slug: contract.slug }}>
                {contract.name}
              </TextLink>
            ),
          },
          { head: 'Period', className: 'figures', cell: ({ period }) => period },
          { head: 'Now', isRight: true, cell: ({ contract, before }) => sayEntry(before, contract) },
          { head: 'With this file', isRight: true, cell: ({ contract, after }) => sayEntry(after, contract) },
        ]}
      />
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
