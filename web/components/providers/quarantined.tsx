// An answer in quarantine because it would change stored values, shown beside those values. An operator of the installation
// decides about it.
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { QuarantineDecision } from '../../../src/http/console/wire/series-calls.ts'
import type { DecidedRow, QuarantineRow } from '../../../src/views/shapes/series.ts'
import classes from '../../pages/settings/settings.module.css'
import { Confirm } from '../dialog/confirm.tsx'
import { Figure, State } from '../figures/figures.tsx'
import { ScrollX } from '../table/scroll-x.tsx'
import { right, TableHead } from '../table/table-head.tsx'
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
        <Confirm
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
        </Confirm>
      )}
    </article>
  )
}

function Sample({ sample }: Pick<QuarantineRow, 'sample'>) {
  return (
    <table className={`ledger ${classes.sample}`}>
      <TableHead columns={['Period', right('Held'), right('Came')]} />
      <tbody>
        {sample.map(({ period, stored, came }) => (
          <tr key={period}>
            <td className="figures">{period}</td>
            <td className="right">
              {stored === null ? <span className="soft">none</span> : <Figure value={stored} />}
            </td>
            <td className="right">{came === null ? <span className="soft">none</span> : <Figure value={came} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const decisionKinds = { released: 'good', rejected: 'trouble', overtaken: 'waiting' } as const

interface DecidedProps {
  readonly rows: readonly DecidedRow[]
  readonly title: (row: DecidedRow) => ReactNode
}

export function DecidedTable({ rows, title }: DecidedProps) {
  return (
    <ScrollX label="Decided">
      <table className="ledger roomy">
        <TableHead columns={['Series', 'Why it waited', 'Decision', 'By', 'When']} />
        <tbody>
          {rows.map(row => (
            <tr key={row.id}>
              <td>{title(row)}</td>
              <td className={classes.reason}>{row.reason}</td>
              <td>
                <State kind={decisionKinds[row.decision]}>{row.decision}</State>
              </td>
              <td>{row.decidedBy ?? <span className="soft">nobody: another answer came</span>}</td>
              <td>{writeInstant(row.decidedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}
