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
import { formatInstant } from '../words/words.ts'

type Decision = QuarantineDecision['decision']

interface HeldProps {
  readonly title: ReactNode
  readonly reason: string
  readonly foundAt: string
  readonly note?: string
  /** `the answer`. */
  readonly what: string
  /** Effect of each decision. */
  readonly words: Readonly<Record<Decision, string>>
  /** `null` if somebody else decides. */
  readonly decide: ((decision: Decision) => Promise<void>) | null
  /** Changes that the answer would make. */
  readonly children: ReactNode
}

/** Something that is held back until an operator decides. */
export function Held({ title, reason, foundAt, note = '', what, words, decide, children }: HeldProps) {
  const [decision, setDecision] = useState<Decision | null>(null)
  return (
    <article className="panel">
      <h3>{title}</h3>
      <p className={classes.reason}>{reason}</p>
      <p className="soft">
        Read {formatInstant(foundAt)}. {note}
      </p>
      {children}
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
          title={decision === 'release' ? `Release ${what}` : `Reject ${what}`}
          action={decision === 'release' ? 'Publish it' : 'Reject it'}
          run={() => decide(decision)}
          close={() => setDecision(null)}
        >
          <p>{words[decision]}</p>
        </FormDialog>
      )}
    </article>
  )
}

const answerWords = {
  release:
    'The answer is published as new vintages for every workspace that follows the series; stored values stay in the history, and signed periods keep their numbers. All these workspaces see your decision.',
  reject:
    'The answer is rejected for every workspace that follows the series, and the figures stay as they are. If the provider sends this answer again, it is rejected without asking. All these workspaces see your decision.',
}

interface QuarantinedProps extends Pick<HeldProps, 'note' | 'decide'> {
  readonly row: QuarantineRow
  /** The series, as a link if it has a page. */
  readonly title: ReactNode
}

export function Quarantined({ row, title, ...held }: QuarantinedProps) {
  const name = (
    <>
      {title}{' '}
      <span className="mono soft">
        {row.provider}/{row.code}
      </span>
    </>
  )
  return (
    <Held {...held} title={name} reason={row.reason} foundAt={row.foundAt} what="the answer" words={answerWords}>
      {row.sample.length > 0 && <Sample sample={row.sample} />}
    </Held>
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
        { head: 'Stored', isRight: true, cell: ({ stored }) => <FigureOrNone value={stored} /> },
        { head: 'Received', isRight: true, cell: ({ came }) => <FigureOrNone value={came} /> },
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
        { head: 'Reason', narrow: 'line', className: classes.reason, cell: ({ reason }) => reason },
        {
          head: 'Decision',
          cell: ({ decision }) => <State kind={decisionKinds[decision]}>{decision}</State>,
        },
        {
          head: 'By',
          narrow: 'label',
          cell: ({ decidedBy }) => decidedBy ?? <span className="soft">nobody: a newer answer replaced it</span>,
        },
        { head: 'When', narrow: 'label', cell: ({ decidedAt }) => formatInstant(decidedAt) },
      ]}
    />
  )
}
