// An answer in quarantine because it would change stored values, shown beside those values. An operator of the installation
// decides about it.

import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { QuarantineDecision } from '../../../src/views/calls/series-calls.ts'
import type { DecidedRow, QuarantineRow } from '../../../src/views/shapes/series.ts'
import classes from '../../pages/settings/settings.module.css'
import { FormDialog } from '../dialog/ask-form.tsx'
import { Figure, State } from '../figures/figures.tsx'
import { DataTable } from '../table/data-table.tsx'
import { writeInstant } from '../words/words.ts'

interface QuarantinedProps {
  readonly row: QuarantineRow
  /** The series, as a link if it has a page. */
  readonly title: ReactNode
  /** Additional text. */
  readonly note?: string
  /** `null` if somebody else decides. */
  readonly decide: ((decision: QuarantineDecision['decision']) => Promise<void>) | null
}

export function Quarantined({ row, title, note = '', decide }: QuarantinedProps) {
  const [decision, setDecision] = useState<QuarantineDecision['decision'] | null>(null)
  return (
    <article className="panel">
      <h3>
        {title}{' '}
        <span className="mono soft">
          {row.provider}/{row.code}
        </span>
      </h3>
      <p className={classes.reason}>{row.reason}</p>
      <p className="soft">
        Read {writeInstant(row.foundAt)}. {note}
      </p>
      {row.sample.length > 0 && <Sample sample={row.sample} />}
      {decide !== null && (
        <div className={classes.line}>
          <Button variant="default" size="xs" onClick={() => setDecision('release')}>
            Release
          </Button>
          <Button variant="default" size="xs" onClick={() => setDecision('reject')}>
            Reject
          </Button>
        </div>
      )}
      {decide !== null && decision !== null && (
        <FormDialog
          leaveWords="Leave it"
          title={decision === 'release' ? 'Release the answer' : 'Reject the answer'}
          action={decision === 'release' ? 'Publish it' : 'Reject it'}
          run={() => decide(decision)}
          close={() => setDecision(null)}
        >
          <p>
            {decision === 'release'
              ? 'The answer is published as new vintages for every workspace that follows the series; what was stored stays in the history, and signed periods keep their numbers.'
              : 'The answer is rejected for every workspace that follows the series, and the figures stay as they are. If the provider sends the same again, it is rejected without asking.'}
          </p>
          <p>All of them see that you decided it.</p>
        </FormDialog>
      )}
    </article>
  )
}

function Sample({ sample }: Pick<QuarantineRow, 'sample'>) {
  return (
    <DataTable
      className={classes.sample}
      rows={sample}
      keyOf={({ period }) => period}
      columns={[
        { head: 'Period', className: 'figures', cell: ({ period }) => period },
        { head: 'Held', isRight: true, cell: ({ stored }) => <FigureOrNone value={stored} /> },
        { head: 'Came', isRight: true, cell: ({ came }) => <FigureOrNone value={came} /> },
      ]}
    />
  )
}

function FigureOrNone({ value }: { readonly value: string | null }) {
  return value === null ? <span className="soft">none</span> : <Figure value={value} />
}

const decisionKinds = { released: 'good', rejected: 'trouble', overtaken: 'waiting' } as const

interface DecidedProps {
  readonly rows: readonly DecidedRow[]
  readonly title: (row: DecidedRow) => ReactNode
}

export function DecidedTable({ rows, title }: DecidedProps) {
  return (
    <DataTable
      label="Decided"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Series', cell: title },
        { head: 'Why it waited', narrow: 'line', className: classes.reason, cell: ({ reason }) => reason },
        {
          head: 'Decision',
          cell: ({ decision }) => <State kind={decisionKinds[decision]}>{decision}</State>,
        },
        {
          head: 'By',
          narrow: 'label',
          cell: ({ decidedBy }) => decidedBy ?? <span className="soft">nobody: another answer came</span>,
        },
        { head: 'When', narrow: 'label', cell: ({ decidedAt }) => writeInstant(decidedAt) },
      ]}
    />
  )
}
