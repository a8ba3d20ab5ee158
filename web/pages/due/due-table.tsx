// Table of adjustment dates: the state of each, the figures it waits for, and the day on which it can be proposed.
import { formatDate } from '../../../src/core/text/words.ts'
import type { DueFigure, DueRow } from '../../../src/views/shapes/due.ts'
import { State } from '../../components/figures/figures.tsx'
import { TextLink } from '../../components/page/links.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatCancelled } from '../../components/words/cancelled-words.ts'
import { formatSide } from '../../components/words/side-words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './due.module.css'
import { formatEnded, formatExpected, isAnnounced, nameFigure, stateWords } from './words.ts'

export function DueTable({ rows }: { readonly rows: readonly DueRow[] }) {
  const { slug: ws } = useWorkspace()
  return (
    <DataTable
      label="Adjustment dates"
      isTall
      rows={rows}
      keyOf={({ slug, period }) => `${slug} ${period}`}
      columns={[
        {
          head: 'Date',
          className: 'figures',
          narrow: 'line',
          cell: ({ slug, period, date }) => (
            <>
              {formatDate(date)}
              <span className="under">
                <TextLink to="/w/$ws/agreements/$slug/periods/$period" params={{ ws, slug, period }}>
                  {period}
                </TextLink>
              </span>
            </>
          ),
        },
        {
          head: 'Agreement',
          isRowHead: true,
          isMain: true,
          className: classes.name,
          cell: ({ slug, name, supplier }) => (
            <>
              <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug }}>
                {name}
              </TextLink>
              <span className="under">{formatSide(supplier)}</span>
            </>
          ),
        },
        {
          head: 'State',
          narrow: ({ state }) => <StateOf state={state} />,
          cell: ({ state, isProvisional }) => (
            <>
              <StateOf state={state} />
              {isProvisional && <span className="under">provisional</span>}
            </>
          ),
        },
        { head: 'Waits for', narrow: 'line', className: classes.waits, cell: row => <Waits row={row} /> },
        {
          head: 'Ready from',
          narrow: 'label',
          className: 'figures',
          cell: ({ state, readyOn }) =>
            state === 'READY' ? 'now' : readyOn === null ? <span className="soft">–</span> : formatDate(readyOn),
        },
      ]}
    />
  )
}

function StateOf({ state }: Pick<DueRow, 'state'>) {
  const { kind, words, meaning } = stateWords[state]
  return (
    <span title={meaning}>
      <State kind={kind}>{words}</State>
    </span>
  )
}

function Waits({ row }: { readonly row: DueRow }) {
  const { state, waitsFor, newer, cancelled, ended, gap, isProvisional } = row
  const isGone = cancelled.some(
    ({ series, period }) => series.reference === waitsFor?.series.reference && period === waitsFor.period,
  )
  const hasPassed = state === 'LATE' || ended.length > 0
  return (
    <>
      {waitsFor !== null && !isGone && (
        <Awaited figure={waitsFor} before={isProvisional ? 'The missing value: ' : ''} hasPassed={hasPassed} />
      )}
      {newer !== null && <Awaited figure={newer} before="A newer value: " hasPassed={false} />}
      {cancelled.map(each => (
        <div key={`${each.series.reference} ${each.period}`}>{formatCancelled(each)}</div>
      ))}
      {ended.map(each => (
        <div key={each.reference}>{formatEnded(each)}</div>
      ))}
      {gap !== null && <div>{gap}</div>}
    </>
  )
}

interface AwaitedProps {
  readonly figure: DueFigure
  readonly before: string
  /** Whether its day is over. */
  readonly hasPassed: boolean
}

function Awaited({ figure, before, hasPassed }: AwaitedProps) {
  const { slug: ws } = useWorkspace()
  const { series, expectedAt, basis } = figure
  return (
    <div>
      {before}
      {series.id === null ? (
        nameFigure(figure)
      ) : (
        <TextLink to="/w/$ws/series/$id" params={{ ws, id: series.id }}>
          {nameFigure(figure)}
        </TextLink>
      )}
      <span className="under">
        {expectedAt === null
          ? 'no expected date'
          : hasPassed
            ? `was expected ${isAnnounced(basis) ? 'on ' : ''}${formatExpected(expectedAt, basis)}`
            : formatExpected(expectedAt, basis)}
      </span>
    </div>
  )
}
