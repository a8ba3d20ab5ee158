// Changes by a file, before anything is imported: every value old → new, and the agreements that it moves, signed or not, with
// the money that falls due.

import { Anchor } from '@mantine/core'
import { useState } from 'react'
import type { UploadResult } from '../../../../src/views/shapes/series.ts'
import { State } from '../../../components/figures/figures.tsx'
import { TextLink } from '../../../components/page/links.tsx'
import { DataTable } from '../../../components/table/data-table.tsx'
import { MoneyTable } from '../../../components/true-up/money-table.tsx'
import { formatAmount, formatKinds, formatPriceWay, kindWords, policyWords } from '../../../components/true-up/words.ts'
import { formatLabel } from '../../../components/words/period-words.ts'
import { countOf, formatFigure, formatSigned } from '../../../components/words/words.ts'
import classes from './upload.module.css'

interface ChangeProps {
  readonly result: UploadResult
  readonly slug: string
}

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
          { head: 'Period', className: 'figures', cell: ({ period }) => formatLabel(period) },
          { head: 'Old', isRight: true, cell: ({ before }) => (before === null ? 'withdrawn' : formatFigure(before)) },
          { head: 'New', isRight: true, cell: ({ after }) => (after === null ? 'withdrawn' : formatFigure(after)) },
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

/** Effects on all agreements: signed periods, whose money may fall due, and open numbers. */
export function Moves({ result: { effects }, slug }: ChangeProps) {
  const [count, setCount] = useState(firstShown)
  if (effects === null || effects.readers === 0) return null
  const { rows, agreements, readers, notComputed, kinds, money } = effects
  const rest =
    notComputed === 0 ? '' : ` ${countOf(notComputed, 'agreement')} took too long to compute and may move too.`
  if (effects.count === 0)
    return (
      <p>
        {countOf(readers, 'agreement')} {readers === 1 ? 'reads' : 'read'} these series, and no number of{' '}
        {readers === 1 ? 'it' : 'them'} moves.{rest}
      </p>
    )
  const shown = rows.slice(0, count)
  return (
    <>
      <h3 className={classes.part}>
        {countOf(agreements, 'agreement')} would move, of {readers} that {readers === 1 ? 'reads' : 'read'} these series
      </h3>
      <p>
        {formatKinds(kinds)}
        {rest}
      </p>
      <MoneyTable money={money} label="Money that would move" />
      <DataTable
        label="Agreements that would move"
        isTall
        rows={shown}
        keyOf={({ agreement, period }) => `${agreement} ${period}`}
        columns={[
          {
            head: 'Agreement',
            isRowHead: true,
            cell: ({ name, agreement, period }) => (
              <>
                <TextLink to="/w/$ws/agreements/$slug" params={{ ws: slug, slug: agreement }}>
                  {name}
                </TextLink>
                <span className="under">{period}</span>
              </>
            ),
          },
          {
            head: 'Effect',
            narrow: 'line',
            cell: ({ kind, policy }) => (
              <>
                <State kind={kindWords[kind].kind}>{kindWords[kind].words}</State>
                {kind === 'SIGNED_MOVED' && <span className="under">{policyWords[policy]}</span>}
              </>
            ),
          },
          {
            head: 'Amount',
            isRight: true,
            cell: ({ amount, currency }) => (amount === null ? '' : formatAmount(amount, currency)),
          },
          { head: 'Price', isRight: true, narrow: 'line', cell: formatPriceWay },
          {
            head: 'Points',
            isRight: true,
            narrow: 'drop',
            cell: ({ points }) => (points === null ? '' : formatSigned(points)),
          },
        ]}
      />
      <More
        shown={shown.length}
        listed={rows.length}
        of={effects.count}
        what="periods"
        more={() => setCount(count * 4)}
      />
    </>
  )
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
