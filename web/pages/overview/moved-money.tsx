// Money moved by adjustments, by supplier and by index: two tables with bars. Rows lead to their agreements.
import { Tooltip, UnstyledButton } from '@mantine/core'
import type { Portfolio, PortfolioRow, PortfolioRows } from '../../../src/views/shapes/portfolio.ts'
import { TextLink } from '../../components/page/links.tsx'
import { Section } from '../../components/page/page.tsx'
import { DataTable } from '../../components/table/data-table.tsx'
import { countOf, formatCount, formatMoney, formatPct, formatSigned } from '../../components/words/words.ts'
import { useWorkspace } from '../../session.ts'
import { type BarLengths, barsOf } from './bars.ts'
import classes from './moved-money.module.css'

const definition =
  'For each adjustment: the quantity billed or declared for its period, times the new price minus the old price. The next quarter uses the quantities of the newest period that has quantities, as far as figures are published.'

type Kind = Portfolio['by'] | 'index'

const headings: Readonly<Record<Kind, string>> = {
  supplier: 'By supplier',
  agreement: 'By agreement',
  index: 'By index',
}

export function MovedMoney({ portfolio, isKnown }: { readonly portfolio: Portfolio; readonly isKnown: boolean }) {
  const { by, parties, indices } = portfolio
  if (parties.rows.length === 0) return null
  return (
    <Section
      title="Money moved by adjustments"
      actions={
        <Tooltip label={definition} multiline w={320}>
          <UnstyledButton className={classes.how} aria-label={`How the money is counted. ${definition}`}>
            How it is counted
          </UnstyledButton>
        </Tooltip>
      }
    >
      <div className={classes.tables} data-is-known={isKnown}>
        <MovedTable portfolio={portfolio} kind={by} list={parties} />
        <MovedTable portfolio={portfolio} kind="index" list={indices} />
      </div>
      <Remarks portfolio={portfolio} />
    </Section>
  )
}

interface MovedTableProps {
  readonly portfolio: Portfolio
  readonly kind: Kind
  readonly list: PortfolioRows
}

function MovedTable({ portfolio: { year, nextQuarter }, kind, list: { rows, more } }: MovedTableProps) {
  const { slug: ws } = useWorkspace()
  const bars = barsOf(rows)
  const hasNext = rows.some(({ money, without }) => isSome(money?.nextQuarter) || without?.nextQuarterPct != null)
  return (
    <div>
      <DataTable
        label={headings[kind]}
        className={`${classes.table} ${hasNext ? classes.withNext : ''}`}
        rows={rows}
        keyOf={({ key, name, money }) => `${key ?? name} ${money?.currency}`}
        columns={[
          {
            head: headings[kind],
            isMain: true,
            headClass: classes.name,
            cell: row => (
              <>
                <RowName row={row} kind={kind} />
                {kind !== 'agreement' && (
                  <span className="under" title={formatAverage(row)}>
                    {countRow(row)}
                  </span>
                )}
              </>
            ),
          },
          {
            head: 'Drawn',
            isHeadUnseen: true,
            narrow: 'drop',
            className: classes.drawing,
            cell: (_, __, index) => <Bars {...bars[index]!} />,
          },
          {
            head: year,
            isRight: true,
            className: 'figures',
            headClass: classes.amount,
            cell: row => formatMoved(row, 'year', kind),
          },
          hasNext && {
            head: nextQuarter,
            isRight: true,
            className: 'figures',
            headClass: classes.amount,
            narrow: 'label',
            cell: row => formatMoved(row, 'nextQuarter', kind),
          },
        ]}
      />
      {more > 0 && (
        <p className="soft">
          And {formatCount(more)} more:{' '}
          {kind === 'index' ? (
            <TextLink className="in-text" to="/w/$ws/series" params={{ ws }}>
              all series
            </TextLink>
          ) : (
            <TextLink className="in-text" to="/w/$ws/agreements" params={{ ws }} search={{ sort: 'supplier' }}>
              all agreements
            </TextLink>
          )}
        </p>
      )}
    </div>
  )
}

function RowName({ row: { key, name }, kind }: { readonly row: PortfolioRow; readonly kind: Kind }) {
  return (
    <span className={classes.oneLine} title={name}>
      {key === null ? name : <RowLink to={key} name={name} kind={kind} />}
    </span>
  )
}

function RowLink({ to, name, kind }: { readonly to: string; readonly name: string; readonly kind: Kind }) {
  const { slug: ws } = useWorkspace()
  if (kind === 'agreement')
    return (
      <TextLink to="/w/$ws/agreements/$slug" params={{ ws, slug: to }}>
        {name}
      </TextLink>
    )
  return (
    <TextLink to="/w/$ws/agreements" params={{ ws }} search={kind === 'supplier' ? { supplier: to } : { series: to }}>
      {name}
    </TextLink>
  )
}

/** `96 agreements, 13 without quantities` */
function countRow({ agreements, money, without }: PortfolioRow): string {
  if (money === null) return `${countOf(without!.agreements, 'agreement')}, no quantities`
  const counted = countOf(agreements, 'agreement')
  return without === null ? counted : `${counted}, ${formatCount(without.agreements)} without quantities`
}

function formatAverage({ money, without }: PortfolioRow): string | undefined {
  if (money === null || without === null || without.yearPct === null) return undefined
  return `${countOf(without.agreements, 'agreement')} without quantities: ${formatPct(without.yearPct)} on average`
}

function isSome(amount: string | undefined): boolean {
  return amount !== undefined && /[1-9]/.test(amount)
}

function formatMoved({ money, without }: PortfolioRow, time: 'year' | 'nextQuarter', kind: Kind) {
  if (money !== null) return isSome(money[time]) ? formatMoney(formatSigned(money[time]), money.currency) : '–'
  const average = time === 'year' ? without!.yearPct : without!.nextQuarterPct
  if (average === null) return '–'
  const written = kind === 'index' ? `${formatSigned(average)}\u00a0points` : formatPct(average)
  return kind === 'agreement' ? (
    written
  ) : (
    <>
      {written} <span className="under">on average</span>
    </>
  )
}

/** The year above, the next quarter below it; a fall is hollow. */
function Bars({ zero, year, nextQuarter }: BarLengths) {
  return (
    <svg aria-hidden="true">
      {zero !== null && <line className={classes.zero} x1={`${zero}%`} x2={`${zero}%`} y1="0" y2="100%" />}
      {[year, nextQuarter].map(
        (bar, i) =>
          bar !== null && (
            <rect
              key={i === 0 ? 'year' : 'quarter'}
              className={classes.bar}
              data-falls={bar.falls}
              data-time={i === 0 ? 'year' : 'quarter'}
              x={`${bar.from}%`}
              width={`${bar.length}%`}
              y="50%"
              height={i === 0 ? 10 : 4}
            />
          ),
      )}
    </svg>
  )
}

function Remarks({ portfolio }: { readonly portfolio: Portfolio }) {
  const { unsigned, unpriced, notYet, leftOut, nextQuarter, totals } = portfolio
  const hasNext = totals.some(each => isSome(each.nextQuarter))
  const remarks = [
    unsigned > 0 && `${countOf(unsigned, 'adjustment')} in the sums ${are(unsigned)} proposed, not signed.`,
    totals.length > 0 &&
      unpriced > 0 &&
      `${countOf(unpriced, 'adjustment')} without a quantity ${are(unpriced)} not in the sums.`,
    hasNext &&
      notYet > 0 &&
      `${countOf(notYet, 'date')} of ${nextQuarter} ${notYet === 1 ? 'waits' : 'wait'} for figures.`,
    leftOut > 0 &&
      `${countOf(leftOut, 'agreement')} ${are(leftOut)} left out: open ${leftOut === 1 ? 'it' : 'them'} to see.`,
  ].filter(each => each !== false)
  return remarks.length === 0 ? null : <p className={`soft ${classes.remarks}`}>{remarks.join(' ')}</p>
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are'
}
